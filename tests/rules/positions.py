"""Positions of the four-row games built by hand."""

from collections.abc import Sequence

from arena.rules.game import Batch
from arena.rules.variants.standard import RowState, Standard
from tests.rules.oracle import heads


def position(
    game: Standard, rows: Sequence[Sequence[int]], hands: Sequence[Sequence[int]], scores: Sequence[int] | None = None
) -> RowState:
    """A state of the first deal in which every seat is asked for a card."""
    assert len(hands) == game.seats
    own = [sorted(hand) for hand in hands]
    asked = Batch("card", tuple(range(game.seats)), own)
    return RowState(
        pending=asked,
        deal=1,
        turn=1,
        scores=list(scores or [0] * game.seats),
        hands=own,
        piles=[[] for _ in own],
        heads=[0] * game.seats,
        rows=[list(row) for row in rows],
        row_heads=[sum(map(heads, row)) for row in rows],
        queue=[],
        cards=asked,
    )

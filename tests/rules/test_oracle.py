"""The placement, held turn by turn against one written from the rulebook alone (`oracle`)."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from arena.rules.game import Batch
from tests.rules.oracle import Rows, cheapest, place
from tests.rules.playing import GameType, every_game_of_four_rows, games, policies, seeds, steps

OTHER_PLACEMENT = {"professional", "double"}
"""Games of four rows that have their own rules of placement."""


def by_answer(answer: int) -> Callable[[int, Rows], int]:
    return lambda seat, rows: answer


@every_game_of_four_rows
@given(data=st.data())
def test_every_turn_ends_as_the_rulebook_says(kind: GameType, data: st.DataObject) -> None:
    if kind.id in OTHER_PLACEMENT:
        return
    game = data.draw(games(kind))
    start, played = game.new(), dict[int, int]()
    choose: Callable[[int, Rows], int]
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        if done.dealt:
            continue
        if done.before.pending.kind == "card":
            start, played = done.before, dict(enumerate(done.given))
            choose = cheapest
        else:
            choose = by_answer(done.given[0])
        if isinstance(done.after.pending, Batch) and done.after.pending.kind == "row":
            continue
        rows, took = place(start.rows, played, choose)
        assert done.after.rows == rows
        assert done.after.piles == [[*start.piles[seat], *took[seat]] for seat in range(game.seats)]

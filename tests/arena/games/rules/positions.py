"""Positions built by hand."""

from collections.abc import Sequence
from typing import Any, TypeVar

from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Batch, Game, Option
from bullring.arena.games.rules.rows import RowGame, RowState
from bullring.arena.games.rules.variants.eleven import Eleven, ElevenState
from tests.arena.games.rules.oracle import heads

S = TypeVar("S", bound=RowState)


def position(
    game: RowGame[S], rows: Sequence[Sequence[int]], hands: Sequence[Sequence[int]], scores: Sequence[int] | None = None
) -> S:
    """The first turn of the first deal, with these rows and hands."""
    assert len(hands) == game.seats
    state = game.new()
    state.deal = 1
    state.scores = list(scores or state.scores)
    state.hands = [sorted(hand) for hand in hands]
    state.piles = [[] for _ in hands]
    game.open_rows(state, [list(row) for row in rows])
    state.row_heads = [sum(map(heads, row)) for row in rows]
    return state


def stacks_position(
    game: Eleven,
    stacks: Sequence[Sequence[int]],
    hands: Sequence[Sequence[int]],
    *,
    bulls: Sequence[int] = (),
    draw: Sequence[int] = (),
    first: int | None = None,
) -> ElevenState:
    """A first turn of 11 nimmt!: `first` (or the starting seat) is to play. `draw` is turned up from its beginning."""
    assert len(hands) == game.seats
    state = game.new()
    state.deal = state.turn = 1
    state.first = state.mover = game.start if first is None else first
    state.hands = [sorted(hand) for hand in hands]
    state.known = [[] for _ in hands]
    state.stacks = [list(stack) for stack in stacks]
    state.bulls = list(bulls or state.bulls)
    state.draw = list(draw)[::-1]
    game._ask(state, [])
    return state


def after(game: Game[Any], state: Any, *answers: Option) -> tuple[Any, list[Event]]:
    """The position after these answers to requests of one seat, and the events of the last one."""
    events: list[Event] = []
    for answer in answers:
        state, events = game.apply(state, [answer])
    return state, events


def asked(state: Any) -> tuple[str, int, Sequence[Option]]:
    """The question to a single seat: its kind, the seat, the options."""
    assert isinstance(state.pending, Batch)
    (seat,), (options,) = state.pending.seats, state.pending.options
    return state.pending.kind, seat, options

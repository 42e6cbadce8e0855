"""The placement, held turn by turn against one written from the rulebooks alone (`oracle`)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.game import Batch, Option
from bullring.arena.games.rules.rows import RowGame, RowState
from bullring.arena.games.rules.variants.hand import Hand
from bullring.arena.games.rules.variants.standard import Standard
from tests.arena.games.rules.oracle import Rows, cheapest, place, place_at_both_ends, place_doubles, place_pairs
from tests.arena.games.rules.playing import (
    AnyGame,
    Policy,
    RowGameType,
    every_game_of_four_rows,
    games,
    policies,
    seeds,
    step,
    steps,
)

ORACLES: dict[str, Any] = {
    **dict.fromkeys(("standard", "tactics", "logic", "tournament", "open", "online"), place),
    "professional": place_at_both_ends,
    "nifty": place_pairs,
    "double": place_doubles,
}
"""By game, how its cards are placed."""

MOVES_OF_A_TURN = ("card", "cards")


@dataclass
class Turn:
    """The answers of one turn, with the positions before and after it."""

    before: Any
    after: Any
    played: dict[int, Any]
    """By seat, its cards on the table."""
    answers: list[tuple[str, int, Option]]
    """The decisions about their places, in the order in which they were made: kind, seat, answer."""

    def choose(self, kind: str, seat: int, rows: Rows) -> int:
        """The next of them, for the oracle, which has to ask for it as the engine did."""
        was, by, answer = self.answers.pop(0)
        assert (was, by) == (kind, seat)
        assert isinstance(answer, int)
        return answer


def turns(game: AnyGame, seed: int, policy: Policy) -> Iterator[Turn]:
    """A whole match, turn by turn."""
    turn = Turn(None, None, {}, [])
    for done in steps(game, seed, policy):
        if done.dealt or done.before.pending.kind == "draft":
            continue
        batch = done.before.pending
        if not turn.played:
            turn.before = done.before
        for seat, answer in zip(batch.seats, done.given, strict=True):
            if batch.kind in MOVES_OF_A_TURN:
                turn.played[seat] = answer
            else:
                turn.answers.append((batch.kind, seat, answer))
        if not isinstance(done.after.pending, Batch) or done.after.turn != done.before.turn:
            turn.after = done.after
            yield turn
            turn = Turn(None, None, {}, [])


@every_game_of_four_rows
@given(data=st.data())
def test_every_turn_ends_as_the_rulebook_says(kind: RowGameType, data: st.DataObject) -> None:
    if kind is Hand:
        return  # its cards are placed one by one: see below
    if kind.id not in ORACLES:
        pytest.skip("it has no oracle for its placement")
    game = data.draw(games(kind))
    for turn in turns(game, data.draw(seeds), data.draw(policies)):
        start, end = turn.before, turn.after
        assert len(turn.played) == game.seats
        if kind.id == "double":
            clockwise = [(turn.before.turn - 1 + at) % game.seats for at in range(game.seats)]
            rows, got = place_doubles(start.rows, turn.played, clockwise, turn.choose)
            assert end.rows == rows
            assert end.heads == [start.heads[seat] + got[seat] for seat in range(game.seats)]
        else:
            choose = cheapest if kind.id == "online" else turn.choose
            rows, took = ORACLES[kind.id](start.rows, turn.played, choose)
            assert end.rows == rows
            assert end.piles == [[*start.piles[seat], *took[seat]] for seat in range(game.seats)]
        assert not turn.answers, "somebody was asked for what the rulebook does not leave to him"


@given(data=st.data())
def test_every_card_of_the_hand_game_is_placed_as_the_rulebook_says(data: st.DataObject) -> None:
    game = data.draw(games(Hand))
    rows: Rows = []
    card, answers = 0, list[tuple[str, int, Option]]()
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        if done.dealt:
            continue
        (seat,), (answer,), kind = done.before.pending.seats, done.given, done.before.pending.kind
        if kind in ("card", "more") and answer != "stop":
            rows, card, answers = done.before.rows, answer, []
        elif kind == "row":
            answers = [(kind, seat, answer)]
        else:
            assert done.after.rows == done.before.rows
            continue
        if isinstance(done.after.pending, Batch) and done.after.pending.kind == "row":
            assert done.after.rows == rows
            continue
        after, took = place(rows, {seat: card}, Turn(None, None, {}, answers).choose)
        assert not answers
        assert done.after.rows == after
        assert done.after.taken == took[seat]


class Plain(RowGame[RowState]):
    """The turn that all games of four rows share, unchanged. (The standard game has its own, for speed.)"""

    id: ClassVar[str] = "plain"
    seat_range: ClassVar[tuple[int, int]] = Standard.seat_range
    state_type = RowState


@given(data=st.data())
def test_the_fast_turn_of_the_standard_game_is_the_one_that_all_games_share(data: st.DataObject) -> None:
    fast = data.draw(games(Standard))
    slow = Plain(fast.seats, fast.options, fast.start)
    state: Any = slow.new()
    for done in steps(fast, data.draw(seeds), data.draw(policies)):
        again = step(slow, state, done.given)
        assert again.after == done.after
        assert again.events == done.events
        if isinstance(done.after.pending, Batch):
            indices = range(len(done.after.pending.seats))
            assert [slow.fallback(again.after, at) for at in indices] == [
                fast.fallback(done.after, at) for at in indices
            ]
        state = again.after

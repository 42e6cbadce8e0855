"""A match that leaves a recorded one at a decision: another option is chosen, and the house plays on to the end of the deal.

Everybody keeps the cards that they really had. Each seat plays as the house does (`study.house.moves`), from what it may know.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Batch, Game, Option
from bullring.arena.match.records.reader import Entry, Lines
from bullring.arena.match.records.replay import Replay
from bullring.arena.study.analysis.questions import Deal, Question, deals
from bullring.arena.study.house.moves import chances


@dataclass(frozen=True)
class Moment:
    """The decisions of a record that were answered together."""

    game: Game[Any]
    deal: Deal
    questions: Sequence[Question]
    """By seat that was asked."""

    @property
    def line(self) -> int:
        """The line of the record with the answers, from 1."""
        return self.questions[0].line

    @property
    def turn(self) -> tuple[int, int]:
        """The deal and the turn, which is 0 before the first one."""
        return self.questions[0].deal, self.questions[0].turn

    def answers(self, seat: int, option: Option) -> list[Option]:
        """The answers that were given, but this one by `seat`."""
        return [option if one.seat == seat else one.options[one.chosen] for one in self.questions]


def moments(lines: Lines) -> list[Moment]:
    """All moments of a finished record, in their order. Raises `RecordError` with the line number."""
    replay = Replay()
    found: list[Moment] = []
    for deal in deals(lines, replay):
        by_line: dict[int, list[Question]] = {}
        for question in deal.questions:
            by_line.setdefault(question.line, []).append(question)
        found += [Moment(replay.game, deal, questions) for questions in by_line.values()]
    return found


@dataclass(frozen=True)
class Branch:
    """A branch of a record."""

    moment: Moment
    seat: int
    option: Option
    """The choice of the seat."""
    entries: Sequence[Entry]
    """Its record, to the end of the deal."""
    heads: int
    """The heads of the seat in that deal."""


def branch(lines: Lines, moment: Moment, seat: int, option: Option, random: Random) -> Branch:
    """Let `seat` choose this option, and the house play on once."""
    entries = lines.entries[: moment.line - 1]
    state = moment.questions[0].state.copy()
    course = list(played_on(moment.game, state, moment.answers(seat, option), random))
    entries += [json.loads(json.dumps({"answers": answers, "us": [0] * len(answers)})) for answers, _ in course]
    return Branch(moment, seat, option, entries, heads_of(course[-1][1], seat))


def played_on(
    game: Game[Any], state: Any, answers: Sequence[Option], random: Random
) -> Iterator[tuple[Sequence[Option], Sequence[Event]]]:
    """Yield the answers of each batch to the end of the deal, and what followed: first these, then the house's. Changes `state`."""
    while True:
        yield answers, game.advance(state, answers)
        if not isinstance(state.pending, Batch):
            return
        answers = [
            random.choices(options, weights)[0]
            for options, weights in zip(state.pending.options, house(game, state), strict=True)
        ]


def house(game: Game[Any], state: Any) -> list[list[float]]:
    """The probabilities of all options of the pending batch, by seat that is asked."""
    batch: Batch = state.pending
    asked = zip(batch.seats, batch.options, strict=True)
    return [chances(game, game.view(state, seat), batch.kind, options) for seat, options in asked]


def heads_of(events: Sequence[Event], seat: int) -> int:
    """The heads of a seat in the deal that these events end."""
    (over,) = [event for event in events if event["type"] == "deal_over"]
    heads: int = over["heads"][seat]
    return heads

"""The decisions of a finished record, deal by deal, each with the true state before it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.game import Batch, Option, Shuffle
from bullring.arena.match.records.ends import seal_of
from bullring.arena.match.records.reader import Lines, kind_of
from bullring.arena.match.records.replay import Answered, Replay
from bullring.errors import RecordError


@dataclass(frozen=True)
class Question:
    """One decision of one seat."""

    line: int
    """The line of the record with the answer, from 1."""
    deal: int
    turn: int
    decision: Decision
    seat: int
    options: tuple[Option, ...]
    chosen: int
    """The index of the answer in `options`."""
    by: str
    """The origin of the answer: "bot" or "fallback"."""
    state: Any
    """The state before the answers, with all cards."""


@dataclass
class Deal:
    """One complete deal of a match."""

    number: int
    before: Any
    """The state that waits for its cards."""
    after: Any
    """The state after the cards are dealt."""
    questions: list[Question] = field(default_factory=list)
    heads: tuple[int, ...] = ()
    """By seat, the heads of this deal."""


def opened(lines: Lines) -> str:
    """The seal of a record that may be analysed. Raises `RecordError` for one that is not finished, void, or changed since."""
    if not lines.finished:
        raise RecordError(
            "expected the record of a finished match, but it ends before its match is over; wait for the end of the match:"
            " until then the hands are secret"
        )
    found = seal_of(lines.last)
    if found is None or found.digest != lines.seal:
        raise RecordError(
            "expected a sealed record, but its seal is missing or belongs to other lines; see what was changed with:"
            " bullring verify FILE"
        )
    return found.digest


def deals(lines: Lines, replay: Replay) -> Iterator[Deal]:
    """Yield the complete deals of a record; `replay` is new, and knows the game from the first line on.

    Raises `RecordError` with the line number.
    """
    deal: Deal | None = None
    for number, entry in enumerate(lines.each(), 1):
        before = replay.state.copy() if replay.head and kind_of(entry) in ("deal", "answers") else None
        try:
            happening = replay.feed(entry)
        except RecordError as error:
            raise RecordError(str(error), number) from None
        if before is not None and isinstance(before.pending, Shuffle):
            deal = Deal(replay.state.deal, before, replay.state.copy())
        elif isinstance(happening, Answered) and before is not None and deal is not None:
            deal.questions += _questions(number, before, happening)
            if not isinstance(replay.state.pending, Batch):
                (over,) = [event for event in happening.events if event["type"] == "deal_over"]
                deal.heads = tuple(over["heads"])
                yield deal


def _questions(line: int, before: Any, answered: Answered) -> Iterator[Question]:
    asked = zip(answered.seats, before.pending.options, answered.answers, answered.by, strict=True)
    for seat, options, answer, by in asked:
        choices = tuple(options)
        where = line, answered.deal, answered.turn, answered.decision, seat
        yield Question(*where, choices, choices.index(answer), by, before)

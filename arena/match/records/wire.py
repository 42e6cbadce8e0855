"""The messages of one seat in a recorded match, recomputed from the record.

The messages of the referee are composed by the code that composed them (`arena.match.composer`), so they are the same bytes in
every dialect, except for what a record does not hold: the ids of the questions, which are numbered from 1 here. Of the bot's
own messages it holds what they meant, not how they were written (`UNKNOWN` says it for people).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgpack
from pydantic import ValidationError

from bullring.arena.games.rules.game import Batch, Option
from bullring.arena.match.clock.judge import bank_left
from bullring.arena.match.composer import Addressee, Composer
from bullring.arena.match.faults import BETWEEN, Fault, FaultKind, complaint, failed_seat
from bullring.arena.match.records.reader import Entry, Lines, parse_line
from bullring.arena.match.records.replay import (
    Answered,
    Began,
    Counted,
    Dealt,
    Ended,
    Faulted,
    Happening,
    Replay,
    Resumed,
)
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import NO_CLOCK, Limits
from bullring.errors import RecordError, SeatsError, SeedError
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS
from bullring.protocol.messages import Limits as WireLimits
from bullring.protocol.messages import Welcome

Body = dict[str, Any]
"""A message as a map."""

UNKNOWN = (
    "Not in the record: the ids (the questions are numbered from 1, and again where a match went on), how the bot wrote its"
    " messages (only what they meant), answers that came too late, and what followed the match (a bye, or the welcome to"
    " another match)."
)

_ENCODER = ENCODERS[Dialect.MSGPACK]


@dataclass(frozen=True)
class Passed:
    """A message that is neither a question nor its answer."""

    by_bot: bool
    line: int
    """The line of the record that it follows from."""
    body: Body


@dataclass(frozen=True)
class Exchange:
    """A question, and what came."""

    question: Body
    asked_in: int
    """The line of the record after which it was asked."""
    answered_in: int = 0
    """The line with the answer; 0 if the record ends before."""
    option: Option | None = None
    """The option played; None if the record ends before."""
    by: str = ""
    """The origin of it: "bot", "human", or "fallback" after a fault or by a person's wish. Empty if the record ends before, or if
    the match was left and the question is asked again."""
    us: int = 0
    """The time of the answer, or until the verdict."""
    fault: Entry | None = None
    """The fault instead of an answer."""

    @property
    def deal(self) -> int:
        """The number of the deal."""
        return int(self.question["view"]["deal"])

    @property
    def turn(self) -> int:
        """The number of the turn; 0 in a draft."""
        return int(self.question["view"]["turn"])

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return str(self.question["kind"])

    @property
    def allowed_us(self) -> int:
        """The time for the answer, including the bank."""
        time = self.question["time"]
        return int(time["limit_us"] + time["bank_us"])

    @property
    def answer(self) -> Body | None:
        """The message of the bot; None if there is none that it can be made of."""
        return (
            {"type": "choice", "id": self.question["id"], "option": self.option}
            if self.by in ("bot", "human")
            else None
        )


@dataclass(frozen=True)
class Failed:
    """A fault while the bot was asked nothing."""

    line: int
    fault: Entry


Wired = Passed | Exchange | Failed


class Wire:
    """The session of one seat of a recorded match. Iterate over it once."""

    def __init__(self, lines: Lines, seat: int) -> None:
        """Read the first line. Raises `RecordError`, or `SeatsError` if the match has no such seat."""
        self._lines = lines
        self.head = parse_line(next(lines.raw()), 1)
        began = Replay()
        began.feed(self.head)
        names = began.names
        if seat not in range(len(names)):
            raise SeatsError(f"the seat must be one from 0 to {len(names) - 1}, not {seat}")
        self.seat = seat
        self.name = names[seat]
        self.seed = _seed_of(lines)
        """The seed of the match; None if the record has no end. Then the bot's own seed is not known, and told as 0."""
        self.limits = limits_of(self.head, seat)
        self.was_running = False
        """Whether the bot's process ran before this match, so that its hello came earlier. Known in the end."""
        self._replay = Replay()
        self._composer = Composer(began.game)
        self._to = Addressee(seat)
        self.bank_us = self.limits.bank_us
        """The rest of the bank."""
        self.times_us: list[int] = []
        """The times of its decisions."""
        self.faults: list[Fault] = []
        self.closed = False
        self._asked = 0
        """The number of batches asked since its process joined."""
        self._pending: Body | None = None
        """The question that has no answer yet."""
        self._asked_in = 0
        """The line after which it was asked."""
        self._fault: Entry | None = None
        """The fault instead of an answer to it."""
        self._later: list[Failed] = []
        """Faults since then while it was asked nothing."""

    def __repr__(self) -> str:
        return f"<Wire of seat {self.seat}, {self.name!r}>"

    def __iter__(self) -> Iterator[Wired]:
        """Yield everything in the order in which the bot saw it. Raises `RecordError`."""
        for number, happening in self._replay.play(self._lines):
            try:
                yield from self._take(number, happening)
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                raise RecordError(f"malformed record line: {error!r:.80}", number) from None
        yield from self._settle()

    def _take(self, number: int, happening: Happening) -> Iterator[Wired]:
        match happening:
            case Began(head):
                if head["programs"][self.seat] is not None:  # otherwise it did not start, as its fault says
                    yield from self._join(number, head["programs"][self.seat])
            case Resumed(facts):
                yield from self._resume(number, facts["programs"])
            case Dealt(events):
                self._composer.journal.add([*events])
                self._ask(number)
            case Answered():
                yield from self._answered(number, happening)
                self._composer.journal.add([*happening.events])
                self._ask(number)
            case Faulted(fault) if fault["seat"] == self.seat:
                self._failed(number, fault)
            case Counted(spent):
                self.was_running = spent[self.seat].get("starts") == 0
            case Ended(scores, ranks, void):
                yield from self._settle()
                if not self.closed and not (void or "").startswith(failed_seat(self.seat)):
                    yield self._sent(number, self._composer.over(self._to, scores, ranks, void=void is not None))

    def _resume(self, number: int, programs: list[Any]) -> Iterator[Wired]:
        """Go on with a match that was left: a new process takes the seat, and unanswered questions are asked again."""
        yield from self._settle()
        if programs[self.seat] is None:  # it was closed, or does not start, as its fault says
            self.closed = True
            return
        self._to, self._asked = Addressee(self.seat), 0
        yield from self._join(number, programs[self.seat])
        self._ask(number)

    def _join(self, number: int, program: Entry) -> Iterator[Wired]:
        """The program says its hello and gets its welcome."""
        head = self.head
        told = {key: str(program[key]) for key in ("name", "version")}
        yield Passed(True, number, {"type": "hello", "protocol": 1, **told})
        clock = program.get("clock", head.get("clock"))
        welcome = self._composer.welcome(
            self.limits.of_bots(),
            head["strikes"],
            head["commitment"],
            seat=self.seat,
            seed=0 if self.seed is None else self.seed.for_bot(self.seat),
            clock="core" if clock == "core" else "wall",
        )
        # The model checks what the record says.
        yield self._sent(number, _ENCODER.message(Welcome.model_validate(welcome)))

    def _sent(self, number: int, message: bytes) -> Passed:
        return Passed(False, number, msgpack.unpackb(message))

    def _ask(self, number: int) -> None:
        """The referee asks the next batch, if there is one."""
        batch = self._replay.state.pending
        if not isinstance(batch, Batch):
            return
        self._asked += 1
        if self.closed or self.seat not in batch.seats:
            return
        self._composer.begin(self._replay.state, batch)
        self._pending = msgpack.unpackb(
            self._composer.decide(
                self._to,
                batch.options[batch.seats.index(self.seat)],
                _ENCODER.value(self._asked),
                self.limits.of(batch.kind),
                self.bank_us,
            )
        )
        self._asked_in, self._to.complaint = number, None

    def _failed(self, number: int, fault: Entry) -> None:
        self.faults.append(Fault.of(fault))
        self._to.complaint = complaint(fault["kind"], fault["expected"], fault["got"])
        self.closed = self.closed or fault["closed"]
        if self._pending is not None and self._fault is None and not fault["decision"].endswith(BETWEEN):
            self._fault = fault
            if fault["kind"] == FaultKind.TIMEOUT and self.limits.binding:
                self.bank_us = 0
        else:
            self._later.append(Failed(number, fault))

    def _answered(self, number: int, answered: Answered) -> Iterator[Wired]:
        if self._pending is not None:
            request = answered.seats.index(self.seat)
            us, by = answered.us[request], answered.by[request]
            self.times_us.append(us)
            yield from self._settle(number, answered.answers[request], by, us)
        else:
            yield from self._settle()

    def _settle(self, number: int = 0, option: Option | None = None, by: str = "", us: int = 0) -> Iterator[Wired]:
        """Yield the pending question with what came, and the faults after it."""
        if self._pending is not None:
            if by in ("bot", "human") or (self._fault is not None and self._fault["kind"] == FaultKind.ILLEGAL):
                self._to.last_us = us
                if self.limits.binding:
                    self.bank_us = bank_left(self.bank_us, self._pending["time"]["limit_us"], us)
            yield Exchange(self._pending, self._asked_in, number, option, by, us, self._fault)
        yield from self._later
        self._pending = self._fault = None
        self._later.clear()


def _seed_of(lines: Lines) -> Seed | None:
    if not lines.finished:
        return None
    try:
        end = parse_line(lines.last, 0)["end"]
        return Seed.given(end["seed"], end["nonce"])
    except (KeyError, TypeError, SeedError) as error:
        raise RecordError(f"the last line has no seed and nonce: {error}") from None


def limits_of(head: Entry, seat: int | None = None) -> Limits:
    """The limits of a seat; without one, those of the bots. Raises `RecordError`."""
    try:
        if seat in head.get("people", ()):
            return Limits.of_people(head.get("people_us", 0))
        return Limits(**WireLimits(**head["limits"]).model_dump(), binding=head.get("clock") != NO_CLOCK)
    except (KeyError, TypeError, ValidationError) as error:
        raise RecordError(f'"limits" are not as in a record: {error!r:.200}', 1) from None

"""Replaying records: playing a recorded match again from its first line. Displays, verification and statistics all use it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Batch, Game, Option, Shuffle
from bullring.arena.games.rules.registry import find
from bullring.arena.games.rules.sayings import counted
from bullring.arena.games.rules.stages import Stage
from bullring.arena.match.records.reader import Entry, Lines, kind_of
from bullring.arena.match.records.writer import FORMAT
from bullring.errors import RecordError, RulesError
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS

_TOO_LARGE = 1 << 53
_PACK = ENCODERS[Dialect.MSGPACK]


@dataclass(frozen=True)
class Began:
    """The match begins; `head` is the first line of its record."""

    head: Entry

    def lines(self) -> list[Event]:
        """The objects that `bullring replay --json` prints for it."""
        return [{"type": "match", **self.head}]


@dataclass(frozen=True)
class Dealt:
    """A deal begins; `hands` is by seat."""

    events: Sequence[Event]
    hands: Sequence[Sequence[int]]
    stages: Sequence[Stage] = ()
    """The events as people see them happen, if the replay is `telling`."""

    def lines(self) -> list[Event]:
        return [{**event, "hands": self.hands} for event in self.events]


@dataclass(frozen=True)
class Answered:
    """A batch of decisions was answered."""

    deal: int
    turn: int
    decision: Decision
    seats: Sequence[int]
    answers: Sequence[Option]
    us: Sequence[int]
    """The time of each answer in microseconds."""
    by: Sequence[str]
    """The origin of each answer: "bot", "human" or "fallback"."""
    events: Sequence[Event]
    """The events that followed."""
    stages: Sequence[Stage] = ()
    """The same events as people see them happen, if the replay is `telling`."""

    def lines(self) -> list[Event]:
        own = {"type": "answers", "deal": self.deal, "turn": self.turn, "kind": self.decision.kind, "seats": self.seats}
        return [{**own, "answers": self.answers, "us": self.us, "by": self.by}, *self.events]


@dataclass(frozen=True)
class Faulted:
    """A bot was at fault; `fault` holds the facts of a `arena.match.faults.Fault` and the seat."""

    fault: Entry

    def lines(self) -> list[Event]:
        return [{"type": "fault", **self.fault}]


@dataclass(frozen=True)
class Wrote:
    """The bot in a seat wrote `text` to stderr."""

    seat: int
    text: str

    def lines(self) -> list[Event]:
        return [{"type": "stderr", "seat": self.seat, "text": self.text}]


@dataclass(frozen=True)
class Counted:
    """The cost of each bot; `spent` holds the facts of a `arena.match.cost.Spent` by seat."""

    spent: Sequence[Entry]

    def lines(self) -> list[Event]:
        return [{"type": "spent", "seats": self.spent}]


@dataclass(frozen=True)
class Resumed:
    """The match was left, and goes on: the bots have joined again as new processes, and the pending questions are asked again."""

    facts: Entry
    """The "programs" by seat as in the head, and "at", date and time."""

    def lines(self) -> list[Event]:
        return [{"type": "resumed", **self.facts}]


@dataclass(frozen=True)
class Ended:
    """The match is over."""

    scores: Sequence[int]
    ranks: Sequence[int]
    void: str | None

    def lines(self) -> list[Event]:
        return [{"type": "match_over", "scores": self.scores, "ranks": self.ranks, "void": self.void}]


Happening = Began | Dealt | Answered | Faulted | Wrote | Counted | Resumed | Ended


class Replay:
    """A match replayed from the entries of its record. With `telling`, stages are made, too."""

    def __init__(self, *, telling: bool = False) -> None:
        self.head: Entry = {}
        self.game: Game[Any]
        self.state: Any = None
        self.end: Entry | None = None
        self.dealt: list[list[int]] = []
        """The cards of all deals so far."""
        self.shuffles: list[Shuffle] = []
        """The shuffle that each of them answered."""
        self.people: frozenset[int] = frozenset()
        """The seats of people."""
        self._telling = telling

    def __repr__(self) -> str:
        return f"<Replay of {self.head.get('game', 'nothing yet')}, deal {len(self.dealt)}>"

    @property
    def names(self) -> list[str]:
        """The names of the bots, by seat."""
        return [str(name) for name in self.head["seats"]]

    def play(self, lines: Lines) -> Iterator[tuple[int, Happening]]:
        """Yield everything that happened, with line numbers. Raises `RecordError` with the line number."""
        for number, entry in enumerate(lines.each(), 1):
            try:
                happening = self.feed(entry)
            except RecordError as error:
                raise error if error.line else RecordError(str(error), number) from None
            yield number, happening

    def feed(self, entry: Entry) -> Happening:
        """Take the next entry. Returns what happened. Raises `RecordError` if the entry cannot follow here."""
        try:
            return self._feed(entry)
        except RulesError as error:
            raise RecordError(str(error)) from None
        except KeyError as error:
            raise RecordError(f"malformed record line: missing key {error}") from None
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            raise RecordError(f"malformed record line: {error}") from None

    def _feed(self, entry: Entry) -> Happening:
        if not self.head:
            return self._begin(entry)
        if self.end is not None:
            raise RecordError("there are more lines after the end of the match")
        match kind_of(entry):
            case "deal":
                return self._deal(entry)
            case "answers":
                return self._answers(entry)
            case "fault":
                return self._fault(entry["fault"])
            case "stderr":
                return Wrote(self._seat(entry["stderr"]["seat"]), _text(entry["stderr"]["text"]))
            case "spent":
                return Counted(self._spent(entry["spent"]))
            case "resumed":
                return self._resumed(entry["resumed"])
            case "end":
                return self._end(entry["end"])
        raise RecordError(f"unknown kind of line: {', '.join(map(str, entry))[:80]}")

    def _end(self, end: Entry) -> Happening:
        scores, ranks, void = _ints(end["scores"]), _ints(end["ranks"]), end["void"]
        if len(scores) != self.game.seats or (len(ranks) != self.game.seats and (ranks or void is None)):
            raise RecordError(f"expected scores of {self.game.seats} seats, and ranks unless the match is void")
        self.end = end
        return Ended(scores, ranks, None if void is None else _text(void))

    def _resumed(self, facts: Entry) -> Happening:
        if len(facts["programs"]) != self.game.seats:
            raise RecordError(f"expected the programs of {self.game.seats} seats, not of {len(facts['programs'])}")
        _text(facts["at"])
        return Resumed(facts)

    def _spent(self, seats: Sequence[Entry]) -> Sequence[Entry]:
        if len(seats) != self.game.seats:
            raise RecordError(f"expected what each of {self.game.seats} bots cost, not of {len(seats)}")
        return [dict(zip(seat, _ints(seat.values()), strict=True)) for seat in seats]

    def _begin(self, entry: Entry) -> Happening:
        if entry.get("bullring") != FORMAT:
            raise RecordError(
                f'the first line of a record has "bullring":{FORMAT}; this is not a record, or one of another version'
            )
        seats = len([_text(name) for name in entry["seats"]])
        (start,) = _ints([entry["start"]])
        _text(entry["commitment"])
        if type(entry["options"]) is not dict:
            raise RecordError(f'"options" must be an object, not {entry["options"]!r:.80}')
        self.game = find(_text(entry["game"]))(seats, entry["options"], start)
        self.people = _people(entry, seats)
        self.state = self.game.new()
        self.head = entry
        return Began(entry)

    def _deal(self, entry: Entry) -> Happening:
        cards = _ints(entry["deal"])
        shuffle = self.state.pending
        if not isinstance(shuffle, Shuffle):
            raise RecordError("cards are dealt in the middle of a deal")
        before = self.state.copy() if self._telling else None
        events = self.game.advance_deal(self.state, cards)
        self.dealt.append(cards)
        self.shuffles.append(shuffle)
        stages = [*self.game.stages(before, events)] if self._telling else []
        return Dealt(events, [list(self.game.hand(self.state, seat)) for seat in range(self.game.seats)], stages)

    def _fault(self, fault: Entry) -> Happening:
        for key in ("kind", "decision", "expected", "got"):
            _text(fault[key])
        for key in ("exit", "stderr"):
            _text(fault.get(key, ""))
        _ints([fault["strike"]])
        if type(fault["closed"]) is not bool or type(fault["elapsed_ms"]) not in (int, float):
            raise RecordError('a fault must have "closed", true or false, and the number "elapsed_ms"')
        return Faulted({"seat": self._seat(fault["seat"]), **fault})

    def _seat(self, number: object) -> int:
        if type(number) is not int or not 0 <= number < self.game.seats:
            raise RecordError(f"expected a seat from 0 to {self.game.seats - 1}, not {number!r:.80}")
        return number

    def _answers(self, entry: Entry) -> Happening:
        state, pending = self.state, self.state.pending
        if not isinstance(pending, Batch):
            raise RecordError("there are answers where no decision is pending")
        answers = [tuple(_ints(a)) if isinstance(a, list) else a for a in entry["answers"]]
        if any(isinstance(answer, bool | float) for answer in answers):
            raise RecordError("an answer is not an option")
        us = _ints(entry["us"])
        by = [_text(origin) for origin in entry.get("by", ["bot"] * len(answers))]
        back = _ints(entry.get("back", us))
        if not len(us) == len(by) == len(back) == len(pending.seats):
            raise RecordError(f"expected {counted(len(pending.seats), 'answer')}, each with its time")
        deal, turn, decision = state.deal, state.turn, self.game.decision(pending.kind)
        before = state.copy() if self._telling else None
        events = self.game.advance(state, answers)
        if "check" in entry and crc32(_PACK.items(events)) != entry["check"]:
            raise RecordError(
                f"deal {deal}, turn {turn}: replaying these answers does not reproduce the recorded events"
            )
        stages = [*self.game.stages(before, events)] if self._telling else []
        return Answered(deal, turn, decision, list(pending.seats), answers, us, by, events, stages)


def _ints(values: Iterable[Any]) -> list[int]:
    result = list(values)
    if any(type(value) is not int or abs(value) >= _TOO_LARGE for value in result):
        raise RecordError("expected whole numbers that any language can hold (below 2^53)")
    return result


def _people(head: Entry, seats: int) -> frozenset[int]:
    """The seats of people."""
    found = _ints(head.get("people", []))
    if found != sorted({*found} & {*range(seats)}):
        raise RecordError(f'"people" must be seats from 0 to {seats - 1} in order, not {found!r:.80}')
    _ints([head.get("people_us", 0)])
    return frozenset(found)


def _text(value: object) -> str:
    if type(value) is not str:
        raise RecordError(f"expected a text, not {value!r:.80}")
    return value

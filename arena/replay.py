"""Records read again: play them from the first line on, and hold what they claim against what follows from them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

from arena.record import FORMAT
from arena.rules.game import Batch, Event, Game, RulesError, Shuffle
from arena.rules.options import OptionError
from arena.rules.registry import find
from arena.rules.shuffle import shuffled
from arena.seeds import Seed
from protocol.decoding import Dialect
from protocol.encoding import ENCODERS

MAX_RECORD = 1 << 30
"""Bytes of the largest record that is read."""

_PACK = ENCODERS[Dialect.MSGPACK]

Entry = dict[str, Any]
"""One line of a record."""


class RecordError(Exception):
    """A record cannot be read, or its lines cannot follow each other. Says the line, where there is one."""

    def __init__(self, text: str, line: int = 0) -> None:
        self.line = line
        super().__init__(f"line {line}: {text}" if line else text)


@dataclass
class Lines:
    """The lines of a record file."""

    entries: list[Entry] = field(default_factory=list)
    finished: bool = False
    """Whether the last line is there."""
    digest: str = ""
    """SHA-256 of all lines but the last, if it is there."""
    torn: int = 0
    """Bytes after the last whole line."""


def read_lines(path: Path) -> Lines:
    """All whole lines of a record. Raises `RecordError` if it is none."""
    try:
        if path.stat().st_size > MAX_RECORD:
            raise RecordError(f"{path} is larger than any record ({MAX_RECORD >> 20} MiB)")
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from None
    lines = Lines()
    whole, _, rest = data.rpartition(b"\n")
    lines.torn = len(rest)
    at = 0
    for number, line in enumerate(whole.split(b"\n") if whole else [], 1):
        lines.entries.append(parse_line(line, number))
        if "end" in lines.entries[-1]:
            lines.finished = True
            lines.digest = sha256(data[:at]).hexdigest()
            if at + len(line) + 1 < len(data):
                raise RecordError("there is more after the end of the match", number + 1)
        at += len(line) + 1
    if not lines.entries:
        raise RecordError(f"{path} is no record: it has no whole line")
    return lines


def parse_line(line: bytes, number: int) -> Entry:
    """One line of a record. Raises `RecordError`."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError("no JSON, so this is no record of a match", number) from None
    if type(entry) is not dict:
        raise RecordError("no JSON object, so this is no record of a match", number)
    return entry


class Replay:
    """A match played again from the entries of its record."""

    def __init__(self) -> None:
        self.head: Entry = {}
        self.game: Game[Any]
        self.state: Any = None
        self.end: Entry | None = None
        self.dealt: list[list[int]] = []
        """The cards of all deals so far."""

    def __repr__(self) -> str:
        return f"<Replay of {self.head.get('game', 'nothing yet')}, deal {len(self.dealt)}>"

    @property
    def names(self) -> list[str]:
        """What the bots are called, by seat."""
        return [str(name) for name in self.head["seats"]]

    def feed(self, entry: Entry) -> list[Event]:
        """Take the next entry; what happened with it. Raises `RecordError` if it cannot come here."""
        try:
            return self._feed(entry)
        except (RulesError, OptionError) as error:
            raise RecordError(str(error)) from None
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise RecordError(f"not as a line of a record should be ({type(error).__name__}: {error})") from None

    def _feed(self, entry: Entry) -> list[Event]:
        if not self.head:
            return self._begin(entry)
        if self.end is not None:
            raise RecordError("there is more after the end of the match")
        if "deal" in entry:
            cards = _ints(entry["deal"])
            if not isinstance(self.state.pending, Shuffle):
                raise RecordError("cards are dealt in the middle of a deal")
            events = self.game.advance_deal(self.state, cards)
            self.dealt.append(cards)
            hands = [list(self.game.hand(self.state, seat)) for seat in range(self.game.seats)]
            return [{**event, "hands": hands} for event in events]
        if "answers" in entry:
            return self._answers(entry)
        if "fault" in entry:
            return [{"type": "fault", **entry["fault"]}]
        if "stderr" in entry:
            return [{"type": "stderr", **entry["stderr"]}]
        if "end" in entry:
            self.end = entry["end"]
            return [{"type": "match_over", **{key: self.end[key] for key in ("scores", "ranks", "void")}}]
        raise RecordError(f"unknown kind of line: {', '.join(map(str, entry))[:80]}")

    def _begin(self, entry: Entry) -> list[Event]:
        if entry.get("bullring") != FORMAT:
            raise RecordError(
                f'the first line of a record says "bullring":{FORMAT}; this is none, or of another version'
            )
        seats = len(entry["seats"])
        self.game = find(entry["game"])(seats, entry["options"], entry["start"])
        self.state = self.game.new()
        self.head = entry
        return [{"type": "match", **entry}]

    def _answers(self, entry: Entry) -> list[Event]:
        pending = self.state.pending
        if not isinstance(pending, Batch):
            raise RecordError("there are answers where no decision is open")
        answers = [tuple(_ints(a)) if isinstance(a, list) else a for a in entry["answers"]]
        if any(isinstance(answer, bool | float) for answer in answers):
            raise RecordError("an answer is no option")
        us = _ints(entry["us"])
        by = entry.get("by") or ["bot"] * len(answers)
        if not len(us) == len(by) == len(pending.seats):
            raise RecordError(f"{len(pending.seats)} answers with their times are wanted")
        deal, turn, kind = self.state.deal, self.state.turn, pending.kind
        said: Event = {"type": "answers", "deal": deal, "turn": turn, "kind": kind, "seats": list(pending.seats)}
        said |= {"answers": answers, "us": us, "by": by}
        events = self.game.advance(self.state, answers)
        if "check" in entry and crc32(_PACK.items(events)) != entry["check"]:
            raise RecordError(
                f"deal {deal}, turn {turn}: what follows from the recorded answers is not what the record was made from"
            )
        return [said, *events]


def _ints(values: Iterable[Any]) -> list[int]:
    result = list(values)
    if any(type(value) is not int for value in result):
        raise RecordError("a number is wanted")
    return result


def happenings(lines: Lines) -> Iterator[tuple[int, Event]]:
    """All that happened in a recorded match, with the number of its line. Raises `RecordError`."""
    replay = Replay()
    for number, entry in enumerate(lines.entries, 1):
        try:
            events = replay.feed(entry)
        except RecordError as error:
            raise error if error.line else RecordError(str(error), number) from None
        for event in events:
            yield number, event


@dataclass
class Verdict:
    """What came of verifying a record."""

    difference: str | None
    """The first thing that does not follow, or None."""
    finished: bool
    deals: int
    answers: int
    torn: int


def verify(lines: Lines) -> Verdict:
    """Play a record again and compare: deals with the seed, placements and scores with the answers, seed with commitment."""
    replay = Replay()
    answers = 0
    difference: str | None = None
    for number, entry in enumerate(lines.entries, 1):
        try:
            replay.feed(entry)
        except RecordError as error:
            difference = f"line {number}: {error}"
            break
        answers += len(entry.get("answers", ()))
    if difference is None and replay.end is not None:
        difference = _compare_end(replay, replay.end, lines.digest)
    return Verdict(difference, lines.finished, len(replay.dealt), answers, lines.torn)


def _compare_end(replay: Replay, end: Mapping[str, Any], digest: str) -> str | None:
    try:
        seed = Seed(str(end["seed"]), str(end["nonce"]))
        void, scores, ranks, sealed = end["void"], end["scores"], end["ranks"], end["sha256"]
    except KeyError as error:
        return f"the end lacks {error}"
    if seed.commitment != replay.head.get("commitment"):
        return "seed and nonce are not those the commitment was made from"
    game = replay.game
    state = game.new()
    for number, cards in enumerate(replay.dealt, 1):
        shuffle = state.pending
        assert isinstance(shuffle, Shuffle)
        expected = shuffled(shuffle.deck, shuffle.cards, seed.seed, number)
        if cards != expected:
            at = next(i for i, (a, b) in enumerate(zip(cards, expected, strict=True)) if a != b)
            return f"deal {number}: card {at + 1} is {cards[at]}, but the seed gives {expected[at]}"
    if list(replay.state.scores) != scores:
        return f"the scores are {list(replay.state.scores)}, but the record says {scores}"
    if void is None:
        if replay.state.pending is not None:
            return "the match ends before it is over"
        if len(ranks) != game.seats:
            return f"there are {len(ranks)} ranks for {game.seats} seats"
    if sealed != digest:
        return "the lines before the end are not those it was sealed with (a name, a time or a fault was changed)"
    return None

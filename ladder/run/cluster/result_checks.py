"""Checks of the results that a node sends: against the orders, and against what follows from its records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from bullring.arena.cells.processes.frames import Frames
from bullring.arena.cells.sandbox.promises import NAMES
from bullring.arena.games.rules.registry import find
from bullring.arena.match.faults import STRIKES
from bullring.arena.match.records.ends import sealed
from bullring.arena.match.records.reader import MAX_RECORD, Entry, Lines, kind_of, parse_line
from bullring.arena.match.records.signatures import Signer
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import NO_CLOCK, Limits
from bullring.errors import BullringError, RecordError
from bullring.installation import VERSION
from bullring.ladder.run.workers.messages import (
    MOST_TRIES,
    Block,
    Match,
    Outcome,
    Play,
    Played,
    Seat,
    Setup,
    Spoiled,
    answer_bytes,
    answer_of,
)
from bullring.ladder.store.dictionary import NO_DICTIONARY, Dictionary
from bullring.ladder.store.packed_row import packed
from bullring.ladder.store.packet import head_of, pack, unpack
from bullring.ladder.store.results import read_result
from bullring.ladder.store.rows import Format, ListRow

LONGEST_START_US = 86_400_000_000
"""Microseconds that a bot may have taken to start: a day."""

LONGEST_TEXT = 64
"""Most characters of the name and of the version that a bot gives itself (SPEC.md)."""

FREE = frozenset({"bullring", "programs", "began", "freeze", "clock", "lacks"})
"""Keys of the first line of a record that only a node knows."""


@dataclass(frozen=True)
class Terms:
    """The terms that all records of a node must meet."""

    list: ListRow
    format: Format
    limits: Limits
    tier: str
    node: Mapping[str, Any]
    """The note on the node."""
    key: str = ""
    """The private key that signs records that fit, in PEM; empty: they are not signed."""
    dictionary: bytes = b""
    """The dictionary that records are compressed with."""

    @classmethod
    def of(cls, setup: Setup) -> "Terms":
        """The terms of referee processes with this setup, on a node that their notes name."""
        return cls(
            *(setup.list, setup.format, setup.limits, setup.wish.tier, setup.notes["node"]),
            key=setup.key,
            dictionary=setup.dictionary,
        )

    @cached_property
    def head(self) -> Mapping[str, Any]:
        """Keys and values of the first lines of all records."""
        game = find(self.list.game)(self.list.seats, self.list.options)
        return {
            "game": game.id,
            "options": game.options,
            "start": game.start,
            "limits": self.limits.of_bots(),
            "tick_us": self.limits.tick_us or None,
            "strikes": STRIKES,
            "version": VERSION,
            "sandbox": self.tier,
            "node": self.node,
        }


def checked(orders: Sequence[Play], body: bytes, terms: Terms) -> bytes:
    """The block with the answers to these orders as it is to be stored. Raises `RecordError` if something does not fit.

    What this machine cannot do (`MemoryError`, `OSError`) is raised as it is.
    """
    try:
        block = answer_of(next(Frames().feed(body)))
        assert isinstance(block, Block)
        return answer_bytes(_checked({order.id: order for order in orders}, block, terms))
    except (RecordError, MemoryError, OSError):  # the last two are this machine's fault, and no lie of a node
        raise
    except BullringError as error:
        raise RecordError(str(error)) from None
    except Exception as error:  # whatever a program raises that reads what is not what it should be
        raise RecordError(f"not the results of such matches: {error!r:.80}") from None


def _checked(orders: Mapping[int, Play], block: Block, terms: Terms) -> Block:
    dictionary = Dictionary(terms.dictionary)
    texts = _unpacked(block, dictionary)
    ids = [outcome.id for played in block.played for outcome in played.matches]
    if list(texts) != ids or {played.id for played in block.played} != orders.keys():
        raise RecordError("its records are not those of the matches that were ordered")
    played = [_played(orders[one.id], one, texts, terms) for one in block.played]
    # A record that was signed here is not the one that came.
    return Block(played, [pack(id, texts[id], dictionary, check=False) for id in ids] if terms.key else block.records)


def _unpacked(block: Block, dictionary: Dictionary) -> dict[int, bytes]:
    """The records of a block, by match. Raises `RecordError`, also if they are longer together than any record may be."""
    dictionaries = {0: NO_DICTIONARY, dictionary.id: dictionary}
    texts: dict[int, bytes] = {}
    room = MAX_RECORD
    for record in block.records:
        text = unpack(record, lambda id: dictionaries[id], room)
        room -= len(text)
        head = head_of(record)
        assert head is not None
        if head.match in texts:
            raise RecordError(f"there are two records of match {head.match}")
        texts[head.match] = text
    return texts


def _played(order: Play, played: Played, texts: dict[int, bytes], terms: Terms) -> Played:
    """The outcomes of an order. The records of `texts` are signed. Raises `RecordError`."""
    outcomes, ids = played.matches, order.ids
    if not outcomes or [outcome.id for outcome in outcomes] != ids[: len(outcomes)]:
        raise RecordError(f"expected the matches {ids}, got {[outcome.id for outcome in outcomes]}")
    matches = order.matches[: len(outcomes)]
    lines = [Lines(texts[match.id]) for match in matches]
    order = _tried(order, next(lines[0].each())["ladder"])
    ends: list[Entry] = [parse_line(each.last, 0)["end"] for each in lines]
    voids = [end["void"] is not None for end in ends]
    if any(voids[:-1]) or (len(matches) < len(ids) and not voids[-1]):
        raise RecordError("a group ends with its first void match, and with no other")
    own = [
        _outcome(order, match, each, end, outcome, terms, counted=not any(voids))
        for match, each, end, outcome in zip(matches, lines, ends, outcomes, strict=True)
    ]
    if terms.key:
        for at, match in enumerate(matches):
            texts[match.id], seal = _signed(lines[at], ends[at], terms.key)
            own[at] = own[at]._replace(row=own[at].row._replace(seal=bytes.fromhex(seal)))
    return Played(order.id, own, order.spoiled)


def _tried(order: Play, notes: Mapping[str, Any]) -> Play:
    """The order, with the attempts at its group that were spoiled. Raises `RecordError` unless those it had are the first."""
    spoiled = [Spoiled(*each) for each in notes.get("spoiled", ())]
    before = len(order.spoiled)
    if (
        spoiled[:before] != list(order.spoiled)
        or len(spoiled) > max(before, (MOST_TRIES - 1) * (len(order.matches) > 1))
        or any((type(each.void), type(each.why)) != (bool, str) for each in spoiled)
    ):
        raise RecordError(f"attempts at a group cannot have been spoiled like this: {spoiled!r:.200}")
    return replace(order, spoiled=spoiled)


def _outcome(
    order: Play, match: Match, lines: Lines, end: Entry, told: Outcome, terms: Terms, *, counted: bool
) -> Outcome:
    """The outcome that follows from a record. Raises `RecordError` unless it is of this match, and the node told the same."""
    names = {bot.name: id for bot, id in zip(match.bots, match.ids, strict=True)}
    row, _ = read_result(lines, match.id, names, lambda *_: terms.list.id)
    _hold(order, match, lines, end, terms)
    own = packed(replace(row, counted=counted))
    if own != told.row:
        raise RecordError(f"the result that it tells of match {match.id} is not that of its record")
    last: dict[int, dict[str, Any]] = {}
    if any(seat.faults for seat in row.seats):
        for entry in lines.entries:
            if kind_of(entry) == "fault":
                last[entry["fault"]["seat"]] = {key: value for key, value in entry["fault"].items() if key != "seat"}
    seats = [
        Seat(
            seat.bot,
            seat.heads,
            seat.rank,
            sum(seat.times.values()),
            seat.spent.wall_us,
            seat.spent.cpu_us,
            seat.spent.starts,
            _time(said.start_us),
            last.get(at),
        )
        for at, (seat, said) in enumerate(zip(row.seats, told.seats, strict=True))
    ]
    return Outcome(match.id, row.void, own, seats)


def _time(us: Any) -> int:
    """The microseconds that a bot took to start, which are in no record. Raises `RecordError`."""
    if type(us) is not int or not 0 <= us < LONGEST_START_US:
        raise RecordError(f"a bot cannot have taken {us!r:.40} us to start")
    return us


def _hold(order: Play, match: Match, lines: Lines, end: Entry, terms: Terms) -> None:
    """Raise `RecordError` unless the first line of a record says what was ordered, and the last one has the seed that was sent."""
    head = next(lines.each())
    ladder: dict[str, Any] = {"match": match.id, "format": terms.format}
    if len(order.matches) > 1:
        ladder |= {"group": order.id, "matches": len(order.matches)}
    # Each attempt has a nonce of its own, so that bots cannot tell that they get a deal again.
    seed = Seed(match.seed.seed, end["nonce"]) if order.spoiled else match.seed
    if order.spoiled:
        ladder["spoiled"] = [list(each) for each in order.spoiled]
    expected = {
        **terms.head,
        "seats": [bot.name for bot in match.bots],
        "commitment": seed.commitment,
        "ladder": ladder,
    }
    for key, value in expected.items():
        if head.get(key) != value:
            raise RecordError(f"{key} in its first line is {head.get(key)!r:.200}, not {value!r:.200}")
    if type(head["freeze"]) is not bool or head["clock"] not in (
        ("core", "wall") if terms.limits.binding else (NO_CLOCK,)
    ):
        raise RecordError(f"it is said of clocks in its first line: {head['freeze']!r:.80}, {head['clock']!r:.80}")
    if head["lacks"] != [name for name in NAMES if name in head["lacks"]]:
        raise RecordError(f"no sandbox lacks such promises: {head['lacks']!r:.80}")
    for program in head["programs"]:
        if program is not None and not _is_program(program):
            raise RecordError(f"no bot calls itself {program!r:.80}")
    if unknown := head.keys() - expected.keys() - FREE - {"contents"}:
        raise RecordError(f"its first line has {min(unknown)!r:.80}, and should not")
    for bot, contents in zip(match.bots, head["contents"], strict=True):
        # What a build makes may differ from one machine to another.
        if {**bot.contents.facts(), "built": "", "image": ""} != {**contents, "built": "", "image": ""}:
            raise RecordError(f"{bot.name} played with the files {contents!r:.200}, not {bot.contents.facts()!r:.200}")
    if (end["seed"], end["nonce"]) != (seed.seed, seed.nonce):
        raise RecordError("its last line does not have the seed that was sent")


def _is_program(program: Any) -> bool:
    """Whether a bot may have said this of itself in its hello."""
    if type(program) is not dict or program.keys() != {"name", "version"}:
        return False
    return all(type(text) is str and len(text) <= LONGEST_TEXT for text in program.values())


def _signed(lines: Lines, end: Entry, key: str) -> tuple[bytes, str]:
    """The record, signed, and its seal."""
    before = lines.data[: -len(lines.last) - 1]
    bare = {name: value for name, value in end.items() if name not in ("key", "seal", "signature")}
    line, seal = sealed(bare, sha256(before), Signer.of(key.encode("ascii")))
    return before + line.encode("ascii") + b"\n", seal

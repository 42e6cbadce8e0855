"""All records of a home, each verified and read as a result, by several processes side by side. They are streamed: a home with
millions of matches takes no more memory than a small one.

`python -m bullring.ladder.store.verifier` is one of these processes: it is sent the terms and then files, and answers each with
its records. A single file is verified in the process that asks: no other need start.
"""

import gc
import json
import struct
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.frames import Ear, tell
from bullring.arena.cells.processes.inside import ends
from bullring.arena.cells.processes.kinds import VERIFIER
from bullring.arena.cells.sandbox.cores import cores
from bullring.arena.match.records.reader import lines_of
from bullring.errors import HostError, RecordError, StoreError
from bullring.ladder.store.home import Home
from bullring.ladder.store.packed_row import PackedRow, packed
from bullring.ladder.store.packet import unpack
from bullring.ladder.store.records import Piece, Records, pieces
from bullring.ladder.store.results import read_result

AHEAD = 2
"""Files that a process is given ahead."""

MOST_HELPERS = 6
"""Processes that verify. One that stores the results is busy with some eight, and all together are to stay below 300 MiB."""

MOST_WRONG = 10_000
"""Findings that are told with the reason; further ones are only counted."""


@dataclass
class Findings:
    """The findings among the records of a home."""

    records: int = 0
    """Records that are as they should be."""
    count: int = 0
    """Findings, those without a reason included."""
    wrong: list[tuple[str, str]] = field(default_factory=list)
    """The first findings: a match, or a file in the folder of records, and the reason."""

    def add(self, name: str, why: str) -> None:
        """Add a finding."""
        self.count += 1
        if len(self.wrong) < MOST_WRONG:
            self.wrong.append((name, why))


class Terms(NamedTuple):
    """Terms that records must meet."""

    folder: Path
    """The folder of the records."""
    bots: Mapping[str, int]
    """The ids of all bots, by name."""
    key: str | None
    """The public key by which all must be signed."""


class Found(NamedTuple):
    """A record, or a part of a file that is not a record."""

    match: int | None
    """The number of the match; None if this is not a record."""
    file: str
    """The name of the file in which it is."""
    where: str
    """Its bytes in words."""
    is_last: bool
    """Whether it is behind the last record of its file: it may be damaged, or not be written completely yet."""
    row: PackedRow | None = None
    """The match, as it would be stored but for its list, and for whether it counts; None if its record does not verify."""
    table: str = ""
    """The list, as `key_of` names it."""
    size: int = 0
    """The matches of its group."""
    why: str = ""
    """The reason why its record does not verify."""

    @classmethod
    def of(cls, values: Sequence[Any]) -> "Found":
        """From the values of another process."""
        found = cls(*values)
        return found if found.row is None else found._replace(row=PackedRow._make(found.row))


def key_of(game: str, options: Mapping[str, Any], seats: int) -> str:
    """A name for a list."""
    return json.dumps([game, options, seats], sort_keys=True)


def verified(home: Home, bots: Mapping[str, int], key: str | None = None) -> Iterator[Found]:
    """Verify all records of a home, in the order in which they lie there. With a public `key`, all must be signed with it.

    Raises `StoreError`, `HostError`.
    """
    terms = Terms(home.records, bots, key)
    files = home.kept.files()
    if len(files) > 1:
        return _side_by_side(files, terms, min(len(cores()), MOST_HELPERS, len(files)))
    return (found for file in files for found in look(file, home.kept, terms))


def look(file: Path, records: Records, terms: Terms) -> Iterator[Found]:
    """All of a file of records."""
    for piece in pieces(file):
        found = Found(piece.match, file.name, piece.place, piece.is_last)
        yield found if piece.match is None else _read(found, piece, records, terms)


def _read(found: Found, piece: Piece, records: Records, terms: Terms) -> Found:
    table = ""

    def list_of(game: str, options: Mapping[str, Any], seats: int) -> int:
        nonlocal table
        table = key_of(game, options, seats)
        return 0

    try:
        lines = lines_of(unpack(piece.data, records.dictionary), "its record")
        match, size = read_result(lines, piece.match or 0, terms.bots, list_of, terms.key)
        return found._replace(row=packed(match), table=table, size=size)
    except RecordError as error:
        return found._replace(why=str(error))
    except (ValueError, TypeError, OverflowError, struct.error) as error:
        return found._replace(why=f"not the record of a match on a ladder: {error!r:.80}")


def _side_by_side(files: Sequence[Path], terms: Terms, jobs: int) -> Iterator[Found]:
    with ExitStack() as stack:
        helpers = [stack.enter_context(Child(VERIFIER)) for _ in range(jobs)]
        ears = [iter(helper.ear()) for helper in helpers]
        given: deque[Iterator[list[Any]]] = deque()
        try:
            for helper in helpers:
                helper.tell("terms", str(terms.folder), terms.bots, terms.key)
            for number, file in enumerate(files):
                if len(given) == AHEAD * jobs:
                    yield from _answer(given.popleft())
                helpers[number % jobs].tell("verify", str(file))
                given.append(ears[number % jobs])
            for ear in given:
                yield from _answer(ear)
        except (StopIteration, BrokenPipeError):
            raise HostError(
                f"{VERIFIER.name} has died; if this machine has too little memory, give it more, and try again"
            ) from None


def _answer(ear: Iterator[list[Any]]) -> Iterator[Found]:
    kind, answer = next(ear)
    if kind == "failed":
        raise StoreError(answer)
    return (Found.of(values) for values in answer)


def main() -> None:
    """Verify files until stdin ends."""
    gc.freeze()
    source, sink = ends()
    messages = iter(Ear(source))
    with suppress(BrokenPipeError):
        for _, folder, bots, key in messages:
            terms = Terms(Path(folder), bots, key)
            records = Records(terms.folder)
            for _, file in messages:
                try:
                    tell(sink, "found", list(look(Path(file), records, terms)))
                except StoreError as error:
                    tell(sink, "failed", str(error))


if __name__ == "__main__":
    main()

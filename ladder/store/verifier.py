"""All records of a home, each verified and read as a result, by several processes side by side.

The processes run `ladder.store.verifier_process`. Few records are verified in this process, which is quicker than starting others.
"""

import json
import pickle
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from bullring.arena.cells.sandbox.cores import cores
from bullring.arena.match.records.reader import lines_of, read_lines
from bullring.errors import HostError, RecordError, StoreError
from bullring.ladder.store.home import Home
from bullring.ladder.store.packed_row import PackedRow, packed
from bullring.ladder.store.records import Frame
from bullring.ladder.store.results import read_result

AT_ONCE = 128
"""Records of one order, about."""

AHEAD = 4
"""Orders that a process is given ahead."""

MOST_HELPERS = 6
"""Processes that verify. One that stores the results is busy with some eight, and all together are to stay below 300 MiB."""

FEW = 1024
"""Up to so many records are verified in this process."""

PROGRAM = (sys.executable, "-P", "-m", "bullring.ladder.store.verifier_process")


class Terms(NamedTuple):
    """What records are held against."""

    bots: Mapping[str, int]
    """The ids of all bots, by name."""
    key: str | None
    """The public key by which all must be signed."""


class Found(NamedTuple):
    """What was found of a match."""

    match: int
    row: PackedRow | None
    """The match, as it would be stored but for its list, and for whether it counts; None if its record does not verify."""
    table: str
    """The list, as `key_of` names it."""
    size: int
    """The matches of its group."""
    why: str
    """Why its record does not verify."""


Place = Frame | tuple[int, Path]
"""Where records are: a frame, or the file of one match."""


def key_of(game: str, options: Mapping[str, Any], seats: int) -> str:
    """A name for a list."""
    return json.dumps([game, options, seats], sort_keys=True)


def verified(home: Home, terms: Terms) -> Iterator[Found]:
    """Verify all records of a home, in the order in which they lie there. Raises `StoreError`, `HostError`."""
    orders = _orders(chain(old_records(home), home.kept.frames()))
    first = list(islice(orders, FEW // AT_ONCE))
    if len(first) < FEW // AT_ONCE:
        return chain.from_iterable(look(order, terms) for order in first)
    return _side_by_side(chain(first, orders), terms, min(len(cores()), MOST_HELPERS))


def old_records(home: Home) -> Iterator[tuple[int, Path]]:
    """The matches with records in files of their own, as in homes of older versions, by number."""
    try:
        folders = {int(path.name): path for path in home.records.iterdir() if _is_number(path.name)}
    except OSError as error:
        raise StoreError(
            f"the records in {home.records} cannot be read: {error.strerror or error}; restore them from a backup"
        ) from None
    for _, folder in sorted(folders.items()):
        numbers = {int(path.stem): path for path in folder.glob("*.jsonl") if _is_number(path.stem)}
        yield from ((number, path) for number, path in sorted(numbers.items()) if path == home.old_record(number))


def _is_number(name: str) -> bool:
    return name.isdecimal() and len(name) < 19


def _orders(places: Iterable[Place]) -> Iterator[list[Place]]:
    order: list[Place] = []
    size = 0
    for place in places:
        order.append(place)
        size += len(place.matches) if isinstance(place, Frame) else 1
        if size >= AT_ONCE:
            yield order
            order, size = [], 0
    if order:
        yield order


def look(order: Sequence[Place], terms: Terms) -> Iterator[Found]:
    """What is in these places."""
    for place in order:
        if not isinstance(place, Frame):
            number, path = place
            yield _found(number, terms, lambda path=path: _old(path))  # type: ignore[misc]
            continue
        try:
            records = place.records()
        except RecordError as error:
            where = (
                f"{place.segment.name} is damaged between bytes {place.offset} and {place.offset + place.size}: {error}"
            )
            yield from (Found(match, None, "", 0, where) for match in place.matches)
            continue
        for number, text in records:
            yield _found(number, terms, lambda text=text: lines_of(text, "its record"))  # type: ignore[misc]


def _old(path: Path) -> Any:
    if not path.is_file():  # whoever opened a pipe would wait for somebody who writes
        raise RecordError(f"{path} is not a plain file")
    return read_lines(path)


def _found(number: int, terms: Terms, lines: Callable[[], Any]) -> Found:
    table = ""

    def list_of(game: str, options: Mapping[str, Any], seats: int) -> int:
        nonlocal table
        table = key_of(game, options, seats)
        return 0

    try:
        match, size = read_result(lines(), number, terms.bots, list_of, terms.key)
        return Found(number, packed(match), table, size, "")
    except RecordError as error:
        return Found(number, None, "", 0, str(error))
    except (ValueError, TypeError, OverflowError, struct.error) as error:
        return Found(number, None, "", 0, f"not the record of a match on a ladder: {error!r:.80}")


def _side_by_side(orders: Iterable[list[Place]], terms: Terms, jobs: int) -> Iterator[Found]:
    with ExitStack() as stack:
        helpers = [stack.enter_context(_helper(terms)) for _ in range(jobs)]
        given: deque[subprocess.Popen[bytes]] = deque()
        try:
            for number, order in enumerate(orders):
                helper = helpers[number % jobs]
                pickle.dump(order, helper.stdin)  # type: ignore[arg-type]
                helper.stdin.flush()  # type: ignore[union-attr]
                given.append(helper)
                if len(given) == AHEAD * jobs:
                    yield from pickle.load(given.popleft().stdout)  # type: ignore[arg-type]
            for helper in given:
                yield from pickle.load(helper.stdout)  # type: ignore[arg-type]
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            raise HostError(
                "a process that verified records has died; if this machine has too little memory, give it more, and try again"
            ) from None


@contextmanager
def _helper(terms: Terms) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            pickle.dump(terms, process.stdin)  # type: ignore[arg-type]
            yield process
        finally:
            process.kill()
            with suppress(BrokenPipeError):  # of what it was not sent yet
                process.stdin.close()  # type: ignore[union-attr]

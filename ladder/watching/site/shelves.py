"""The files with the records of matches, from which a page draws any of them. Many are made by several processes side by side.

`python -m bullring.ladder.watching.site.shelves` is one of these processes: it is sent the folder of a home and then shelves, and
answers each with the text of its file.
"""

import gc
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.frames import Ear, tell
from bullring.arena.cells.processes.inside import ends
from bullring.arena.cells.processes.kinds import SHELVER
from bullring.arena.cells.sandbox.cores import cores
from bullring.arena.watching.page.notation import Shelf
from bullring.arena.watching.page.page import packed
from bullring.arena.watching.picture.frames_json import written
from bullring.errors import HostError, RecordError
from bullring.ladder.store.home import Home

AHEAD = 2
"""Shelves that a process is given ahead."""

MOST_HELPERS = 6
"""Processes that make files."""

FEW = 4
"""Shelves up to which no other process is started."""


class Order(NamedTuple):
    """A file that is to be made."""

    name: str
    source: str
    """What it is made from (`Folder.put`)."""
    matches: Sequence[tuple[int, Sequence[int]]]
    """The numbers of its matches, each with its bots."""
    listed: Mapping[str, str]
    """The title of the list, by language."""


def made(home: Home, orders: Sequence[Order]) -> Iterator[tuple[Order, str]]:
    """The texts of the files. Raises `HostError`."""
    if len(orders) > FEW:
        return _side_by_side(home, orders, min(len(cores()), MOST_HELPERS))
    return ((order, _text(home, order.matches, order.listed)) for order in orders)


def _text(home: Home, matches: Sequence[tuple[int, Sequence[int]]], listed: Mapping[str, str]) -> str:
    """The text of a file; matches without a finished record are missing in it."""
    shelf = Shelf()
    for match, bots in matches:
        with suppress(RecordError):
            lines = home.lines(match)
            if lines.finished:
                shelf.add(match, lines, bots)
    return f'bullring("{packed(written(shelf.facts() | {"listed": listed}))}");\n'


def _side_by_side(home: Home, orders: Sequence[Order], jobs: int) -> Iterator[tuple[Order, str]]:
    with ExitStack() as stack:
        helpers = [stack.enter_context(Child(SHELVER)) for _ in range(jobs)]
        ears = [iter(helper.ear()) for helper in helpers]
        given: deque[tuple[Order, Iterator[list[Any]]]] = deque()
        try:
            for helper in helpers:
                helper.tell("home", str(home.path))
            for number, order in enumerate(orders):
                if len(given) == AHEAD * jobs:
                    yield _answer(*given.popleft())
                helpers[number % jobs].tell("shelf", order.matches, order.listed)
                given.append((order, ears[number % jobs]))
            for one in given:
                yield _answer(*one)
        except (StopIteration, BrokenPipeError):
            raise HostError(
                f"{SHELVER.name} has died; if this machine has too little memory, give it more, and try again"
            ) from None


def _answer(order: Order, ear: Iterator[list[Any]]) -> tuple[Order, str]:
    _, text = next(ear)
    return order, text


def main() -> None:
    """Make files until stdin ends."""
    gc.freeze()
    source, sink = ends()
    messages = iter(Ear(source))
    with suppress(BrokenPipeError):
        for _, path in messages:
            home = Home(Path(path))
            for _, matches, listed in messages:
                tell(sink, "text", _text(home, matches, listed))


if __name__ == "__main__":
    main()

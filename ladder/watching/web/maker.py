"""The maker, a program of its own: it keeps the site of a home fresh in a folder, with the facts for programs beside it.

`python -m bullring.ladder.watching.web.maker HOME SITE COUNT LOGS FOLDER ...` ends with its stdin. It says "made" when the site in
SITE is whole for the first time, with a page for each of the last COUNT matches, and what bots wrote to stderr if LOGS is 1. The
last words are those of `Replays`; in their FOLDER is what is beside the site.
"""

import os
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

from bullring.arena.cells.processes.frames import tell
from bullring.arena.cells.processes.inside import end_with_parent, ends
from bullring.arena.watching.page.page import live_page
from bullring.arena.watching.page.refusals import write_refusals
from bullring.arena.watching.page.seat import new_page, seat_page
from bullring.arena.watching.web import REFUSALS
from bullring.arena.watching.web.replays import Replays
from bullring.errors import LadderError
from bullring.ladder.run.progress import running
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store
from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.site import Report
from bullring.ladder.watching.web.facts import facts, write
from bullring.ladder.watching.web.news import choose

EVERY = 2.0
"""Fewest seconds between two updates."""

SHARE = 0.0075
"""The largest part of the processor time of this machine that is spent on writing."""

NICE = 10
"""A ladder on the same machine comes first."""


def _spent() -> float:
    """Seconds of processor time of this process and those that it has started."""
    return sum(os.times()[:4])


def _first(home: Home, store: Store) -> int | None:
    """The list at the head of the front, which is that of its news."""
    with suppress(LadderError):
        return choose(store, running(home)).id
    return None


def main() -> None:
    """Keep the site fresh until nobody needs it."""
    source, sink = ends()
    end_with_parent(source)
    os.nice(NICE)
    home, site, count, logs = Home(Path(sys.argv[1])), Path(sys.argv[2]), int(sys.argv[3]), bool(int(sys.argv[4]))
    replays = Replays.of(*sys.argv[5:])
    more = replays.folder
    for name, page in (("live", live_page(home.name)), ("sit", seat_page(home.name)), ("new", new_page(home.name))):
        (more / f"{name}.html").write_text(page, "utf-8")
    write_refusals(more / REFUSALS)
    report = Report(
        home, Folder(site), count, logs=logs, live=True, address=replays.address or None, offered=bool(replays.offered)
    )
    first = True
    with closing(home.store(read_only=True)) as store:
        while True:
            before = _spent()
            report.make(store, _first(home, store))
            for name, value in facts(home, store):
                write(more, name, value)
            if first:
                tell(sink, "made")
                first = False
            time.sleep(max(EVERY, (_spent() - before) / (SHARE * len(os.sched_getaffinity(0)))))


if __name__ == "__main__":
    main()

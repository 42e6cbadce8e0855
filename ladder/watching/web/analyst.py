"""An analysis that a reader of a server asked for, a program of its own, which speaks with nobody outside.

`python -m bullring.ladder.watching.web.analyst HOME FOLDER KEY SECONDS` tells `arena.watching.web.analyses` how far it is and, at
the end, what pages show of it. `KEY` is the number of a match of the home, or that of a table with people, whose record a link in
FOLDER leads to. The kernel ends it after SECONDS of a processor. An analysis that the home has is not made again.
"""

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

from bullring.arena.cells.processes.frames import tell
from bullring.arena.cells.processes.inside import end_with_parent, ends
from bullring.arena.match.records.reader import Lines, read_lines
from bullring.arena.study.analysis.kept import kept
from bullring.arena.study.analysis.process import made
from bullring.arena.watching.page.page import facts_of
from bullring.arena.watching.web.replays import Replays
from bullring.errors import RecordError
from bullring.ladder.store.home import Home
from bullring.ladder.watching.web.pages import analysis_of

NICE = 15
"""Whatever else the machine does comes first, the pages of a server among it."""

GRACE = 5
"""Seconds of a processor for a process that does not end when its time is over."""


def main() -> None:
    """Make the analysis."""
    source, sink = ends()
    end_with_parent(source)
    os.nice(NICE)
    home, replays, key, seconds = Home(Path(sys.argv[1])), Replays(Path(sys.argv[2])), sys.argv[3], int(sys.argv[4])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(
        resource.RLIMIT_CPU, (seconds, seconds + GRACE)
    )  # at the first the kernel says why, at the second it kills
    known = {"done": 0, "decisions": 0}

    def told(**facts: Any) -> None:
        known.update((name, facts[name]) for name in known if name in facts)
        tell(sink, "running", known["done"], known["decisions"])

    try:
        lines, place = _record(home, replays, key), analysis_of(home, replays, key)
        analysis = kept(place, lines.seal or "")
        if analysis is None:
            analysis, unkept = made(lines, place, told)
            if unkept:
                sys.stderr.write(f"{unkept}\n")
        tell(sink, "done", json.dumps(facts_of(lines, analysis)["analysis"]))
    except RecordError:
        tell(sink, "failed", "record")


def _record(home: Home, replays: Replays, key: str) -> Lines:
    """The record of a match. Raises `RecordError`."""
    return home.lines(int(key)) if key.isdecimal() else read_lines(replays.record(key).resolve())


if __name__ == "__main__":
    main()

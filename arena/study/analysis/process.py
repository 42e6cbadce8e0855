"""An analysis in a process of its own, so that a screen stays quick, and the analysis can be broken off at any moment.

The program tells facts: first `decisions`, with a hint or None as `slow`, then `done` now and then, and last either `analysis`,
with the reason why it could not be kept or None as `unkept`, or `error`.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.frames import tell
from bullring.arena.cells.processes.inside import end_with_parent, ends
from bullring.arena.cells.processes.kinds import ANALYSIS
from bullring.arena.study.analysis.result import Analysis, Method
from bullring.errors import BullringError, WriteError

if TYPE_CHECKING:
    from bullring.arena.match.records.reader import Lines

EVERY = 0.1
"""Least seconds between two messages that tell how far it is."""

SLOW = "slower without the compiler; to be faster: pip install 'bullring[fast]'"


class Apart:
    """An analysis that is being made in another process. Ask it with `read`, which does not wait."""

    def __init__(self, record: Path, place: Path) -> None:
        """Begin to analyse a finished record; the analysis is kept in the file `place`. Raises `OSError`."""
        self.done = 0
        self.decisions = 0
        """Decisions in all; 0 until that is known."""
        self.slow: str | None = None
        """A hint how to make it faster."""
        self.analysis: Analysis | None = None
        self.unkept: str | None = None
        """The reason why the analysis could not be kept."""
        self.error: str | None = None
        """The reason why there is no analysis."""
        self._child = Child(ANALYSIS, str(record.absolute()), str(place.absolute()))
        self._ear = self._child.ear()

    @property
    def over(self) -> bool:
        """Whether it has an outcome: an analysis or an error."""
        return self.analysis is not None or self.error is not None

    def read(self) -> bool:
        """Take the facts told since. Returns whether there were any."""
        told = False
        for _, facts in self._ear.now():
            told = True
            self._take(facts)
        if self._ear.closed and not self.over:
            told = True
            self.error = f"{ANALYSIS.name} {self._child.wait()}"
        if self.over:
            self.close()
        return told

    def close(self) -> None:
        """End the process."""
        self._child.end()

    def _take(self, facts: dict[str, Any]) -> None:
        self.done = facts.get("done", self.done)
        self.decisions = facts.get("decisions", self.decisions)
        self.slow = facts.get("slow", self.slow)
        self.error = facts.get("error", self.error)
        if "analysis" in facts:
            self.analysis = Analysis.model_validate(facts["analysis"])
            self.unkept = facts["unkept"]


def made(lines: "Lines", place: Path, tell: Callable[..., None]) -> tuple[Analysis, str | None]:
    """Make the analysis of a record, and keep it in the file `place`. Returns it, and the reason why it could not be kept.

    `tell` is called with the facts that the program tells until then. Raises `RecordError`.
    """
    from bullring.arena.games.playouts.simulated import covered, used
    from bullring.arena.games.rules.registry import find
    from bullring.arena.study.analysis.analyser import analyse  # numpy takes time to import
    from bullring.arena.study.analysis.kept import keep

    head, *rest = lines.entries
    game = find(str(head.get("game")))
    slow = SLOW if covered(game) and not used(game) else None
    tell(decisions=sum(len(entry.get("answers", ())) for entry in rest), slow=slow)
    latest = 0.0

    def progress(done: int) -> None:
        nonlocal latest
        if time.monotonic() - latest >= EVERY:
            latest = time.monotonic()
            tell(done=done)

    analysis = analyse(lines, Method(), progress)
    try:
        keep(place, analysis)
    except WriteError as error:
        return analysis, str(error)
    return analysis, None


def _analyse(record: Path, place: Path, tell: Callable[..., None]) -> None:
    from bullring.arena.match.records.reader import read_lines

    analysis, unkept = made(read_lines(record), place, tell)
    tell(analysis=analysis.model_dump(mode="json"), unkept=unkept)


def main() -> None:
    """Run `python -m bullring.arena.study.analysis.process RECORD PLACE`."""
    os.nice(5)  # a screen beside it comes first
    source, sink = ends()
    end_with_parent(source)

    def told(**facts: Any) -> None:
        tell(sink, "facts", facts)

    record, place = map(Path, sys.argv[1:])
    try:
        _analyse(record, place, told)
    except BullringError as error:
        told(error=str(error))


if __name__ == "__main__":
    main()

"""Analysing in a process of its own, so that a screen stays quick, and the analysis can be broken off at any moment.

The program writes one JSON object a line: first {"decisions": n, "slow": hint or null}, then {"done": k} now and then, and last
either {"analysis": facts, "unkept": why it could not be written, or null} or {"error": text}. It ends when its stdin is closed.
"""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from bullring.arena.cells.text.lines import LineBuffer
from bullring.arena.study.analysis.result import Analysis, Method
from bullring.errors import BullringError, WriteError

PROGRAM = (sys.executable, "-P", "-m", "bullring.arena.study.analysis.process")
"""The command. With -P, Python imports nothing from the working folder, which may hold anything."""

EVERY = 0.1
"""Least seconds between two lines that tell how far it is."""

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
        """Why the analysis could not be kept."""
        self.error: str | None = None
        """Why there is no analysis."""
        self._buffer = LineBuffer()
        self._process = subprocess.Popen(
            [*PROGRAM, str(record.absolute()), str(place.absolute())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the screen
        )
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)

    @property
    def over(self) -> bool:
        """Whether it has an outcome: an analysis or an error."""
        return self.analysis is not None or self.error is not None

    def read(self) -> bool:
        """Take what it has told since. Returns whether that was anything."""
        assert self._process.stdout is not None
        told = False
        while not self.over:
            try:
                data = os.read(self._process.stdout.fileno(), 1 << 20)
            except BlockingIOError:
                return told
            told = True
            if not data:
                self.error = f"the analysis ended early, with status {self._process.wait()}"
            for line in self._buffer.feed(data):
                self._take(json.loads(line))
        self.close()
        return told

    def close(self) -> None:
        """End it, and forget what it was about."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _take(self, facts: dict[str, Any]) -> None:
        self.done = facts.get("done", self.done)
        self.decisions = facts.get("decisions", self.decisions)
        self.slow = facts.get("slow", self.slow)
        self.error = facts.get("error", self.error)
        if "analysis" in facts:
            self.analysis = Analysis.model_validate(facts["analysis"])
            self.unkept = facts["unkept"]


def _tell(**facts: Any) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def _analyse(record: Path, place: Path) -> None:
    from bullring.arena.games.playouts.simulated import covered, used
    from bullring.arena.games.rules.registry import find
    from bullring.arena.match.records.reader import read_lines
    from bullring.arena.study.analysis.analyser import analyse  # numpy takes time to import
    from bullring.arena.study.analysis.kept import keep

    lines = read_lines(record)
    head, *rest = lines.entries
    game = find(str(head.get("game")))
    slow = SLOW if covered(game) and not used(game) else None
    _tell(decisions=sum(len(entry.get("answers", ())) for entry in rest), slow=slow)
    latest = 0.0

    def tell(done: int) -> None:
        nonlocal latest
        if time.monotonic() - latest >= EVERY:
            latest = time.monotonic()
            _tell(done=done)

    analysis = analyse(lines, Method(), tell)
    unkept = None
    try:
        keep(place, analysis)
    except WriteError as error:
        unkept = str(error)
    _tell(analysis=analysis.model_dump(mode="json"), unkept=unkept)


def _end_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 1 << 10):  # no buffer, whose lock would be held when the program ends
        pass
    os._exit(1)


def main() -> None:
    """Run `python -m bullring.arena.study.analysis.process RECORD PLACE`."""
    os.nice(5)  # a screen beside it comes first
    threading.Thread(target=_end_with_parent, daemon=True).start()
    record, place = map(Path, sys.argv[1:])
    try:
        _analyse(record, place)
    except BullringError as error:
        _tell(error=str(error))


if __name__ == "__main__":
    main()

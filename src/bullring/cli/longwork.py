"""A bar on stderr for work that takes longer than a moment, if that is a terminal."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bullring.ladder.store.progress import Tell, nobody

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

MOMENT = 2.0
"""Seconds of work without a bar."""

_EVERY = 0.2
"""Seconds between two states that are shown."""


@contextmanager
def long_work(*, hidden: bool = False) -> Iterator[Tell]:
    """What tells a terminal how far work has come; the bar is gone in the end. Nobody is told if it is `hidden`."""
    if hidden or not sys.stderr.isatty():
        yield nobody
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.stop()


class _Bar:
    def __init__(self) -> None:
        self._next = time.monotonic() + MOMENT
        self._what = ""
        self._shown: tuple[Progress, TaskID] | None = None

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next and (self._shown is None or what == self._what):
            return
        self._next = now + _EVERY
        if what != self._what:  # its pace says nothing of how long this will take
            self.stop()
        if self._shown is None:
            self._shown, self._what = _begun(what, done, total), what
        progress, task = self._shown
        progress.update(task, completed=done, total=max(done, total), refresh=True)

    def stop(self) -> None:
        """Wipe it."""
        if self._shown is not None:
            self._shown[0].stop()
            self._shown = None


def _begun(what: str, done: int, total: int) -> "tuple[Progress, TaskID]":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (MofNCompleteColumn(), TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    progress = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
    progress.start()
    return progress, progress.add_task(what, total=total, completed=done)

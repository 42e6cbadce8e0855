"""Progress on stderr: a bar for long work if that is a terminal, and the builds of bots."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from bullring.arena.cells.text.harmless import harmless
from bullring.ladder.store.progress import Tell, nobody

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from bullring.errors import BuildFailure

MOMENT = 2.0
"""Seconds of work without a bar."""

_EVERY = 0.2
"""Seconds between two states that are shown."""

_LINES = 30
"""Lines of the end of a log that are shown."""


def tell_of_build(text: str) -> None:
    """Say that a build begins."""
    click.echo(harmless(text, 200), err=True)


def show_end_of_log(failure: "BuildFailure") -> None:
    """Show how the log of a failed build ends."""
    for line in failure.log.splitlines()[-_LINES:]:
        click.echo(f"| {harmless(line, 500)}", err=True)
    if failure.log_path:
        click.echo(f"| (all of it: {harmless(failure.log_path)})", err=True)


@contextmanager
def long_work(*, hidden: bool = False) -> Iterator[Tell]:
    """Show on a terminal how far work has come, and wipe the bar in the end. If it is `hidden`, show nothing."""
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
        if what != self._what:  # its pace does not tell how long this will take
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

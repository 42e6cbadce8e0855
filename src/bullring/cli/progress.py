"""The line about what a command does just now (`doing`): whoever waits for half a second is told, and after five, how far it is.

On a terminal it is one live line below everything else, which is wiped in the end. In a pipe or a file it is a plain line, said
once and then ever more rarely. It is on stderr, so stdout holds what was asked for and nothing else.

A thread draws it, so that it lives while the command computes: a few writes a second, too few to be felt by a clock that runs here.
"""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import inf
from threading import Condition, RLock, Thread
from typing import TYPE_CHECKING, Any, TextIO

import click

from bullring.arena.cells.text.doing import Work, doing, shown_on
from bullring.arena.cells.text.harmless import harmless

if TYPE_CHECKING:
    from bullring.errors import BuildFailure
    from bullring.ladder.store.progress import Tell

VARIABLE = "BULLRING_PROGRESS"
"""With "never" in it, nothing is told of work: for scripts whose stderr goes to people."""

SOON = 0.5
"""Seconds of silence until work is told."""

LONG = 5.0
"""Seconds of it until it is told how far it is."""

RARELY = 60.0
"""Most seconds between two plain lines about the same work. Before, each comes after twice the time."""

TICK = 0.2
"""Seconds between two looks."""

GAP = 0.3
"""Seconds between two works that belong together: a waiting person does not see where one ended and the next began."""

DEEP = 3
"""Works within each other that are named."""

_BAR = 10
"""Characters of a bar."""

_LINES = 30
"""Lines of the end of a log that are shown."""

WIPE = "\r\x1b[2K"


def show_end_of_log(failure: "BuildFailure") -> None:
    """Show how the log of a failed build ends."""
    for line in failure.log.splitlines()[-_LINES:]:
        click.echo(f"| {harmless(line, 500)}", err=True)
    if failure.log_path:
        click.echo(f"| (all of it: {harmless(failure.log_path)})", err=True)


@contextmanager
def long_work(what: str) -> Iterator["Tell"]:
    """Show long work on a home, as it tells of itself."""
    with doing(what) as work:

        def tell(what: str, done: int, total: int) -> None:
            work.detail, work.done, work.total = what, done, total

        yield tell


@contextmanager
def telling() -> Iterator[None]:
    """Show all work of a command on its stderr, unless the user wants to hear of none."""
    if os.environ.get(VARIABLE) == "never":
        yield
        return
    line = Line()
    try:
        with shown_on(line):
            yield
    finally:
        line.close()


class Line:
    """The line. `tick` draws it, in a thread that begins with the first work."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, alive: bool = True) -> None:
        self._clock = clock
        self._alive = alive
        """Whether a thread ticks; otherwise a test does."""
        self._works: list[_Begun] = []
        self._since = self._idle = -inf
        """The moment from which on somebody waits, and that at which the last work ended."""
        self._changed = Condition(RLock())
        self._out: TextIO | None = None
        """The stderr on which it is; None before the first work, and after the end."""
        self._live = False
        """Whether that is a terminal."""
        self._before: list[tuple[str, Any]] = []
        """The streams in whose place `_Beside` is."""
        self._shown = ""
        """What is on the terminal now."""
        self.within = False
        """Whether the cursor is within a line of something else: then nothing is drawn."""

    def begin(self, work: Work) -> None:
        """Take in work that has begun."""
        with self._changed:
            now = self._clock()
            if not self._works and now - self._idle > GAP:
                self._since = now
            self._works.append(_Begun(work, now))
            if self._out is None:
                self._open()
            self._changed.notify()

    def end(self, work: Work) -> None:
        """Forget work that has ended."""
        with self._changed:
            self._works = [begun for begun in self._works if begun.work is not work]
            if not self._works:
                self._idle = self._clock()

    def _open(self) -> None:
        from bullring.arena.watching.screens.terminal import draws

        self._out = sys.stderr
        if self._out is None:  # it was closed before we began
            return
        self._live = self._out.isatty() and draws()
        if self._live:
            for name in ("stdout", "stderr"):
                stream = getattr(sys, name)
                if stream.isatty():
                    self._before.append((name, stream))
                    setattr(sys, name, _Beside(stream, self))
        if self._alive:
            Thread(target=self._run, name="the line of progress", daemon=True).start()

    def close(self) -> None:
        """Wipe it for good."""
        with self._changed:
            self.wipe()
            self._works, self._out = [], None
            for name, stream in self._before:
                setattr(sys, name, stream)
            self._before = []
            self._changed.notify()

    def wipe(self) -> None:
        """Wipe it; the next tick draws it anew."""
        if self._shown:
            self._shown = ""
            self._write(WIPE)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Make room for something else on the terminal."""
        with self._changed:
            self.wipe()
            yield

    def _run(self) -> None:
        with self._changed:
            while self._out is not None:
                self.tick()
                self._changed.wait(TICK if self._works or self._shown else None)

    def tick(self) -> None:
        """Show what there is to be shown at this moment."""
        with self._changed:
            now = self._clock()
            if self._live:
                self._draw(now)
            elif self._works and self._works[0].due(now):
                self._write(f"{self._plain(now)}\n")

    def _plain(self, now: float) -> str:
        age = self._works[0].age(now)
        if age < LONG:
            return f"{_what(self._works)} ..."
        return f"{_what(self._works)}{_how_far(self._works, now, bar=False)}  {lasting(age)}"

    def _draw(self, now: float) -> None:
        if not self._works:
            if now - self._idle > GAP:
                self.wipe()
        elif now - self._since >= SOON and not self.within:
            waited = now - self._since
            far = _how_far(self._works, now, bar=waited >= LONG)
            text = _cut(_what(self._works), f"{far}  {lasting(waited)}")
            if text != self._shown:
                self._write(WIPE + text)
                self._shown = text

    def _write(self, text: str) -> None:
        if self._out is not None:
            with suppress(OSError, ValueError):  # the terminal is gone, or the file closed
                self._out.write(text)
                self._out.flush()


@dataclass
class _Begun:
    """Work, and what was told of it in plain lines."""

    work: Work
    at: float
    wait: float = SOON
    """Seconds from its beginning to the next line."""

    def age(self, now: float) -> float:
        """Seconds for which it has been done."""
        return now - self.at

    def due(self, now: float) -> bool:
        """Whether another plain line is due; then the next one is due later."""
        if self.age(now) < self.wait:
            return False
        while self.wait <= self.age(now):
            self.wait = max(LONG, min(2 * self.wait, self.wait + RARELY))
        return True


def _what(works: Sequence[_Begun]) -> str:
    """What is done, and within it, what just now."""
    shown = works if len(works) <= DEEP else [works[0], *works[1 - DEEP :]]
    return ": ".join(harmless(begun.work.what, 60) for begun in shown)


def _how_far(works: Sequence[_Begun], now: float, *, bar: bool) -> str:
    """How much of it is done, and at what it is."""
    parts = []
    counted = next((begun for begun in reversed(works) if begun.work.total), None)
    if counted is not None:
        done, total = counted.work.done, max(counted.work.done, counted.work.total)
        parts.append(f"{_bar(done / total)} {done} of {total}" if bar else f"{done} of {total}")
        if counted.age(now) >= LONG and 0 < done < total:
            parts[0] += f", about {lasting(counted.age(now) / done * (total - done))} left"
    inner = works[-1].work
    detail = inner.detail if inner.look is None else inner.look()
    return "".join(f"  {part}" for part in (*parts, harmless(detail, 100)) if part)


def _bar(share: float) -> str:
    full = round(_BAR * share)
    return f"[{'=' * full}{' ' * (_BAR - full)}]"


def lasting(seconds: float) -> str:
    """A time in words: "12 s", "3 min", "2 h"."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _cut(text: str, end: str) -> str:
    """A text and its end, together no wider than the terminal; the text leaves room for the end."""
    from rich.cells import cell_len, set_cell_size  # only where there is something to wait for

    width = shutil.get_terminal_size().columns - 1
    room = max(width // 3, width - cell_len(end))
    whole = (text if cell_len(text) <= room else set_cell_size(text, room)) + end
    return whole if cell_len(whole) <= width else set_cell_size(whole, width)


class _Beside:
    """A stream of the same terminal: what is written to it makes room for itself."""

    def __init__(self, stream: TextIO, line: Line) -> None:
        self._stream, self._line = stream, line

    def write(self, text: str) -> int:
        """Write after wiping the line."""
        with self._line.aside():
            if text:
                self._line.within = not text.endswith("\n")
            return self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write them all."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

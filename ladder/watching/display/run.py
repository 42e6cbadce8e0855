"""Those who tell of a run: a screen on a terminal, plain lines elsewhere; of a duel, a live picture."""

import sys
import time
from collections.abc import Sequence
from typing import Protocol, TextIO

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.kinds import SCREEN
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.ladder.run.progress import NOTABLE, Happening, Progress
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.progress import STYLES, clock
from bullring.ladder.watching.display.steady import SteadyLive

PLAIN_EVERY = 10.0
"""Seconds between progress lines when there is no terminal."""
DRAW_EVERY = 1.0
"""Seconds between redraws of a picture."""

LONG = ("duplicate", "sandbox")
"""Happenings with long texts that must be read in full, so they are printed where they stay."""


class Picture(Protocol):
    """A live picture of a duel."""

    progress: Progress

    def happened(self, happening: Happening) -> None:
        """Take a happening, which the picture may show."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult: ...


class LiveListener:
    """Draws a duel on a terminal, as long as it is entered."""

    wants_matches = False

    def __init__(self, picture: Picture, console: Console) -> None:
        self._picture = picture
        self._live = SteadyLive(picture, console)
        self._drawn = 0.0

    def __enter__(self) -> None:
        self._live.start(refresh=True)

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def happened(self, happening: Happening) -> None:
        """Pass the happening on to the picture."""
        if happening.kind in LONG:
            self._live.console.print(Text(happening.text, style=STYLES.get(happening.kind, "dim")))
        self._picture.happened(happening)

    def tick(self, progress: Progress) -> None:
        """Redraw every `DRAW_EVERY` seconds."""
        self._picture.progress = progress
        now = time.monotonic()
        if self._live.resized or now - self._drawn >= DRAW_EVERY:
            self._drawn = now
            self._live.refresh()


class PlainListener:
    """Prints notable happenings, and a progress line every `PLAIN_EVERY` seconds."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._told = time.monotonic()

    wants_matches = False

    def happened(self, happening: Happening) -> None:
        """Print the happening if it is notable."""
        if happening.kind in NOTABLE or happening.kind == "sandbox":
            self._say(harmless(happening.text))

    def tick(self, progress: Progress) -> None:
        """Print the progress, at most every `PLAIN_EVERY` seconds."""
        if time.monotonic() - self._told >= PLAIN_EVERY:
            self._told = time.monotonic()
            matches, seconds = progress.matches, progress.seconds
            told = say("ladder.done", matches=say("ladder.matches", count=matches), time=clock(seconds))
            self._say(f"{told}, {say('ladder.speed', rate=matches / seconds)}")

    def _say(self, text: str) -> None:
        self._out.write(text + "\n")
        self._out.flush()


class ScreenListener(PlainListener):
    """Lets another process show the run on the terminal, as long as it is entered. If that has ended, it prints lines instead."""

    def __init__(self, home: Home, list_: int, console: Console, metrics: Sequence[str] = ()) -> None:
        super().__init__()
        self._home = home
        self._list = list_
        self._console = console
        self._metrics = metrics
        self._child: Child | None = None
        self._long: list[Happening] = []

    def __enter__(self) -> None:
        out = self._console.file
        words = (str(self._home.path), str(self._list), *self._metrics)
        self._child = Child(SCREEN, *words, stdout=out, stderr=out)

    def __exit__(self, *_: object) -> None:
        if self._child is not None:
            self._child.end()
        for one in self._long:
            self._console.print(Text(one.text, style=STYLES.get(one.kind, "dim")))

    def happened(self, happening: Happening) -> None:
        """Keep what must be read in full; the screen finds everything else in the home, and the standings name the sandbox."""
        if self._shows:
            self._long += [happening] if happening.kind == "duplicate" else []
        else:
            super().happened(happening)

    def tick(self, progress: Progress) -> None:
        """Print the progress if there is no screen."""
        if not self._shows:
            super().tick(progress)

    @property
    def _shows(self) -> bool:
        return self._child is not None and self._child.status is None

"""One table of a ladder: a replay of a match that is still being played, or of one that is over."""

import time

from bullring.arena.screens.pacing import PACE
from bullring.arena.screens.replay import Replay
from bullring.ladder.keeping.home import Home
from bullring.ladder.running.happenings import running

LOOK = 0.5
"""Seconds between two looks whether a match is still played."""

AFTER = 3.0
"""Seconds for which the end of a match is shown before the next one."""


class Table(Replay):
    """A match of a ladder. With `passing`, it leaves when the match was shown to its end."""

    def __init__(self, home: Home, match: int, *, live: bool, passing: bool = False, pace: float = PACE) -> None:
        super().__init__(home.record(match), home.analysis(match), live=live, pace=pace)
        self.match = match
        self._home = home
        self._passing = passing
        self._looked = 0.0
        self._shown_since: float | None = None

    def note(self) -> str:
        return f"{super().note()}  match {self.match}".strip()

    def tick(self) -> None:
        super().tick()
        now = time.monotonic()
        if not self.stepper.frames and now - self._looked >= LOOK:
            self._looked = now
            self.said = self._why_nothing()
            self.show()
        if self._passing and self.ended and self.stepper.at_end and not self.stepper.playing:
            self._shown_since = self._shown_since or now
            if now - self._shown_since >= AFTER and self.is_current:
                self.dismiss()
        else:
            self._shown_since = None

    def _why_nothing(self) -> str:
        found = running(self._home)
        if self.record.exists() or (found is not None and any(match.id == self.match for match in found.matches)):
            return ""
        self.feed.gone = True
        return f"match {self.match} was given up, and is played anew under another number"

"""One table of a ladder: a replay of a match that is still being played, or of one that is over."""

import time
from pathlib import Path

from bullring.arena.watching.picture.record_frames import Feed
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.replay import Replay
from bullring.ladder.run.progress import running
from bullring.ladder.store.home import Home

LOOK = 0.2
"""Seconds between two looks for the record of a match."""

AFTER = 3.0
"""Seconds for which the end of a match is shown before the next one."""


class Table(Replay):
    """A match of a ladder. With `passing`, it leaves when the match was shown to its end."""

    def __init__(self, home: Home, match: int, *, live: bool, passing: bool = False, pace: float = PACE) -> None:
        super().__init__(home.record(match), home.analysis(match), live=live, pace=pace)
        self.feed = Feed(self.record, self._elsewhere)
        self.match = match
        self._home = home
        self._passing = passing
        self._looked = 0.0
        self._shown_since: float | None = None

    def note(self) -> str:
        return f"{super().note()}  {self.say('said.match', match=self.match)}".strip()

    def tick(self) -> None:
        super().tick()
        now = time.monotonic()
        if self._passing and self.ended and self.stepper.latest and not self.stepper.playing:
            self._shown_since = self._shown_since or now
            if now - self._shown_since >= AFTER and self.is_current:
                self.dismiss()
        else:
            self._shown_since = None

    def _elsewhere(self) -> Path | None:
        """The place of the record: a long match is followed in a file of its own, and its record is in the home when it is over."""
        now = time.monotonic()
        if now - self._looked < LOOK:
            return None
        self._looked = now
        found = running(self._home)
        path = self._home.record(self.match)
        if path.exists():
            self.record = path
            return path
        if found is not None and any(match.id == self.match for match in found.matches):
            return None
        raise FileNotFoundError

    def _end(self) -> None:
        super()._end()
        if self.feed.gone:
            self.said = self.say("said.given_up", match=self.match)

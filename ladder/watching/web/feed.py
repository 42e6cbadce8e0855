"""The feed of a ladder, a program of its own: it follows the matches being played, and tells the server public frames and news.

`python -m bullring.ladder.watching.web.feed HOME FOLDER ...` tells on stdout what `arena.watching.web.server` lists, and ends
with its stdin. The pages of matches that are over, or on the front, are in FOLDER. They are made of the stored records, so not
before the deals of a match are played for the last time.
"""

import os
import select
import sys
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from bullring.arena.cells.processes.frames import tell
from bullring.arena.cells.processes.inside import ends
from bullring.arena.match.records.reader import POLL
from bullring.arena.watching.web.following import Following, Tell
from bullring.arena.watching.web.replays import Replays
from bullring.ladder.run.progress import Running, RunningMatch, running
from bullring.ladder.store.home import Home
from bullring.ladder.watching.web.news import KEPT, LadderNews
from bullring.ladder.watching.web.pages import Pages

MOST = 24
"""Most matches that are followed side by side."""

OVER = 16
"""Matches that are over, and are kept for those who were watching."""

LOOK = 0.25
"""Seconds between two looks at what is played, and what is new."""

PATIENCE = 10.0
"""Seconds for which the record of a match that is over is waited for."""

NICE = 10
"""A ladder on the same machine comes first."""


class LadderFeed:
    """Follows a ladder."""

    def __init__(self, home: Home, pages: Pages, told: Tell) -> None:
        self._home = home
        self._tell = told
        self._pages = pages
        self._news = LadderNews(home, self._pages)
        self._now: Running | None = None
        self._looked = float("-inf")
        self._followed: dict[int, _Match] = {}
        """The matches that were begun and not forgotten, the oldest first."""

    def look(self) -> None:
        """Tell what is new."""
        now = time.monotonic()
        if now - self._looked >= LOOK:
            self._looked = now
            self._now = running(self._home)
            self._begin([] if self._now is None else self._now.matches)
            if news := self._news.look(self._now, self._followed):
                self._tell("front", news, KEPT)
        for match in [*self._followed.values()]:
            match.look()
            if match.lost:
                self._forget(match)
        over = [match for match in self._followed.values() if match.over]
        for match in over[: max(0, len(over) - OVER)]:
            self._forget(match)

    def _begin(self, playing: Collection[RunningMatch]) -> None:
        alive = sum(not match.over for match in self._followed.values())
        for one in playing:
            if alive < MOST and one.id not in self._followed and self._home.partial(one.id).exists():
                alive += 1
                self._followed[one.id] = _Match(self._home, one.id, self._pages, self._tell, self._news.about(one.bots))

    def _forget(self, match: "_Match") -> None:
        match.close()
        del self._followed[match.match]


class _Match(Following):
    """A match of a ladder that is followed."""

    def __init__(self, home: Home, match: int, pages: Pages, told: Tell, about: Mapping[str, Any]) -> None:
        super().__init__(
            str(match), home.partial(match), told, self._elsewhere, {**about, "number": match, "ladder": home.name}
        )
        self.match = match
        self.over = False
        """Whether its end was told."""
        self._home = home
        self._pages = pages
        self._about = about
        self._looked = float("-inf")
        self._ended = float("inf")
        """When its end was read."""

    def look(self) -> None:
        super().look()
        now = time.monotonic()
        if self.ended is None or self.over or now - self._looked < LOOK:
            return
        self._looked, self._ended = now, min(self._ended, now)
        stored = self._pages.keep(self.match, self._about)
        if not stored and now - self._ended < PATIENCE:
            return
        self.end(page=stored)
        self.over = True

    def _elsewhere(self) -> Path | None:
        """The place of the record after its match: what is missing of it is in the stored one."""
        now = time.monotonic()
        if now - self._looked < LOOK:
            return None
        self._looked = now
        path = self._home.record(self.match)
        if path.exists():
            return path
        if any(one.id == self.match for one in getattr(running(self._home), "matches", ())):
            return None
        raise FileNotFoundError

    def close(self) -> None:
        super().close()
        if self.feed.path != self._home.partial(self.match):  # a copy that was made for this process
            self.feed.path.unlink(missing_ok=True)


def main() -> None:
    """Follow a ladder until nobody listens."""
    source, sink = ends()
    ended = select.poll()  # looked at between two looks: at the end, copies of records have to be removed
    ended.register(source, select.POLLIN)
    os.nice(NICE)
    home = Home(Path(sys.argv[1]))
    feed = LadderFeed(home, Pages(home, Replays.of(*sys.argv[2:])), partial(tell, sink))
    with suppress(BrokenPipeError):  # the server has ended
        feed.look()
        tell(sink, "known")
        while not ended.poll(POLL * 1000):
            feed.look()


if __name__ == "__main__":
    main()

"""The feed of a ladder, a program of its own: it tells the server what is new, and follows the matches that somebody asks for.

`python -m bullring.ladder.watching.web.feed WANTS HOME FOLDER ...` tells on stdout what `arena.watching.web.server` lists, and ends
with its stdin. WANTS is the descriptor on which the server asks (`arena.watching.web.wants`). The pages of matches that are over
are in FOLDER. They are made of the stored records, so not before the deals of a match are played for the last time.
"""

import os
import select
import sys
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bullring.arena.cells.processes.frames import Ear, tell
from bullring.arena.cells.processes.inside import ends
from bullring.arena.match.records.reader import POLL
from bullring.arena.watching.web.following import Following, Tell
from bullring.arena.watching.web.replays import Replays
from bullring.arena.watching.web.wants import LONGEST, MOST_WANTED
from bullring.ladder.run.progress import running
from bullring.ladder.store.home import Home
from bullring.ladder.watching.web.news import KEPT, LadderNews
from bullring.ladder.watching.web.pages import Allowance, Pages

MOST = 24
"""Most matches that are followed side by side."""

OVER = 16
"""Matches that are over, and are kept for those who were watching."""

LOOK = 1.0
"""Seconds between two looks at what is new for the front."""

ASLEEP = 5.0
"""Seconds between two looks while nobody watches."""

AGAIN = 0.25
"""Seconds between two looks for a record that is not where it was, or is not there yet."""

PATIENCE = 4.0
"""Seconds for which a match is waited for that somebody asked for, less than they wait (`arena.watching.web.wants`)."""

STORED = 10.0
"""Seconds for which the record of a match that is over is waited for."""

ALONE = 30.0
"""Seconds after which a match that nobody watches is not followed any more. Browsers that lose the network are back sooner."""

EVERY = 1.0
"""Seconds that must pass for each page that is made: that is 20 ms of work, and strangers can ask for all matches of a ladder."""

AT_ONCE = 10
"""Most pages that are made at once after a while in which none was."""

NICE = 10
"""A ladder on the same machine comes first."""


class LadderFeed:
    """Follows what somebody asks for, and tells the front what is new."""

    def __init__(self, home: Home, replays: Replays, told: Tell) -> None:
        self._home = home
        self._tell = told
        self._store = home.store(read_only=True)
        self._pages = Pages(home, self._store, replays)
        self._news = LadderNews(home, self._store)
        self._looked = float("-inf")
        self._followed: dict[int, _Match] = {}
        """The matches that were begun and not forgotten, the oldest first."""
        self._wanted: dict[int, _Want] = {}
        self._may_write = Allowance(EVERY, AT_ONCE)
        self.somebody = True
        """Whether somebody watches, as far as is known."""
        self._watched: Collection[int] = ()

    def take(self, kind: str, *values: Any) -> None:
        """Take what the server wants (`arena.watching.web.wants`)."""
        match kind, values:
            case "want", (int(number),):
                self._wanted.setdefault(number, _Want(time.monotonic()))
                if len(self._wanted) > MOST_WANTED:  # as the server gives them up
                    del self._wanted[next(iter(self._wanted))]
            case "watched", (bool(somebody), [*matches]):
                self.somebody, self._watched = somebody, matches

    @property
    def busy(self) -> bool:
        """Whether it has to look often: a match is followed, or somebody waits for one."""
        return bool(self._wanted) or any(not match.over for match in self._followed.values())

    def look(self) -> None:
        """Tell what is new."""
        now = time.monotonic()
        if now - self._looked >= LOOK:
            self._looked = now
            if news := self._news.look(running(self._home)):
                self._tell("front", news, KEPT)
        for number, want in [*self._wanted.items()]:
            if now - want.tried >= AGAIN:
                want.tried = now
                found = self._is_there(number, want)
                if found or now - want.since >= PATIENCE:
                    del self._wanted[number]
                    self._tell("made", str(number), found)
        for match in [*self._followed.values()]:
            if match.match in self._watched:
                match.watched = now
            match.look()
            if match.lost or (not match.over and now - match.watched >= ALONE):
                self._forget(match)
        over = [match for match in self._followed.values() if match.over]
        for match in over[: max(0, len(over) - OVER)]:
            self._forget(match)

    def _is_there(self, number: int, want: "_Want") -> bool:
        """See that a match can be looked at: it is followed, or has a page."""
        if number in self._followed:
            return self._followed[number].begun
        if self._home.partial(number).exists():
            return self._begin(number)
        if not want.allowed:  # numbers that are none take nobody's turn
            want.allowed = self._store.has(number) and self._may_write.takes()
        return want.allowed and self._pages.keep(number)

    def _begin(self, number: int) -> bool:
        """Follow a match that is being played."""
        now = running(self._home)
        found = None if now is None else next((one for one in now.matches if one.id == number), None)
        if now is None or found is None:
            return False
        alive = [match for match in self._followed.values() if not match.over]
        if len(alive) >= MOST:
            alone = next((match for match in alive if match.match not in self._watched), None)
            if alone is None:
                return False
            self._forget(alone)
        ids = {bot.name: bot.id for bot in self._store.bots()}
        about = self._pages.about(now.list, [ids[name] for name in found.bots])
        begun = self._followed[number] = _Match(self._home, number, self._pages, self._tell, about)
        begun.look()
        return begun.begun

    def _forget(self, match: "_Match") -> None:
        match.close()
        del self._followed[match.match]


@dataclass
class _Want:
    """A match that somebody waits for."""

    since: float
    tried: float = float("-inf")
    allowed: bool = False
    """Whether a page may be made for it."""


class _Match(Following):
    """A match of a ladder that is followed."""

    def __init__(self, home: Home, match: int, pages: Pages, told: Tell, about: Mapping[str, Any]) -> None:
        super().__init__(str(match), home.partial(match), told, self._elsewhere, {**about, "number": match})
        self.match = match
        self.over = False
        """Whether its end was told."""
        self.watched = time.monotonic()
        """When somebody was known to watch it; at first, whoever asked for it is on the way."""
        self._home = home
        self._pages = pages
        self._looked = float("-inf")
        self._ended = float("inf")
        """When its end was read."""

    def look(self) -> None:
        super().look()
        now = time.monotonic()
        if self.ended is None or self.over or now - self._looked < AGAIN:
            return
        self._looked, self._ended = now, min(self._ended, now)
        stored = self._pages.keep(self.match)
        if not stored and now - self._ended < STORED:
            return
        self.end(page=stored)
        self.over = True

    def _elsewhere(self) -> Path | None:
        """The place of the record after its match: what is missing of it is in the stored one."""
        now = time.monotonic()
        if now - self._looked < AGAIN:
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
    wants, home, *words = sys.argv[1:]
    ear = Ear(int(wants), LONGEST)
    waiting = select.poll()
    for fd in (source, int(wants)):
        waiting.register(fd, select.POLLIN)
    os.nice(NICE)
    feed = LadderFeed(Home(Path(home)), Replays.of(*words), partial(tell, sink))
    with suppress(BrokenPipeError):  # the server has ended
        feed.look()
        tell(sink, "known")
        while not ear.closed:
            ready = dict(waiting.poll((POLL if feed.busy else LOOK if feed.somebody else ASLEEP) * 1000))
            if source in ready:  # at the end, copies of records have to be removed
                return
            for message in ear.now():
                feed.take(*message)
            feed.look()


if __name__ == "__main__":
    main()

"""Pages of matches that are over, beside the site: it takes longer to be made anew than the front takes to name a match."""

import time
from collections.abc import Mapping
from typing import Any

from bullring.arena.watching.web.replays import Replays
from bullring.errors import RecordError
from bullring.ladder.store.home import Home

MOST = 64
"""Pages that are kept: those on the front, and some for readers who look at one that was on it."""

EVERY = 1.0
"""Seconds that must pass for each page that can wait: a page is 20 ms of work, and quick bots play hundreds of matches a second."""

AT_ONCE = 10
"""Most pages that can wait, and are made at once after a while in which there were none."""


class Pages:
    """Makes and keeps pages. One that is asked for again stays."""

    def __init__(self, home: Home, replays: Replays) -> None:
        self._home = home
        self._replays = replays
        self._kept: dict[int, None] = {}
        """The matches, the one that was asked for last at the end."""
        self._spent = float("-inf")
        """Until when pages that can wait have used up their time."""

    def has_time(self) -> bool:
        """Whether a page that can wait may be made now; if so, its time is used up."""
        now = time.monotonic()
        self._spent = max(self._spent, now - AT_ONCE * EVERY)
        if self._spent + EVERY > now:
            return False
        self._spent += EVERY
        return True

    def keep(self, match: int, about: Mapping[str, Any]) -> bool:
        """See that the page of a match is there, and says this of its place; False while the record is not stored."""
        if match not in self._kept:
            try:
                lines = self._home.lines(match)
            except RecordError:
                return False
            self._replays.write(str(match), lines, number=match, ladder=self._home.name, **about)
        self._kept[match] = self._kept.pop(match, None)
        while len(self._kept) > MOST:
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            self._replays.forget(str(oldest))
        return True

"""Pages of matches that are over, beside the site: it takes longer to be made anew than a reader takes to ask for a match."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bullring.arena.games.rulebook.language import in_all
from bullring.arena.study.analysis.kept import beside, kept
from bullring.arena.watching.web.replays import Replays
from bullring.errors import RecordError
from bullring.ladder.standings.titles import plain_title
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store

MOST = 64
"""Pages that are kept."""


def analysis_of(home: Home, replays: Replays, key: str) -> Path:
    """Where the analysis of a match is kept: one of the home, by its number, or one of a table with people, whose record a link of
    `replays` leads to."""
    return home.analysis(int(key)) if key.isdecimal() else beside(replays.record(key).resolve())


class Pages:
    """Makes and keeps pages. One that is asked for again stays."""

    def __init__(self, home: Home, store: Store, replays: Replays) -> None:
        self._home = home
        self._store = store
        self._replays = replays
        self._kept: dict[int, None] = {}
        """The matches, the one that was asked for last at the end."""

    def keep(self, match: int) -> bool:
        """See that the page of a match is there; False while the record is not stored."""
        if match not in self._kept and not self._write(match):
            return False
        self._kept[match] = self._kept.pop(match, None)
        while len(self._kept) > MOST:
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            self._replays.forget(str(oldest))
        return True

    def _write(self, match: int) -> bool:
        if not self._store.has(match):
            return False
        row = self._store.match(match)
        try:
            about = self.about(row.list, [seat.bot for seat in row.seats])
            analysis = kept(self._home.analysis(match), row.seal)  # somebody may have asked for it before
            lines = self._home.lines(match)
            self._replays.write(str(match), lines, analysis=analysis, number=match, **about)
        except RecordError:
            return False
        return True

    def about(self, list_: int, bots: Sequence[int]) -> dict[str, Any]:
        """What the page of a match of these bots says of its place on the ladder."""
        row = next(row for row in self._store.lists() if row.id == list_)
        return {
            **self._replays.place,
            "links": {**self._replays.place.get("links", {}), "home": f"../matches/{list_}.html"},
            "bots": [f"../bots/{bot}.html" for bot in bots],
            "listed": in_all(lambda: plain_title(row)),
        }


class Allowance:
    """What may be done once every so many seconds, and a few times at once after a while in which it was not."""

    def __init__(self, every: float, at_once: int) -> None:
        self._every = every
        self._at_once = at_once
        self._spent = float("-inf")
        """Until when it is used up."""

    def takes(self) -> bool:
        """Whether it may be done now; if so, it counts as done."""
        now = time.monotonic()
        self._spent = max(self._spent, now - self._at_once * self._every)
        if self._spent + self._every > now:
            return False
        self._spent += self._every
        return True

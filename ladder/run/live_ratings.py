"""The scoreboard of a ladder: rated in this process while that is quick, and by a clerk once there is much to rate.

The loop that serves the referees does not wait for ratings, nor does a run of a long list for its first ones: it begins with those
that are stored. At the end of a run the list is rated anew from all its matches, so a rebuilt home has the same ratings.
"""

import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import trio

from bullring.arena.cells.processes.frames import offer
from bullring.arena.cells.processes.kinds import CLERK
from bullring.arena.cells.processes.with_trio import TrioChild, heard
from bullring.errors import LadderError
from bullring.ladder.pairing.known import Known
from bullring.ladder.run.clerk import FINAL, RATE
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.ratings import TELL_EVERY, TELLING, Ratings, Told
from bullring.ladder.standings.scoreboard import Scoreboard
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.home import Home
from bullring.ladder.store.packed_row import PackedRow
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store

MANY = 2000
"""Matches of a run, or tenths of those of a list, from which on a clerk rates: starting one takes half a second."""

DEATHS = 3
"""A run ends if its clerk has died more often."""


class Rated(Scoreboard):
    """The standings of a run."""

    def __init__(
        self, home: Home, store: Store, list_: ListRow, anchor: str | None = None, until_error: float | None = None
    ) -> None:
        """A run may end when no interval is wider than ± `until_error` Elo. Raises `LadderError` if there is no such anchor."""
        self.list = list_
        self._added = 0
        """Matches of this run."""
        self._home = home
        self._store = store
        self._here: Standings | None = None
        """The standings, as long as this process rates."""
        kept = Ratings.stored(store, list_.id)
        if kept is not None and self._is_long(kept):
            self._found = replace(kept, known=replace(kept.known, target=until_error))
        else:
            self._here = Standings(store, list_, anchor, until_error, live=True)
            self._found = Ratings.of(self._here, final=False)
        self._arguments = (
            str(home.path),
            str(list_.id),
            anchor or "",
            "" if until_error is None else repr(until_error),
        )
        self._clerk: TrioChild | None = None
        self._deaths = 0
        self._nursery: trio.Nursery | None = None
        self._new = False
        """Whether there are new matches that the clerk was not asked to rate."""
        self._wish = ""
        """What the clerk was asked last and has not answered yet; empty: nothing."""
        self._answered = trio.Event()
        self._told: Ratings | None = None
        """The ratings that those who watch were told."""
        self._tell_at = 0.0
        """The moment before which they are told nothing new."""

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Inside, a run may go on. In the end everything is rated."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            if self._here is None:
                self._start()
                self._ask(RATE)
            try:
                yield
                await self._finish()
            finally:
                nursery.cancel_scope.cancel()
                if self._clerk is not None:
                    with trio.CancelScope(shield=True):
                        await self._clerk.close()

    async def _finish(self) -> None:
        if self._here is not None:
            self._here.refresh(now=True)
            self._take(Ratings.of(self._here, final=True))
            return
        self._ask(FINAL)
        while self._wish:
            self._answered = trio.Event()
            await self._answered.wait()

    def add(self, rows: Sequence[PackedRow]) -> None:
        """Note that matches were stored."""
        self._added += len(rows)
        self._new = self._new or bool(rows)

    def refresh(self) -> None:
        """Rate what is new, if it is time, or ask for it."""
        if self._here is not None:
            if not self._is_long(self._found) or self._nursery is None:
                if self._here.refresh():
                    self._take(Ratings.of(self._here, final=False))
                return
            self._here = None
            self._start()
        if self._new and not self._wish:
            self._ask(RATE)

    def _is_long(self, found: Ratings) -> bool:
        """Whether a clerk rates a list with these ratings."""
        return self._added + found.rated / 10 >= MANY

    def _take(self, found: Ratings) -> None:
        """Use a new result. Conduct that was told before and is not stored yet stays."""
        before = self._found.conduct
        self._found = replace(found, conduct=before if found.conduct is None else found.conduct.after(before))

    def _start(self) -> None:
        assert self._nursery is not None
        self._clerk = TrioChild(CLERK, *self._arguments)
        self._nursery.start_soon(self._listen, self._clerk)

    def _ask(self, wish: str) -> None:
        assert self._clerk is not None
        self._wish, self._new = wish, False
        offer(self._clerk.told.fileno(), wish)  # there is always room for a word

    async def _listen(self, clerk: TrioChild) -> None:
        async for wish, facts in heard(clerk.tells):
            self._take(Ratings.from_facts(facts))
            if wish == self._wish:  # what was asked before the end of a run may lack its last matches
                self._wish = ""
                self._answered.set()
        await clerk.close()
        self._deaths += 1
        if self._deaths > DEATHS:
            raise LadderError(
                f"{CLERK.name} has died {self._deaths} times; see above what it wrote to stderr, then run this again"
            )
        self._start()
        self._ask(self._wish or RATE)

    def write(self) -> None:
        """Store the bots' conduct and the ratings of a long list, if it is time to. Call within a change of the store."""
        if self._found.conduct is not None:
            self._store.set_conduct(self.list.id, *self._found.conduct)
            if self._is_long(self._found):  # others are rated anew in no time
                self._found.write(self._store, self.list.id)
            self._found = replace(self._found, conduct=None)

    def tell(self) -> None:
        """Show the ratings to those who watch, if there are new ones; not too often."""
        now = time.monotonic()
        if self._found is not self._told and now >= self._tell_at:
            self._told = self._found
            with contextlib.suppress(OSError):  # the next time
                Told(self._found.rows, self._found.outlook).write(self._home, self.list.id)
            self._tell_at = now + max(TELL_EVERY, (time.monotonic() - now) / TELLING)

    def untell(self) -> None:
        """Show them no more: the run is over."""
        with contextlib.suppress(OSError):  # it is told only of a run that is going on
            self._home.rated.unlink()

    def rows(self) -> Sequence[Row]:
        """The standings."""
        return self._found.rows

    @property
    def rated(self) -> int:
        """The number of matches in the ratings."""
        return self._found.rated

    def more(self, speed: float | None) -> More | None:
        """The matches needed for narrower intervals, at so many matches a second."""
        found = self._found.more
        if found is None or found.seconds is None:
            return found
        return replace(found, seconds=found.matches / speed if speed else None)

    @property
    def verdicts(self) -> Sequence[str]:
        """The sentences about its places and cycles."""
        return self._found.verdicts

    def rating(self, bot: int) -> float | None:
        """The rating of the bot with this id; None if it has none."""
        return self._found.ratings.get(bot)

    def matches(self, bot: int) -> int:
        """The number of the bot's matches that are rated."""
        return self._found.matches.get(bot, 0)

    def known(self) -> Known:
        """The knowledge on which the schedule is based."""
        return self._found.known

    def enough(self, bots: Sequence[int]) -> str | None:
        """The reason why the run may stop; None if it goes on."""
        return self._found.enough if all(bot in self._found.ratings for bot in bots) else None

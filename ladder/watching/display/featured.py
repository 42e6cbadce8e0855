"""The featured table of a ladder: one match after the other. Hands stay closed.

A match that is being played and can be followed is shown as it is now. Those of quick bots are over in milliseconds, so else it
replays what was stored, at the pace of people: of the last matches, the one with most to see. Where nothing new is stored, it
shows them again: a table always moves.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from math import inf

from bullring.arena.match.records.reader import Entry, Follower
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.display.tabletop import tabletop
from bullring.arena.watching.picture.picture import Picture, timeless
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.pace import Pacing
from bullring.errors import RecordError
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import MatchRow
from bullring.ladder.store.store import Store

AMONG = 64
"""Matches, the last that were stored, of which one is chosen."""

AHEAD = 10
"""Frames that are made before their time, so that no moment has much to do."""

HELD = 8
"""For how many steps the end of a match is shown."""

LOOK = 0.5
"""Seconds between two looks for the next match."""

Rating = Callable[[int], float | None]
"""The rating of the bot with an id."""


class Featured:
    """Shows matches of a list. It only reads, and waits for nothing."""

    def __init__(
        self,
        home: Home,
        store: Store,
        list_: int,
        rating: Rating,
        pace: float = PACE,
        *,
        elsewhere: Callable[[], Collection[int]] = tuple,
        skip: int = 0,
    ) -> None:
        """`elsewhere` names matches that others show. The first replay begins after so many entries (`skip`)."""
        self.match = 0
        """The match that is shown; 0 before the first one."""
        self._tried = 0
        """The match that was chosen last: as long as there are newer ones, their numbers ascend. One of which nothing is written
        yet was not chosen."""
        self._home = home
        self._store = store
        self._list = list_
        self._rating = rating
        self._pace = pace
        self._pacing = Pacing(pace)
        self._reducer = Reducer()
        self._entries: Iterator[Entry | None] | None = None
        """The entries that are still to be read; None if there are no more."""
        self._elsewhere = elsewhere
        self._skip = skip
        self.stays = False
        """Whether no other match follows this one."""
        self.live = False
        """Whether the match was still being played when it was chosen."""
        self._playing: Collection[int] = ()
        self._seen: frozenset[int] = frozenset()
        """The bots of the match that was chosen last among stored ones."""
        self._looked = float("-inf")
        self._now = 0.0

    def advance(self, now: float, playing: Collection[int]) -> bool:
        """Show the step that is due at this moment, while these matches are being played. Returns whether it is another one."""
        self._now, self._playing = now, playing
        if not self.stays and self._is_seen() and now - self._looked >= LOOK:
            self._looked = now
            self._choose()
        most = AHEAD if self._pacing.pace else inf
        while self._entries is not None and self._pacing.behind < most and self._read(self._entries):
            pass
        return self._pacing.advance(now)

    @property
    def picture(self) -> Picture | None:
        """What is shown; None before the first match."""
        frame = self._pacing.frame
        return None if frame is None else frame.picture

    def drawn(self, width: int, height: int) -> Block:
        """The table in this size, without a title. There is a match to be shown."""
        frame = self._pacing.frame
        assert frame is not None
        if self.live:
            return tabletop(frame, width, height, waited=self._pacing.waited(self._now))
        return tabletop(replace(frame, picture=timeless(frame.picture)), width, height)

    def _is_seen(self) -> bool:
        """Whether the match was shown to its end, and for a while longer."""
        pacing = self._pacing
        since = min(pacing.shown(self._now), pacing.waited(self._now))  # of a live match, steps are shown as they come
        held = pacing.frame is None or (pacing.latest and since >= HELD * self._pace)
        return held and self._entries is None

    def _choose(self) -> None:
        """Begin with another match, if there is one."""
        others = self._elsewhere()
        for choose in (self._follow, self._replay):
            if choose(others):
                return

    def _replay(self, others: Collection[int]) -> bool:
        """Begin with a match that is over: a new one, or else, so that something moves, an older one once more."""
        last = [row for row in self._store.last_matches(self._list, None, AMONG) if row.void is None]
        fresh = [row for row in last if row.id > self._tried and row.id not in others]
        stored = fresh or [row for row in last if row.id not in {*others, self.match}]
        stored = stored or [row for row in last if row.id == self.match]
        if stored:
            row = most_to_see(stored, self._rating, self._seen)
            self._seen = frozenset(seat.bot for seat in row.seats)
            self._begin(row.id, live=False)
        return bool(stored)

    def _follow(self, others: Collection[int]) -> bool:
        """Begin with a match that is being played, if there is another one that can be followed."""
        unseen = (match for match in self._playing if match != self._tried and match not in others)
        match = next((match for match in unseen if self._home.partial(match).exists()), 0)
        if match:
            self._begin(match, live=True)
        return bool(match)

    def _begin(self, match: int, *, live: bool) -> None:
        """Show this match, unless its record is damaged from the start, or its first line is not written yet."""
        entries, reducer = self._entries_of(match), Reducer()
        before, self._tried = self._tried, match
        with suppress(StopIteration, RecordError, OSError):
            if (head := next(entries)) is None:
                self._tried = before
            else:
                frames = reducer.feed(head)
                while self._skip and not live and (entry := next(entries, None)) is not None:
                    frames = reducer.feed(entry)[-1:] or frames
                    self._skip -= 1
                self.match, self.live = match, live
                self._entries, self._reducer = entries, reducer
                self._pacing.clear()
                self._pacing.pace = 0.0 if live else self._pace
                self._pacing.add(frames, self._now)

    def _read(self, entries: Iterator[Entry | None]) -> bool:
        """Make the frames of the next entry. Returns whether there was one; a record that is damaged ends before the damage."""
        try:
            entry = next(entries)
            if entry is not None:
                self._pacing.add(self._reducer.feed(entry), self._now)
        except (StopIteration, RecordError, OSError):
            self._entries = entry = None
        return entry is not None

    def _entries_of(self, match: int) -> Iterator[Entry | None]:
        """The entries of a match, also while it is being played; None where the next one is not written yet."""
        path, read = self._home.partial(match), 0
        if path.exists():
            with Follower(path) as tail:
                while path.exists() or not tail.idle:
                    found = tail.read()
                    yield from found or (None,)
                    read += len(found)
            while match in self._playing and self._home.kept.read(match) is None:
                yield None  # it is over, and about to be stored
        yield from islice(self._home.lines(match).each(), read, None)


def most_to_see(rows: Sequence[MatchRow], rating: Rating, seen: Collection[int]) -> MatchRow:
    """The match that people see the most in: bots that were not `seen` last, high ratings, many heads, a close end.

    Each of these counts by the number of the others that have less of it, so they need no common scale.
    """

    def close(row: MatchRow) -> float:
        first, second = sorted(row.seats, key=lambda seat: seat.rank)[:2]
        return -abs(first.heads - second.heads)

    measures: Sequence[Callable[[MatchRow], float]] = (
        lambda row: -sum(seat.bot in seen for seat in row.seats),
        lambda row: sum(rating(seat.bot) or 0.0 for seat in row.seats),
        lambda row: sum(seat.heads for seat in row.seats),
        close,
    )
    marks = [0] * len(rows)
    for measure in measures:
        values = [measure(row) for row in rows]
        ascending = sorted(values)
        marks = [mark + bisect_left(ascending, value) for mark, value in zip(marks, values, strict=True)]
    return rows[marks.index(max(marks))]

"""Reading the standings beside a screen, in a thread of their own: rating a long list takes a while."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from bullring.arena.watching.display.career import Result
from bullring.errors import BullringError, LadderError
from bullring.ladder.gauge.house_rating import with_house
from bullring.ladder.run.progress import Running, running
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.outlook import NOTHING, Outlook
from bullring.ladder.standings.ratings import Told
from bullring.ladder.standings.standings import Standings
from bullring.ladder.standings.titles import plain_title
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store
from bullring.ladder.watching.display.moves import Move, moves

EVERY = 1.0
"""Seconds between two readings."""

LAST = 50
"""The last results."""

MOVES = 8
"""The last changes of places."""

Chooser = Callable[[Store, Running | None], ListRow]
"""Chooses the list to show. Raises `LadderError` where there is none, with what to do."""


@dataclass(frozen=True)
class News:
    """The standings at some moment."""

    title: str = ""
    """The list; empty if there is none yet."""
    matches: int = 0
    rows: Sequence[Row] = ()
    outlook: Outlook = NOTHING
    list: ListRow | None = None
    ids: Mapping[str, int] = field(default_factory=dict)
    """The bots by their names."""
    results: Sequence[Result] = ()
    """The last ones, the newest first."""
    moves: Sequence[Move] = ()
    """The last changes of places, the newest first."""
    trouble: str = ""
    """The reason why there are no rows, or no new ones."""


def read_on(home: Home, choose: Chooser, take: Callable[[News], None], stopped: threading.Event) -> None:
    """Read the standings again and again and hand them on, until it is `stopped`."""
    news, changed = News(), deque[Move](maxlen=MOVES)
    while not stopped.is_set():
        began = time.monotonic()
        try:
            with closing(home.store(read_only=True)) as store:
                rated: Standings | None = None
                while not stopped.is_set():
                    began = time.monotonic()
                    now = running(home)
                    list_ = _chosen(store, choose, now, news.list)
                    told = Told.of(home, list_.id) if now is not None and now.list == list_.id else None
                    if told is None:
                        rated = _rated(store, list_, rated)
                        outlook = Outlook(places=rated.places(), cycles=rated.cycles(), meetings=rated.meetings())
                        told = Told(rated.rows(), outlook)
                    rows, outlook = with_house(home, store, list_, told.rows), told.outlook
                    played = sum(row.matches for row in rows) // list_.seats
                    changed.extendleft(moved(news, list_, rows))
                    ids = {bot.name: bot.id for bot in store.bots()}
                    news = News(
                        plain_title(list_),
                        played,
                        rows,
                        outlook,
                        list_,
                        ids,
                        results(store, list_.id, ids),
                        tuple(changed),
                    )
                    take(news)
                    # Reading a long list takes a while: spend at most a tenth of the time on it.
                    stopped.wait(max(EVERY, 10 * (time.monotonic() - began)))
        except BullringError as error:
            take(replace(news, trouble=str(error)))
        stopped.wait(EVERY)


def _chosen(store: Store, choose: Chooser, now: Running | None, before: ListRow | None) -> ListRow:
    """The list to show; where none can be chosen any more, because no ladder runs, the one that was shown before."""
    try:
        return choose(store, now)
    except LadderError:
        if before is None:
            raise
        return before


def _rated(store: Store, list_: ListRow, before: Standings | None) -> Standings:
    """The standings of a list, rated here: no run tells them."""
    if before is None or before.list.id != list_.id:
        return Standings(store, list_)
    before.rate()
    return before


def results(store: Store, list_: int, ids: Mapping[str, int], bot: int | None = None) -> list[Result]:
    """The last matches of a list, or those of one bot, the newest first."""
    names = {id: name for name, id in ids.items()}
    found = []
    for row in store.last_matches(list_, bot, LAST):
        seats = sorted(row.seats, key=lambda seat: seat.rank)
        heads, ranks = [(names[seat.bot], seat.heads) for seat in seats], [seat.rank for seat in seats]
        found.append(Result(row.id, heads, row.void is not None, ranks))
    return found[::-1]


def moved(before: News, list_: ListRow, rows: Sequence[Row]) -> Iterator[Move]:
    """The bots whose places in the same list have changed, the last place first."""
    if before.list is not None and before.list.id == list_.id:
        yield from moves(before.rows, rows)

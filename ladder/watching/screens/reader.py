"""Reading the standings beside a screen, in a thread of their own: rating a long list takes a while."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from bullring.errors import BullringError, LadderError
from bullring.ladder.run.happenings import Running, running
from bullring.ladder.standings.standings import Row, Standings
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store

EVERY = 1.0
"""Seconds between two readings."""

Chooser = Callable[[Store, Running | None], ListRow]
"""Chooses the list to show. Raises `LadderError` where there is none, with what to do."""


@dataclass(frozen=True)
class News:
    """The standings at some moment."""

    title: str = ""
    """The list; empty if there is none yet."""
    matches: int = 0
    rows: Sequence[Row] = ()
    house: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    trouble: str = ""
    """Why there is nothing else, or nothing new."""


def read_on(home: Home, choose: Chooser, take: Callable[[News], None], stopped: threading.Event) -> None:
    """Read the standings again and again and hand them on, until it is `stopped`."""
    news = News()
    while not stopped.is_set():
        began = time.monotonic()
        try:
            with closing(home.store(read_only=True)) as store:
                standings: Standings | None = None
                while not stopped.is_set():
                    began = time.monotonic()
                    list_ = choose(store, running(home))
                    if standings is None or standings.list.id != list_.id:
                        standings = Standings(store, list_)
                    else:
                        standings.rate()
                    rows = standings.rows()
                    played = sum(row.matches for row in rows) // list_.seats
                    news = News(list_.title, played, rows, _house(home, store, list_, rows))
                    take(news)
                    # Reading a long list takes a while: spend at most a tenth of the time on it.
                    stopped.wait(max(EVERY, 10 * (time.monotonic() - began)))
        except BullringError as error:
            take(News(news.title, news.matches, news.rows, news.house, str(error)))
        stopped.wait(EVERY)


def _house(home: Home, store: Store, list_: ListRow, rows: Sequence[Row]) -> Mapping[str, tuple[float, float]]:
    """Elo against the house and half of its interval, by bot. A damaged file costs this column, and not the table."""
    if not home.gauges.exists():
        return {}
    from bullring.ladder.gauge.house_rating import standings  # it imports the simulator, which few homes need here

    try:
        found = standings(home, list_, store.bots())
    except LadderError:
        return {}
    return {row.bot: found[row.bot] for row in rows if row.bot in found}

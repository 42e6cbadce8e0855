"""Reading the standings beside a screen, in a thread of their own: rating a long list takes a while."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from bullring.errors import BullringError
from bullring.ladder.gauge.house_rating import with_house
from bullring.ladder.run.progress import Running, running
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.outlook import NOTHING, Outlook
from bullring.ladder.standings.standings import Standings
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
    outlook: Outlook = NOTHING
    trouble: str = ""
    """The reason why there are no rows, or no new ones."""


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
                    rows = with_house(home, store, list_, standings.rows())
                    played = sum(row.matches for row in rows) // list_.seats
                    confinements = standings.conducts.confinements
                    outlook = Outlook(places=standings.places(), cycles=standings.cycles(), confinements=confinements)
                    news = News(list_.title, played, rows, outlook)
                    take(news)
                    # Reading a long list takes a while: spend at most a tenth of the time on it.
                    stopped.wait(max(EVERY, 10 * (time.monotonic() - began)))
        except BullringError as error:
            take(replace(news, trouble=str(error)))
        stopped.wait(EVERY)

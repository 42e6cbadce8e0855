"""What is new on a ladder, for the front: results, changed places, tables as small boards, what is decided and what is open."""

import json
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from queue import SimpleQueue
from typing import Any

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import in_all, say
from bullring.arena.watching.display.career import Result
from bullring.arena.watching.page.page import packed
from bullring.arena.watching.page.small import small
from bullring.arena.watching.picture.picture import Picture
from bullring.errors import LadderError
from bullring.ladder.run.progress import Running
from bullring.ladder.standings.columns import Row
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store
from bullring.ladder.watching.display.featured import Featured
from bullring.ladder.watching.screens.reader import News, moved, read_on
from bullring.ladder.watching.site.pages import Now, standings_now
from bullring.ladder.watching.site.profiles import FORM
from bullring.ladder.watching.web.pages import Allowance

BOARDS = 6
"""Tables on the front."""

PACE = 1.0
"""Seconds for which a step of a match that is over is shown, where none that is played can be followed."""

EVERY = 1.0
"""Seconds that must pass for each result that is told: quick bots play hundreds of matches a second."""

AT_ONCE = 10
"""Most results that are told at once after a while in which there were none."""

STANDINGS = 2.0
"""Fewest seconds between two times that the standings are told."""

KEPT = {"result": AT_ONCE, "place": 8}
"""How many are told to newcomers, by kind."""

Told = tuple[str, str]
"""A kind of news, and its JSON."""


def choose(store: Store, now: Running | None) -> ListRow:
    """The list on the front: the one that is played, else the main one. Raises `LadderError`."""
    found = next((row for row in store.lists() if now is not None and row.id == now.list), None) or store.main_list()
    if found is None:
        raise LadderError("nothing has been played on this ladder yet")
    return found


def forms(rows: Sequence[Row], results: Sequence[Result]) -> dict[str, list[int]]:
    """The places of bots in their last matches, the oldest first, by those of which these `results` tell all that are shown."""
    found: dict[str, list[int]] = {row.bot: [] for row in rows}
    for result in reversed(results):
        ranked = {} if result.void else dict(zip((name for name, _ in result.seats), result.ranks, strict=True))
        for name, rank in ranked.items():
            found.setdefault(name, []).append(rank)
    played = {row.bot: row.matches for row in rows}
    return {bot: places[-FORM:] for bot, places in found.items() if len(places) >= min(FORM, played.get(bot, 0))}


class LadderNews:
    """Finds what is new. Standings are read in a thread of their own."""

    def __init__(self, home: Home, store: Store) -> None:
        self._home = home
        self._store = store
        self._queue: SimpleQueue[News] = SimpleQueue()
        self._news = News()
        self._boards: list[Featured] = []
        self._may_tell = Allowance(EVERY, AT_ONCE)
        self._may_rank = Allowance(STANDINGS, 1)
        self._is_rated = False
        """Whether there may be other standings than those that were told."""
        self._told: dict[str, str] = {}
        """The JSON that was told last, by kind."""
        threading.Thread(target=read_on, args=(home, choose, self._queue.put, threading.Event()), daemon=True).start()

    def look(self, now: Running | None) -> list[Told]:
        """What is new since the last look, while this is being played."""
        found: list[Told] = []
        while not self._queue.empty():
            found += self._taken(self._queue.get())
            self._is_rated = True
        if self._is_rated and self._may_rank.takes():
            self._is_rated = False
            found += self._standings()
        playing = () if now is None else [match.id for match in now.matches]
        return [
            *found,
            *self._changed("tables", self._tables(playing)),
            *self._changed("progress", self._progress(now)),
        ]

    def _changed(self, kind: str, facts: Any) -> Iterator[Told]:
        data = json.dumps(facts)
        if self._told.get(kind) != data:
            self._told[kind] = data
            yield kind, data

    def _taken(self, news: News) -> Iterator[Told]:
        before, self._news = self._news, news
        list_ = news.list
        if list_ is None:
            return
        if before.list is None or before.list.id != list_.id:
            self._begin(list_)
        known = {result.id for result in before.results}
        fresh = [result for result in news.results[:AT_ONCE] if result.id not in known and self._may_tell.takes()]
        for result in reversed(fresh):
            ranked = zip(result.seats, result.ranks, strict=True)
            seats = [[news.ids[name], harmless(name), heads, rank] for (name, heads), rank in ranked]
            facts = {"match": result.id, "list": list_.id, "seats": seats, "void": result.void}
            yield "result", json.dumps(facts | {"page": f"tables/{result.id}"})
        for move in moved(before, list_, news.rows):
            facts = {"list": list_.id, "bot": news.ids[move.bot], "name": harmless(move.bot)}
            yield "place", json.dumps(facts | {"from": move.before, "to": move.now})

    def _standings(self) -> Iterator[Told]:
        """The table of the first bots, as the front shows it."""
        list_, rows = self._news.list, self._news.rows
        if list_ is None or not rows:
            return
        bots = {row.id: row for row in self._store.bots()}
        table = standings_now(bots, Now(rows, self._news.outlook, list_, forms(rows, self._news.results)))
        yield from self._changed("standings", {"list": list_.id, "table": packed(json.dumps(table))})

    def _begin(self, list_: ListRow) -> None:
        names = {row.id: row.name for row in self._store.bots()}

        def rating(bot: int) -> float | None:
            return next((row.rating for row in self._news.rows if row.bot == names.get(bot)), None)

        def shown() -> Collection[int]:
            return [one.match for one in self._boards]

        self._boards = [
            Featured(self._home, self._store, list_.id, rating, PACE, elsewhere=shown) for _ in range(BOARDS)
        ]

    def _tables(self, playing: Collection[int]) -> list[dict[str, Any]]:
        now = time.monotonic()
        for board in self._boards:
            board.advance(now, playing)
        shown = [(board.match, board.picture) for board in self._boards]
        return [self._table(match, picture, live=match in playing) for match, picture in shown if picture is not None]

    def _table(self, match: int, picture: Picture, *, live: bool) -> dict[str, Any]:
        names = [seat.name for seat in picture.seats]
        return {
            "key": str(match),
            "match": match,
            "live": live,
            "names": names,
            "bots": [self._news.ids.get(name) for name in names],
            "title": in_all(lambda: picture.words.title),
            "small": small(picture),
        }

    def _progress(self, now: Running | None) -> dict[str, Any]:
        places = self._news.outlook.places
        spans = ((), ()) if places is None else (places.decided, places.open)
        list_, tables = self._news.list, 0 if now is None else now.tables
        matches = 0 if list_ is None else self._store.count(list_.id)  # also those that are not rated yet

        def counts() -> str:
            played = say("site.alive.matches", count=matches)
            return f"{played} · {say('site.alive.tables', count=tables)}" if tables else played

        decided, open_ = (sum(span.last - span.first + 1 for span in runs) for runs in spans)
        return {
            "running": now is not None,
            "tables": tables,
            "matches": matches,
            "counts": in_all(counts),
            "decided": decided,
            "open": open_,
            "said": {} if places is None else in_all(places.said),
        }

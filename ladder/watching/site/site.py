"""Making the site of a home, as far as it has changed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from urllib.parse import urljoin

from bullring.arena.games.rulebook.language import asked, in_all, spoken
from bullring.arena.match.records.reader import Lines
from bullring.arena.study.analysis.kept import kept
from bullring.arena.watching.page.page import FRONT, asked_at, packed, shared, viewer
from bullring.arena.watching.page.page import page as replay_page
from bullring.arena.watching.page.preview import preview
from bullring.errors import RecordError
from bullring.installation import VERSION
from bullring.ladder.gauge.house_rating import with_house
from bullring.ladder.standings.logs import logs
from bullring.ladder.standings.overall import Overall
from bullring.ladder.standings.standings import Standings
from bullring.ladder.standings.titles import plain_title
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import BotRow
from bullring.ladder.store.store import Brief, Store
from bullring.ladder.watching.display.plots import Course
from bullring.ladder.watching.site import REPLAYS
from bullring.ladder.watching.site.analysing import analyse_some, turning_point
from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.pages import (
    LOGS,
    SHELF,
    TOLD,
    Listed,
    Ranked,
    Site,
    bot_page,
    index,
    list_page,
    matches_page,
    pairs_page,
    result_files,
    results,
)
from bullring.ladder.watching.site.profiles import moves, profiles
from bullring.ladder.watching.site.shelves import Order, made
from bullring.ladder.watching.site.stories import stories
from bullring.ladder.watching.site.words import list_head

POINTS = 30
"""Points of the course of a rating."""


class Report:
    """The site of a home in a folder. `make` may be called again and again: it writes only what has changed."""

    def __init__(
        self,
        home: Home,
        folder: Folder,
        replays: int = REPLAYS,
        *,
        logs: bool = False,
        refresh: int | None = None,
        live: bool = False,
        address: str | None = None,
        analyse: float = 0.0,
        offered: bool = False,
    ) -> None:
        """`replays` is how many of the last matches of each list get a page of their own; with `logs` bots' stderr is published.

        Pages that are open in a browser are loaded anew every `refresh` seconds, if their readers like. With `live`, for
        a server, they follow the events at `events` beside the first page instead, and if analyses are
        `offered`, readers may ask for one. `address` is where the site will be.
        Of the matches that are worth a look, and then of the newest, no analysis is begun after `analyse` seconds.
        """
        self._home = home
        self._folder = folder
        self._replays = replays
        self._logs = logs
        self._refresh = refresh
        self._live = live
        self._address = address
        self._analyse = analyse
        self._offered = offered if live else None
        self._name = home.name
        self._has_previews = bool(address) or not live
        """Whether pages have pictures for whoever is shown a link: a server that does not know its address cannot name them."""
        self._sizes: dict[int, int] = {}
        """How many matches each list had at the last time."""

    def make(self, store: Store, first: int | None = None) -> int:
        """Bring the site up to date, with the list `first` at the head of the first page (`index`).

        Returns the number of files written. Raises `WriteError`, `LadderError`.
        """
        before = self._folder.written
        with store.snapshot():
            bots = {row.id: row for row in store.bots()}
            standings = [Standings(store, list_) for list_ in store.lists(played=True)]
            lists = [_listed(self._home, store, one, bots) for one in standings]
            overall = _overall(store, standings)
            written = {row.id: self._written(store, row) for row in bots.values()} if self._logs else {}
        analyse_some(self._home, [match.id for match in self._worth(lists)], self._analyse)
        for listed in lists:
            found = {id: turning_point(self._home, id) for id in listed.notable}
            listed.turning = {id: point for id, point in found.items() if point is not None}
        shown = {match.id: (match, listed) for listed in lists for match in self._shown(listed)}
        if shown:
            name, text = shared()
            self._folder.text(f"program/{name}", text, alone=True)
        # A match without a page of its own, such as one whose record is missing, is looked for on its shelf.
        replays = frozenset(id for id, found in shown.items() if self._replay(*found))
        site = Site(
            self._name,
            bots,
            replays,
            written,
            {one.list.title: list_head(one.list) for one in lists},
            self._refresh,
            self._live,
        )
        for order, text in made(self._home, [order for listed in lists for order in self._orders(listed)]):
            self._folder.put(order.name, order.source, partial(str, text), alone=True)
        for listed in lists:
            self._folder.text(f"lists/{listed.list.id}.html", list_page(site, listed))
            self._folder.text(f"pairs/{listed.list.id}.html", pairs_page(site, listed))
            self._folder.text(f"matches/{listed.list.id}.html", matches_page(site, listed))
            for number in result_files(listed):
                text = json.dumps(results(listed, number), separators=(",", ":"))
                self._folder.text(f"results/{listed.list.id}-{number}.js", f'bullring("{packed(text)}");\n', alone=True)
        for bot in bots:
            self._folder.text(f"bots/{bot}.html", bot_page(site, bot, lists))
        self._folder.text("match.html", viewer(SHELF, self._name, offered=self._offered))
        self._folder.text("index.html", index(site, lists, overall, first))
        self._folder.finish()
        return self._folder.written - before

    def _written(self, store: Store, bot: BotRow) -> list[tuple[int, str]]:
        """The last matches of a bot, newest first, with what it wrote to stderr in them."""
        found = logs(self._home, store, [bot], LOGS)
        return [(match["match"], match["stderr"]) for match in reversed(found) if match["stderr"]]

    def _worth(self, lists: Sequence[Listed]) -> Iterator[Brief]:
        """The matches that readers see first: those of the first page, of the pages of lists, and the newest ones."""
        for most in (TOLD, None):
            for listed in lists:
                yield from (story.match for story in listed.stories(most))
        for listed in lists:
            yield from reversed(self._newest(listed))

    def _newest(self, listed: Listed) -> Sequence[Brief]:
        """The last matches, which have pages of their own."""
        return listed.matches[max(0, listed.size - self._replays) :]

    def _shown(self, listed: Listed) -> Iterator[Brief]:
        """The matches that get a page of their own.

        Beside quick bots, a server would make pages that are gone before somebody reads them: they are looked for on their shelves.
        """
        before = self._sizes.get(listed.list.id, 0)
        self._sizes[listed.list.id] = listed.size
        if not self._live or listed.size - before <= self._replays // 4:
            yield from self._newest(listed)
        yield from (match for match in listed.matches if match.id in listed.notable)

    def _replay(self, match: Brief, listed: Listed) -> bool:
        """Make the page of a match. Returns whether there is one."""
        try:
            analysis = kept(self._home.analysis(match.id), match.seal)
            bots = [f"../bots/{bot}.html" for bot in match.bots]
            links = {"front": FRONT, "home": f"../matches/{listed.list.id}.html"}
            links |= {word: f"../{address}" for word, address in listed.around(match).items()}
            spoken_in = (spoken().code, asked())
            analysed = "" if analysis is None else analysis.model_dump_json()
            ask = None if self._offered is None else asked_at(str(match.id), offered=self._offered)
            source = _source(
                match.seal, VERSION, spoken_in, links, analysed, self._name, self._address, ask, shared()[0]
            )
            page, picture = f"replays/{match.id}.html", f"replays/{match.id}.png"
            about = f"{self._name} · {plain_title(listed.list)}"
            if self._has_previews:
                made_from = _source(match.seal, VERSION, about)
                self._folder.put(picture, made_from, lambda: preview(self._record(match), about), alone=True)
            own_picture = f"{match.id}.png" if self._has_previews else None
            self._folder.put(
                page,
                source,
                lambda: replay_page(
                    self._record(match),
                    analysis,
                    links=links,
                    bots=bots,
                    number=match.id,
                    listed=in_all(lambda: plain_title(listed.list)),
                    ladder=self._name,
                    address=self._address and urljoin(self._address, page),
                    picture=urljoin(self._address, picture) if self._address else own_picture,
                    asked=ask,
                    program=f"../program/{shared()[0]}",
                ),
                alone=True,
            )
        except RecordError:
            return False
        return True

    def _record(self, match: Brief) -> Lines:
        """The record of a match. Raises `RecordError` unless it is whole."""
        lines = self._home.lines(match.id)
        if not lines.finished:
            raise RecordError(f"the record of match {match.id} has no end")
        return lines

    def _orders(self, listed: Listed) -> Iterator[Order]:
        """The shelves of a list that are not as they should be."""
        title = in_all(lambda: plain_title(listed.list))
        for number in listed.shelves:
            found = listed.shelf(number)
            name, source = (
                f"records/{listed.list.id}-{number}.js",
                _source(VERSION, title, [match.seal for match in found]),
            )
            if not self._folder.has(name, source):
                yield Order(name, source, [(match.id, match.bots) for match in found], title)


def _source(*parts: object) -> str:
    return sha256(json.dumps(parts).encode()).hexdigest()


def _overall(store: Store, standings: Sequence[Standings]) -> Ranked | None:
    """One rating over all lists; None if there is only one, or no bot has played in all of them."""
    rated = [one for one in standings if one.rated]
    found = Overall(store, rated)
    return Ranked(found.rows(), found.outlook()) if len(rated) > 1 and found.placed else None


def _listed(home: Home, store: Store, standings: Standings, bots: Mapping[int, BotRow]) -> Listed:
    """All facts about a list. Matches that are being played are not in the store."""
    list_ = standings.list
    rows = with_house(home, store, list_, standings.rows())
    found, faults = list(store.briefs(list_.id)), store.faults_in(list_.id)
    played = [row for row in rows if row.matches]
    names = [row.bot for row in played]
    histories = dict(zip(names, standings.histories(names, POINTS), strict=True))
    ids = {bot.name: id for id, bot in bots.items()}
    known = {ids[row.bot]: row.rating for row in rows if row.rating is not None}
    settled = {ids[row.bot]: row.rating for row in rows if row.rating is not None and not row.provisional}
    return Listed(
        rows,
        standings.outlook(),
        list_,
        standings.pairs(),
        [Course.of(bot, points) for bot, points in histories.items()],
        found,
        faults,
        standings.differences,
        profiles=profiles(found, known, list_.seats),
        moves=moves(rows, histories),
        notable=stories(found, {id: row.name for id, row in bots.items()}, settled, faults),
    )

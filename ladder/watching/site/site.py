"""Making the site of a home, as far as it has changed."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from bullring.arena.study.analysis.kept import kept
from bullring.arena.watching.page.page import page as replay_page
from bullring.errors import RecordError
from bullring.installation import VERSION
from bullring.ladder.gauge.house_rating import with_house
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.difference import Difference
from bullring.ladder.standings.logs import logs
from bullring.ladder.standings.overall import Overall
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import BotRow
from bullring.ladder.store.store import Brief, Store
from bullring.ladder.watching.display.plots import Course
from bullring.ladder.watching.site import REPLAYS
from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.pages import (
    LAST,
    LOGS,
    MATRIX,
    Listed,
    Ranked,
    Site,
    bot_page,
    index,
    list_page,
    look,
    matches_page,
    pairs_page,
)

NOTABLE = 5
"""Notable matches of each kind."""

POINTS = 30
"""Points of the course of a rating."""


class Report:
    """The site of a home in a folder. `make` may be called again and again: it writes only what has changed."""

    def __init__(self, home: Home, folder: Folder, replays: int = REPLAYS, *, logs: bool = False) -> None:
        """`replays` is how many of the last matches of each list get a page of their own; with `logs` bots' stderr is published."""
        self._home = home
        self._folder = folder
        self._replays = replays
        self._logs = logs

    def make(self, store: Store) -> int:
        """Bring the site up to date. Returns the number of files written. Raises `WriteError`, `LadderError`."""
        before = self._folder.written
        with store.snapshot():
            bots = {row.id: row for row in store.bots()}
            standings = [Standings(store, list_) for list_ in store.lists(played=True)]
            lists = [_listed(self._home, store, one, bots) for one in standings]
            overall = _overall(store, standings)
            written = {row.id: self._written(store, row) for row in bots.values()} if self._logs else {}
        shown = {match.id: match for listed in lists for match in self._shown(listed)}
        # A match without a page, such as one whose record is missing, is not a link either.
        replays = frozenset(id for id, match in shown.items() if self._replay(match))
        site = Site(bots, replays, written)
        for listed in lists:
            self._folder.text(f"lists/{listed.list.id}.html", list_page(site, listed))
            self._folder.text(f"pairs/{listed.list.id}.html", pairs_page(site, listed))
            for number in range(1, listed.pages + 1):
                self._matches(site, listed, number)
        for bot in bots:
            self._folder.text(f"bots/{bot}.html", bot_page(site, bot, lists))
        self._folder.text("index.html", index(site, lists, overall))
        self._folder.finish()
        return self._folder.written - before

    def _written(self, store: Store, bot: BotRow) -> list[tuple[int, str]]:
        """The last matches of a bot, newest first, with what it wrote to stderr in them."""
        found = logs(self._home, store, [bot], LOGS)
        return [(match["match"], match["stderr"]) for match in reversed(found) if match["stderr"]]

    def _shown(self, listed: Listed) -> Iterator[Brief]:
        """The matches that get a page of their own."""
        yield from listed.matches[max(0, len(listed.matches) - self._replays) :]
        yield from (match for match in listed.matches if match.id in listed.notable)

    def _replay(self, match: Brief) -> bool:
        """Make the page of a match. Returns whether there is one."""
        try:
            lines = self._home.lines(match.id)
            if not lines.finished:
                return False
            analysis = kept(self._home.analysis(match.id), lines.seal or "")
            source = _source(match.seal, VERSION, "" if analysis is None else analysis.model_dump_json())
            self._folder.put(
                f"replays/{match.id}.html",
                source,
                lambda: replay_page(lines, analysis, home="../index.html"),
                alone=True,
            )
        except RecordError:
            return False
        return True

    def _matches(self, site: Site, listed: Listed, number: int) -> None:
        found = listed.page(number)
        names = {bot: site.name(bot) for match in found for bot in match.bots}
        known = [match.id for match in found if match.id in site.replays]
        last = [found[0].id, found[-1].id, len(found), number < listed.pages]
        source = _source(
            look(), listed.list.title, last, sorted(names.items()), known, [bool(match.void) for match in found]
        )
        self._folder.put(f"matches/{listed.list.id}-{number}.html", source, lambda: matches_page(site, listed, number))


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
    found = list(store.briefs(list_.id))
    played = [row for row in rows if row.matches]
    courses = [
        Course.of(row.bot, points)
        for row, points in zip(played, standings.histories([row.bot for row in played], POINTS), strict=True)
    ]
    listed = Listed(
        rows,
        standings.outlook(),
        list_,
        standings.pairs(),
        courses,
        found,
        store.faults_in(list_.id),
        _compared(standings, rows),
    )
    listed.notable = _notable(listed, {id: row.name for id, row in bots.items()})
    listed.latest = _latest(found)
    return listed


def _compared(standings: Standings, rows: Sequence[Row]) -> Mapping[str, Sequence[Difference]]:
    """By bot, of the first ones: how it compares with each of the others."""
    bots = [row.bot for row in rows if row.rating is not None][:MATRIX]
    found: dict[str, list[Difference]] = {bot: [] for bot in bots}
    for one in standings.compare(bots) if len(bots) > 1 else ():
        found[one.bot].append(one)
        found[one.other].append(one.turned)
    return found


def _latest(matches: Sequence[Brief]) -> Mapping[int, Sequence[Brief]]:
    """The last matches of each bot, newest first."""
    found: defaultdict[int, list[Brief]] = defaultdict(list)
    for match in reversed(matches):
        for bot in set(match.bots):
            if len(found[bot]) < LAST:
                found[bot].append(match)
    return found


def _notable(listed: Listed, names: Mapping[int, str]) -> dict[int, str]:
    """Matches that people may want to see, and why."""
    counted = [match for match in listed.matches if match.counted and len(match.heads) > 1]
    ratings = {row.bot: row.rating for row in listed.rows}

    def margin(match: Brief) -> int:
        best, second, *_ = sorted(match.heads)
        return second - best

    def upset(match: Brief) -> float:
        """The mean rating of the others less that of the winner."""
        known = [ratings.get(names[bot]) for bot in match.bots]
        best = [rating for rating, rank in zip(known, match.ranks, strict=True) if rank == 1]
        if any(rating is None for rating in known) or len(best) != 1:
            return 0.0
        others = [rating for rating, rank in zip(known, match.ranks, strict=True) if rank != 1 and rating is not None]
        return sum(others) / len(others) - (best[0] or 0.0)

    faulty = {match for match, _ in listed.faults}
    kinds: Sequence[tuple[str, list[Brief]]] = (
        ("upset", sorted(counted, key=upset, reverse=True)[:NOTABLE]),
        ("closest", sorted(counted, key=lambda match: (margin(match), -match.id))[:NOTABLE]),
        ("highest", sorted(counted, key=lambda match: max(match.heads), reverse=True)[:NOTABLE]),
        ("faulty", [match for match in counted if match.id in faulty][-NOTABLE:]),
    )
    found: dict[int, str] = {}
    for why, matches in kinds:
        for match in matches:
            found.setdefault(match.id, why)
    return found

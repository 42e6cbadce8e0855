"""The pages of the site: the templates in `templates` say what is on them, this room has what they show."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any

from jinja2 import Environment

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.watching.page.jinja import environment
from bullring.installation import VERSION
from bullring.ladder.standings.columns import COLUMNS, Column, Row, bound, present, program
from bullring.ladder.standings.difference import Difference
from bullring.ladder.standings.lines import Line, lines, lines_of
from bullring.ladder.standings.outlook import Outlook
from bullring.ladder.store.rows import BotRow, ListRow
from bullring.ladder.store.store import Brief
from bullring.ladder.watching.display.plots import Course
from bullring.ladder.watching.display.tables import is_apart
from bullring.ladder.watching.site import charts
from bullring.ladder.watching.site.words import cell, error_title, say, title, told, value

PAGE = 500
"""Matches on a page. Pages are counted from the oldest matches on, so that full ones never change."""

LAST = 20
"""Last matches on the page of a bot, and of a list."""

LOGS = 5
"""Last matches of a bot whose stderr is shown, if it is asked for."""

LOG_LINES = 40
"""Last lines that are shown of it."""

MATRIX = 40
"""Bots in the matrix of pairs."""

KINDS = 200
"""Most lines of the table of faults."""

_STYLES = {"result": "text result"} | dict.fromkeys(
    ("bot", "list", "state", "language", "files", "added", "date", "kind", "what"), "text"
)
"""The styles of columns by their key; those of figures need none."""

_HERE = Path(__file__).parent
_TEMPLATES = _HERE / "templates"


@dataclass
class Ranked:
    """The standings of a list, or of all lists together."""

    rows: Sequence[Row]
    outlook: Outlook

    @cached_property
    def lines(self) -> Sequence[Line[Row]]:
        """The lines of its standings, one for each bot that opens to its other versions."""
        return lines_of(self.rows)

    def columns(self, *, front: bool) -> Sequence[Column]:
        """The columns of its standings, on the first page of the site or on a page of its own."""
        return [column for column in present(self.rows) if not front or "front" in column.pages]

    def notes(self, rows: Sequence[Row], *, front: bool) -> Sequence[str]:
        """The texts below the standings of some rows."""
        marks = {
            "open_note": any(bound(row)[:1] in ("<", ">") for row in rows),
            "apart_note": any(is_apart(row) for row in rows),
            "house_note": not front and any(row.house for row in rows),
        }
        return [note for note, is_needed in marks.items() if is_needed]


@dataclass
class Listed(Ranked):
    """All facts that the site shows of a list."""

    list: ListRow
    pairs: Sequence[Mapping[str, Any]]
    courses: Sequence[Course]
    matches: Sequence[Brief]
    faults: Mapping[tuple[int, int], Sequence[str]]
    differences: Mapping[str, Sequence[Difference]]
    """By bot, of the first ones of the standings: how it compares with each of the others."""
    notable: Mapping[int, str] = field(default_factory=dict)
    """By match, the key of the text that says why it is notable."""
    latest: Mapping[int, Sequence[Brief]] = field(default_factory=dict)
    """The last matches of each bot, newest first."""

    @property
    def size(self) -> int:
        """The number of matches."""
        return len(self.matches)

    @property
    def pages(self) -> int:
        """The number of pages with its matches."""
        return -(-len(self.matches) // PAGE)

    def page(self, number: int) -> Sequence[Brief]:
        """The matches on a page, from 1."""
        return self.matches[(number - 1) * PAGE : number * PAGE]

    @property
    def shown(self) -> Sequence[Row]:
        """The rows that are seen before a line is opened."""
        return [line.row for line in self.lines]

    @property
    def shown_courses(self) -> Sequence[Course]:
        """The courses of their ratings."""
        bots = {row.bot for row in self.shown}
        return [course for course in self.courses if course.bot in bots]

    def faults_of(self, match: Brief) -> int:
        """The number of faults in a match."""
        return sum(len(self.faults.get((match.id, bot), ())) for bot in match.bots)

    def course(self, row: Row) -> Sequence[Course]:
        """The course of a bot's rating."""
        return [one for one in self.courses if one.bot == row.bot]


@dataclass
class Site:
    """Facts that all pages share."""

    bots: Mapping[int, BotRow]
    replays: frozenset[int]
    """The matches that have a page of their own."""
    written: Mapping[int, Sequence[tuple[int, str]]] = field(default_factory=dict)
    """The stderr of bots: by bot, the numbers of matches with the text."""

    @property
    def lines(self) -> Sequence[Line[BotRow]]:
        """All bots, each with its other versions."""
        return lines(list(self.bots.values()), attrgetter("bot"))

    def name(self, bot: int) -> str:
        """The label of a bot."""
        return self.bots[bot].name

    def id(self, label: str) -> int:
        """The id of the bot with this label."""
        return next(id for id, row in self.bots.items() if row.name == label)


def index(site: Site, lists: Sequence[Listed], overall: Ranked | None) -> str:
    """The first page: all lists, each with its best bots, the rating over all of them, and all bots."""
    return _page("index.html", "Bullring", site, up="", lists=lists, overall=overall)


def list_page(site: Site, listed: Listed) -> str:
    """A list: standings, pictures, pairs, faults, and where its matches are."""
    return _page(
        "list.html",
        listed.list.title,
        site,
        listed=listed,
        matrix=_matrix(listed),
        faults=Counter((bot, kind) for (_, bot), kinds in listed.faults.items() for kind in kinds).most_common(KINDS),
        notable=[match for match in listed.matches if match.id in listed.notable],
        last=listed.matches[-LAST:][::-1],
    )


def pairs_page(site: Site, listed: Listed) -> str:
    """All pairs of the first bots of a list, in sentences."""
    return _page("pairs.html", listed.list.title, site, listed=listed)


def matches_page(site: Site, listed: Listed, number: int) -> str:
    """Page `number` of the matches of a list, from 1, oldest first."""
    chosen = listed.page(number)
    title = f"{listed.list.title}: {chosen[0].id}–{chosen[-1].id}"
    return _page("matches.html", title, site, listed=listed, number=number, chosen=chosen)


def bot_page(site: Site, bot: int, lists: Sequence[Listed]) -> str:
    """A bot: its versions, its places in all lists, and its last matches."""
    row = site.bots[bot]
    return _page(
        "bot.html",
        row.name,
        site,
        row=row,
        versions=[other for other in site.bots.values() if other.bot == row.bot],
        columns=[column for column in COLUMNS if "bot" in column.pages],
        results=[(listed, own) for listed in lists for own in listed.rows if own.bot == row.name and own.matches],
    )


def look() -> str:
    """A name for how pages look, which differs between versions of this program."""
    texts = [path.read_text("utf-8") for path in sorted(_TEMPLATES.iterdir())]
    return sha256("".join([VERSION, _style(), _script(), *texts]).encode()).hexdigest()


def _page(template: str, title: str, site: Site, *, up: str = "../", **values: object) -> str:
    """A whole page. `up` leads from it to the folder of the first page."""
    given = {"site": site, "up": up, "style": _style(), "script": _script(), **values}
    return _templates().get_template(template).render(title=f"{harmless(title, 120)} – Bullring", name=title, **given)


@cache
def _templates() -> Environment:
    made = environment(_TEMPLATES)
    made.globals |= {
        "languages": [(code, language.say("page.language_name")) for code, language in LANGUAGES.items()],
        "styles": _STYLES,
        "say": say,
        "cell": cell,
        "value": value,
        "title_of": title,
        "error_title_of": error_title,
        "program": program,
        "order": _order,
        "last_lines": _last_lines,
        "intervals": charts.intervals,
        "told": told,
        "courses": charts.courses,
    }
    return made


def _order(match: Brief) -> Sequence[int]:
    """The seats of a match, the best first."""
    return sorted(range(len(match.bots)), key=lambda seat: (match.ranks[seat], seat))


def _last_lines(text: str) -> str:
    return "\n".join(text.splitlines()[-LOG_LINES:])


def _matrix(listed: Listed) -> Mapping[str, Mapping[str, tuple[int, int] | None]]:
    """By bot and other bot, of the first ones of the standings: its share of points in per cent, and the number of matches."""
    bots = [row.bot for row in listed.shown if row.matches][:MATRIX]
    found = {
        (pair["bot"], pair["other"]): (round(100 * pair["share"]), pair["matches"])
        for pair in listed.pairs
        if pair["share"] is not None
    }
    return {bot: {other: found.get((bot, other)) for other in bots} for bot in bots}


@cache
def _style() -> str:
    hidden = ",\n".join(f'html[lang="{code}"] body [lang]:not([lang="{code}"], #language)' for code in LANGUAGES)
    return f"{(_HERE / 'site.css').read_text('utf-8')}{hidden} {{ display: none; }}\n"


@cache
def _script() -> str:
    return (_HERE / "site.js").read_text("utf-8")

"""The pages of the site: the templates in `templates` say what is on them, this room has what they show."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations, pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar

from jinja2 import Environment
from markupsafe import Markup, escape

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.watching.display.elo import margin, rated
from bullring.arena.watching.page.jinja import environment
from bullring.arena.watching.page.page import enclosed, script
from bullring.ladder.standings.columns import COLUMNS, Column, Row, bound, present, program, rating_text
from bullring.ladder.standings.difference import Difference
from bullring.ladder.standings.lines import Line, lines, lines_of
from bullring.ladder.standings.outlook import Outlook
from bullring.ladder.standings.titles import plain_title
from bullring.ladder.store.rows import BotRow, ListRow
from bullring.ladder.store.store import Brief
from bullring.ladder.watching.display.plots import Course
from bullring.ladder.watching.display.tables import is_apart
from bullring.ladder.watching.site import charts
from bullring.ladder.watching.site.analysing import TurningPoint
from bullring.ladder.watching.site.pairs import Pair, Pairs, pair_of, pairs_of, surprising
from bullring.ladder.watching.site.profiles import Moves, Profile
from bullring.ladder.watching.site.stories import Story
from bullring.ladder.watching.site.words import (
    cell,
    error_title,
    fault,
    figure,
    list_title,
    say,
    title,
    told,
    value,
)

KEPT = 20_000
"""The last matches of a list that can be looked at, and some more."""

SHELF = 250
"""Matches whose records are in one file. They are counted from the oldest on, so that full ones never change."""

RESULTS = 20
"""Shelves whose results are in one file."""

TOP = 10
"""Bots of a list on the first page."""

SPARE = 3
"""More bots than these are left out, or none."""

BRIEF = 5
"""Bots of the other lists on the first page, and of each list on that of a server, where tables come first."""

LATEST = 6
"""Last matches on the first page, and on that of a bot."""

TILES = ("rating", "wins", "heads")
"""Columns that are shown large on the page of a bot; the others follow in a list."""

TOLD = 4
"""Stories on the first page, and on that of a list."""

LOGS = 5
"""Last matches of a bot whose stderr is shown, if it is asked for."""

LOG_LINES = 40
"""Last lines that are shown of it."""

MATRIX = 40
"""Bots in the map of pairs."""

SMALL = 14
"""Bots in the map of pairs on the page of a list, where it shares the width."""

FEW = 10
"""Matches from which on a pair of the map has a colour."""

HEATS = {"h0": 24, "h1": 34, "h2": 44, "h3": 55, "h4": 65, "h5": 75, "h6": 100}
"""The colours of the map, each with the largest share of points that has it, in per cent as it is shown."""

RIVALS = 60
"""Opponents on the page of a bot: those that it met most often."""

FEW_RIVALS = 12
"""Opponents up to which they are one below the other on wide screens, too."""

LARGE = 30
"""Bots from which on the map of pairs has small figures."""

KINDS = 200
"""Most lines of the table of faults."""

_STYLES = {
    "version": "less",
    "added": "text less",
    "language": "text less",
    "files": "text less",
    "interval": "less",
    "course": "less",
    "form": "less",
} | dict.fromkeys(("bot", "list", "state", "kind"), "text")
"""The styles of columns by their key; those of figures need none."""

_HERE = Path(__file__).parent
_TEMPLATES = _HERE / "templates"


@dataclass
class Ranked:
    """The standings of a list, or of all lists together."""

    rows: Sequence[Row]
    outlook: Outlook
    moves: Moves = field(default_factory=Moves, kw_only=True)
    now: ClassVar[bool] = False
    """Whether they are told without what takes long to know: courses, moves and older results."""

    @cached_property
    def lines(self) -> Sequence[Line[Row]]:
        """The lines of its standings, one for each bot that opens to its other versions."""
        return lines_of(self.rows)

    def top(self, most: int | None) -> Sequence[Line[Row]]:
        """The first lines, about `most`; None: all."""
        return self.lines if most is None or len(self.lines) <= most + SPARE else self.lines[:most]

    def columns(self, page: str | None = None) -> Sequence[Column]:
        """The columns of its standings on a page, as columns name it; without one, all columns."""
        return [column for column in present(self.rows) if page is None or page in column.pages]

    def notes(self, rows: Sequence[Row], *, front: bool) -> Sequence[str]:
        """The texts below the standings of some rows."""
        marks = {
            "moved_note": any(self.moves.places.get(row.bot) for row in rows),
            "provisional_note": any(row.provisional for row in rows),
            "open_note": any(bound(row)[:1] in ("<", ">") for row in rows),
            "apart_note": any(is_apart(row) for row in rows),
            "house_note": not front and any(row.house for row in rows),
        }
        return [note for note, is_needed in marks.items() if is_needed]


@dataclass
class Now(Ranked):
    """The standings of a list as they are now."""

    list: ListRow
    forms: Mapping[str, Sequence[int]]
    """The places in the last matches, by those bots of which they are known."""
    now = True

    def form(self, _: "Site", row: Row) -> Sequence[int] | None:
        """The places of a bot in its last matches, the oldest first; None if they are not known."""
        return self.forms.get(row.bot)


@dataclass
class Listed(Ranked):
    """All facts that the site shows of a list."""

    list: ListRow
    pairs: Sequence[Mapping[str, Any]]
    courses: Sequence[Course]
    matches: Sequence[Brief]
    faults: Mapping[tuple[int, int], Sequence[str]]
    compare: Callable[[Iterable[tuple[str, str]]], Sequence[Difference]]
    """How pairs of bots compare, by their labels."""
    notable: Mapping[int, Story] = field(default_factory=dict)
    """By match, why it is notable."""
    profiles: Mapping[int, Profile] = field(default_factory=dict)
    """By bot."""
    turning: Mapping[int, TurningPoint] = field(default_factory=dict)
    """By match that is worth a look, where it was decided, if it was analysed."""

    @property
    def updated(self) -> str:
        """When the newest of its matches began: date and time in UTC."""
        return max(match.began for match in self.matches)

    @property
    def size(self) -> int:
        """The number of matches."""
        return len(self.matches)

    @property
    def placed(self) -> int:
        """The number of bots that have a place."""
        return sum(1 for row in self.rows if row.settled is not None)

    @property
    def shelves(self) -> range:
        """The numbers of the shelves that are kept, from 0."""
        return range(max(0, self.size - KEPT) // SHELF, -(-self.size // SHELF))

    def shelf(self, number: int) -> Sequence[Brief]:
        """The matches on a shelf."""
        return self.matches[number * SHELF : (number + 1) * SHELF]

    def shelf_of(self, match: Brief) -> int | None:
        """The number of the shelf with a match; None if it is older than those that are kept."""
        number = self._at[match.id] // SHELF
        return number if number in self.shelves else None

    def on_shelf(self, match: Brief) -> str | None:
        """The address of the page that shows any match, with this one; None if it is older than those that are kept."""
        shelf = self.shelf_of(match)
        return None if shelf is None else f"match.html?{self.list.id}-{shelf}-{match.id}"

    def around(self, match: Brief) -> Mapping[str, str]:
        """The addresses of the matches before and after one, by their words."""
        at = self._at[match.id]
        found = {"earlier": self.matches[at - 1 : at], "later": self.matches[at + 1 : at + 2]}
        addresses = {word: self.on_shelf(one) for word, matches in found.items() for one in matches}
        return {word: address for word, address in addresses.items() if address is not None}

    @cached_property
    def _at(self) -> Mapping[int, int]:
        return {match.id: at for at, match in enumerate(self.matches)}

    @property
    def shown(self) -> Sequence[Row]:
        """The rows that are seen before a line is opened."""
        return [line.row for line in self.lines]

    @property
    def shown_courses(self) -> Sequence[Course]:
        """The courses of their ratings."""
        bots = {row.bot for row in self.shown}
        return [course for course in self.courses if course.bot in bots]

    def stories(self, most: int | None = None) -> Sequence[Story]:
        """What is told of its matches; if at `most` so many, each of another kind."""
        found = list(self.notable.values())
        return found if most is None else list({story.kind: story for story in reversed(found)}.values())[::-1][:most]

    def faults_of(self, match: Brief) -> int:
        """The number of faults in a match."""
        return sum(len(self.faults.get((match.id, bot), ())) for bot in match.bots)

    def form(self, site: "Site", row: Row) -> Sequence[int]:
        """The places of a bot in its last matches, the oldest first."""
        profile, id = self.profiles.get(site.id(row.bot)), site.id(row.bot)
        return () if profile is None else profile.form(id)

    def course(self, row: Row) -> Sequence[Course]:
        """The course of a bot's rating."""
        return [one for one in self.courses if one.bot == row.bot]

    @cached_property
    def _met(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """The results of pairs, by bot and other bot."""
        found: dict[str, dict[str, Mapping[str, Any]]] = {}
        for pair in self.pairs:
            found.setdefault(pair["bot"], {})[pair["other"]] = pair
        return found

    @cached_property
    def _place(self) -> Mapping[str, int]:
        return {row.bot: at for at, row in enumerate(self.rows)}

    @cached_property
    def map(self) -> Pairs:
        """The pairs of the first bots."""
        bots = [row.bot for row in self.shown if row.rating is not None][:MATRIX]
        met = {(bot, other): pair for bot in bots for other, pair in self._met.get(bot, {}).items()}
        return pairs_of(bots, met, self.compare(combinations(bots, 2)))

    def rivals(self, row: Row) -> Sequence[Pair]:
        """A bot against those that it met most often, in the order of the standings."""
        met = self._met.get(row.bot, {})
        often = sorted(met, key=lambda other: -met[other]["matches"])[:RIVALS]
        others = sorted((other for other in often if other in self._place), key=self._place.__getitem__)
        away = {one.other: one for one in self.compare((row.bot, other) for other in others)}
        return [pair_of(row.bot, other, met[other], away.get(other)) for other in others]

    def row(self, bot: str) -> Row:
        """The row of a bot."""
        return self.rows[self._place[bot]]

    def against_older(self, row: Row) -> Sequence[Difference]:
        """How a version compares with the others of its bot."""
        same = [
            one.bot for one in self.rows if one.name == row.name != "" and one.bot != row.bot and one.rating is not None
        ]
        return self.compare((row.bot, other) for other in same) if row.rating is not None else ()


@dataclass
class Site:
    """Facts that all pages share."""

    ladder: str
    """The name of the ladder."""
    bots: Mapping[int, BotRow]
    replays: frozenset[int]
    """The matches that have a page of their own."""
    written: Mapping[int, Sequence[tuple[int, str]]] = field(default_factory=dict)
    """The stderr of bots: by bot, the numbers of matches with the text."""

    titles: Mapping[str, Markup] = field(default_factory=dict)
    """The lists as heads of columns, by their titles elsewhere."""
    refresh: int | None = None
    """Seconds after which pages are loaded anew; None: they are not."""
    live: bool = False
    """Whether pages follow the events of a server."""

    @property
    def lines(self) -> Sequence[Line[BotRow]]:
        """All bots, each with its other versions."""
        return lines(sorted(self.bots.values(), key=lambda row: row.bot.casefold()), attrgetter("bot"))

    def replay(self, listed: Listed, match: Brief) -> str | None:
        """The address of a page that shows a match; None if there is none."""
        if match.id in self.replays:
            return f"replays/{match.id}.html"
        return listed.on_shelf(match)

    def name(self, bot: int) -> str:
        """The label of a bot."""
        return self.bots[bot].name

    def id(self, label: str) -> int:
        """The id of the bot with this label."""
        return self._ids[label]

    @cached_property
    def _ids(self) -> Mapping[str, int]:
        return {row.name: id for id, row in self.bots.items()}


def standings_now(bots: Mapping[int, BotRow], listed: Now) -> str:
    """The standings of the first page of a server as HTML."""
    site = Site("", bots, frozenset(), live=True)
    return _templates().get_template("standings.html").render(site=site, listed=listed, up="", top=BRIEF)


def index(site: Site, lists: Sequence[Listed], overall: Ranked | None, first: int | None = None) -> str:
    """The first page: all lists, each with its best bots, the rating over all of them, and all bots.

    The list with the number `first` is told at length, else the one with the most matches.
    """
    ordered = sorted(lists, key=lambda listed: (listed.list.id != first, -listed.size))
    return _page(
        "index.html",
        site.ladder,
        site,
        up="",
        lists=ordered,
        overall=overall,
        top=BRIEF if site.live else TOP,
        brief=BRIEF,
        latest=LATEST,
        told_of=TOLD - site.live,
    )


def list_page(site: Site, listed: Listed) -> str:
    """A list: standings, pictures, pairs, faults, and where its matches are."""
    return _page(
        "list.html",
        plain_title(listed.list),
        site,
        listed=listed,
        small=SMALL,
        told_of=TOLD,
        faults=Counter((bot, kind) for (_, bot), kinds in listed.faults.items() for kind in kinds).most_common(KINDS),
        last=listed.matches[-LATEST:][::-1],
    )


def pairs_page(site: Site, listed: Listed) -> str:
    """All pairs of the first bots of a list, and what is surprising about them."""
    return _page("pairs.html", plain_title(listed.list), site, listed=listed, small=SMALL)


def matches_page(site: Site, listed: Listed) -> str:
    """The last matches of a list."""
    shelves = listed.shelves
    files = {
        "list": listed.list.id,
        "files": [f"{listed.list.id}-{number}" for number in result_files(listed)],
        "shelf": SHELF,
        "notable": {id: story.kind for id, story in listed.notable.items()},
    }
    names = {
        bot: harmless(site.name(bot)) for number in shelves for match in listed.shelf(number) for bot in match.bots
    }
    return _page(
        "matches.html",
        plain_title(listed.list),
        site,
        listed=listed,
        names=names,
        files=files,
        kept=KEPT,
        script=_script(site.live, "matches"),
    )


def result_files(listed: Listed) -> range:
    """The numbers of the files with the results of the matches that are kept."""
    shelves = listed.shelves
    return range(shelves.start // RESULTS, -(-shelves.stop // RESULTS))


def results(listed: Listed, number: int) -> Sequence[Sequence[object]]:
    """What a file of results says of each match, the oldest first; the last of it is its place among all of the list."""
    size = SHELF * RESULTS
    return [
        [
            match.id,
            match.began,
            match.bots,
            match.ranks or [0] * len(match.bots),
            match.heads,
            listed.faults_of(match),
            int(bool(match.void)),
            at,
        ]
        for at, match in enumerate(listed.matches[number * size : (number + 1) * size], number * size)
    ]


def bot_page(site: Site, bot: int, lists: Sequence[Listed]) -> str:
    """A bot: its versions, its places in all lists, and its last matches."""
    row = site.bots[bot]
    return _page(
        "bot.html",
        row.name,
        site,
        row=row,
        versions=[other for other in site.bots.values() if other.bot == row.bot],
        tiles={column.key: column for column in COLUMNS if column.key in TILES},
        columns=[column for column in COLUMNS if "bot" in column.pages and column.key not in TILES],
        latest=LATEST,
        most_rivals=RIVALS,
        few_rivals=FEW_RIVALS,
        results=sorted(
            ((listed, own) for listed in lists for own in listed.rows if own.bot == row.name and own.matches),
            key=lambda found: -found[1].matches,
        ),
    )


def _page(template: str, title: str, site: Site, *, up: str = "../", **values: object) -> str:
    """A whole page. `up` leads from it to the folder of the first page."""
    given = {"site": site, "up": up, "style": _style(site.live, *LANGUAGES), "script": _script(site.live), **values}
    return _templates().get_template(template).render(title=f"{harmless(title, 120)} – Bullring", name=title, **given)


@cache
def _templates() -> Environment:
    made = environment(_TEMPLATES)
    made.globals |= {
        "languages": lambda: [(code, language.say("page.language_name")) for code, language in LANGUAGES.items()],
        "styles": _STYLES,
        "say": say,
        "cell": cell,
        "value": value,
        "title_of": title,
        "error_title_of": error_title,
        "fault": fault,
        "beside": _beside,
        "style_of": _style_of,
        "percent": lambda share: figure(f"{100 * share:.1f} %"),
        "away": _away,
        "chance_of": _chance,
        "heat": _heat,
        "heats": _heats(),
        "breaking": _breaking,
        "few": FEW,
        "large": LARGE,
        "heads_bar": charts.heads,
        "rated_heads": _rated_heads,
        "rating_of": _rating_of,
        "rank_of": charts.rank,
        "share_bar": charts.share,
        "program": program,
        "order": _order,
        "last_lines": _last_lines,
        "list_title": list_title,
        "interval": charts.interval,
        "spark": charts.spark,
        "places": charts.places,
        "surprising": surprising,
        "told": told,
        "courses": charts.courses,
    }
    return made


def _order(match: Brief) -> Sequence[int]:
    """The seats of a match, the best first."""
    return sorted(range(len(match.bots)), key=lambda seat: (match.ranks[seat], seat))


def _style_of(column: Column) -> str:
    """The style of a column's cells; phones leave some out."""
    return "text" if column.is_text else "less" if column.weight > 1 else ""


def _beside(column: Column, row: Row) -> Markup:
    """What is beside a value, in the same cell: half of an interval, or a word."""
    text = column.beside(row)
    return Markup(" <small>{}{}</small>").format("±" if text[:1].isdigit() else "", figure(text)) if text else Markup()


def _away(one: Difference | None) -> Markup | str:
    """The difference to a rival in Elo."""
    if one is None or one.elo is None:
        return ""
    text, beside = rated(round(one.elo) or 0, one.error), margin(one.error)
    signed = text if text.startswith(("-", "0")) else f"+{text}"
    return escape(signed) + (Markup(" <small>±{}</small>").format(beside) if beside else "")


def _chance(one: Difference | None) -> str:
    """How likely a bot is the stronger one, in per cent; never 0 or 100."""
    if one is None or one.chance is None:
        return ""
    return "<1" if one.chance < 0.01 else ">99" if one.chance > 0.99 else f"{100 * one.chance:.0f}"


def _heat(pair: Pair) -> str:
    """The style of a pair on the map: by its share of points, if it has met often enough."""
    share = pair.share
    if share is None:
        return ""
    return "few" if pair.matches < FEW else next(heat for heat, most in HEATS.items() if round(100 * share) <= most)


def _heats() -> list[tuple[str, str]]:
    """The styles of the map, each with the shares that have it."""
    *inner, _ = mosts = [*HEATS.values()]
    shares = [f"≤{mosts[0]}", *(f"{low + 1}–{high}" for low, high in pairwise(inner)), f"≥{inner[-1] + 1}"]
    return [*zip(HEATS, shares, strict=True)]


def _breaking(name: str) -> Markup:
    """A name that goes over to another line where people would break it, if it must."""
    return Markup(re.sub("(?<=[-_./])", "<wbr>", str(escape(harmless(name)))))  # which is escaped


def _rated_heads(results: Sequence[tuple[Listed, Row]]) -> Markup:
    """The heads of columns with the ratings of versions, one for each list."""
    return Markup().join(
        Markup('<th scope="col">{}</th>').format(say("rated") if len(results) == 1 else list_title(listed.list))
        for listed, _ in results
    )


def _rating_of(listed: Listed, bot: BotRow) -> Markup:
    """The rating of a version in a list, with what is beside it."""
    row = next((row for row in listed.rows if row.bot == bot.name), None)
    return Markup() if row is None else escape(rating_text(row)) + _beside(COLUMNS[0], row)


def _last_lines(text: str) -> str:
    return "\n".join(text.splitlines()[-LOG_LINES:])


@cache
def _style(live: bool, *codes: str) -> str:
    """The style of all pages, which shows one of the languages with these codes."""
    styles = "".join((_HERE / f"{name}.css").read_text("utf-8") for name in (("site", "alive") if live else ("site",)))
    hidden = ",\n".join(f'html[lang="{code}"] body [lang]:not([lang="{code}"], #language)' for code in codes)
    return f"{styles}{hidden} {{ display: none; }}\n"


@cache
def _script(live: bool, *more: str) -> str:
    more = (*more, "alive") if live else more
    texts = [(_HERE / f"{name}.js").read_text("utf-8") for name in ("site", *more)]
    shared = ["unpacking"] if more else []
    shared += ["loading"] if "matches" in more else []
    return enclosed(*map(script, shared), *texts)

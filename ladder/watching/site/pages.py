"""What stands on each page of the site."""

from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from bullring.arena.cells.text.harmless import harmless
from bullring.installation import VERSION
from bullring.ladder.standings.columns import COLUMNS, Column, Row, bound, present, program
from bullring.ladder.store.rows import BotRow, ListRow
from bullring.ladder.store.store import Brief
from bullring.ladder.watching.display.plots import Course
from bullring.ladder.watching.display.tables import is_apart
from bullring.ladder.watching.site import charts, texts
from bullring.ladder.watching.site.html import Content, Html, both, element, html, joined, lines

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

SHORT = 9
"""Columns of the standings on the first page."""

_STYLES = {"result": "text result"} | dict.fromkeys(
    ("bot", "list", "state", "language", "files", "program", "added", "date", "kind", "what"), "text"
)
"""The style of columns of text; those of numbers need none."""

_HERE = Path(__file__).parent


class Head(NamedTuple):
    """The head of a column."""

    title: Html = Html("")
    style: str | None = None
    """Of the column; those of figures need none."""


_STYLES = {"result": "text result"} | dict.fromkeys(
    ("bot", "list", "state", "language", "files", "added", "date", "kind", "what"), "text"
)

HEADS = {"": Head()} | {name: Head(title, _STYLES.get(name)) for name, title in texts.COLUMNS.items()}
"""The heads of columns that are not of the standings."""


@dataclass
class Listed:
    """Everything that the site says of a list."""

    list: ListRow
    rows: Sequence[Row]
    pairs: Sequence[Mapping[str, Any]]
    courses: Sequence[Course]
    matches: Sequence[Brief]
    faults: Mapping[tuple[int, int], Sequence[str]]
    notable: Mapping[int, Html] = field(default_factory=dict)
    """Why a match is notable, by its id."""
    latest: Mapping[int, Sequence[Brief]] = field(default_factory=dict)
    """The last matches of each bot, newest first."""


@dataclass
class Site:
    """Everything that all pages share."""

    bots: Mapping[int, BotRow]
    replays: frozenset[int]
    """The matches that have a page of their own."""
    written: Mapping[int, Sequence[tuple[int, str]]] = field(default_factory=dict)
    """What bots wrote to stderr: by bot, the numbers of matches with the text."""

    def name(self, bot: int) -> str:
        """The label of a bot."""
        return self.bots[bot].name

    def link(self, bot: int, up: str = "../") -> Html:
        """The label as a link to the bot's page."""
        return element("a", self.name(bot), href=f"{up}bots/{bot}.html")

    def id(self, label: str) -> int:
        """The id of the bot with this label."""
        return next(id for id, row in self.bots.items() if row.name == label)


def index(site: Site, lists: Sequence[Listed]) -> str:
    """The first page: all lists, each with its best bots, and all bots."""
    parts: list[Content] = [] if lists else [element("p", texts.EMPTY)]
    for listed in sorted(lists, key=lambda one: -len(one.matches)):
        title = element("a", listed.list.title, href=f"lists/{listed.list.id}.html")
        parts.append(element("section", element("h2", title), standings(site, listed, up="", most=10)))
    rows: list[list[Content]] = [
        [site.link(row.id, ""), row.version, texts.STATES[row.state], row.entry.language, row.added[:10]]
        for row in site.bots.values()
    ]
    parts.append(
        element(
            "section",
            element("h2", texts.BOTS),
            table(texts.BOTS, heads("bot", "version", "state", "language", "added"), rows),
        )
    )
    return page(texts.SITE, "Bullring", joined(parts), up="")


def list_page(site: Site, listed: Listed) -> str:
    """A list: standings, pictures, pairs, faults, and where its matches are."""
    pages = -(-len(listed.matches) // PAGE)
    last = listed.matches[-LAST:][::-1]
    parts = [
        element("p", texts.HOW, class_="note"),
        element("section", element("h2", texts.STANDINGS), standings(site, listed)),
        element("section", element("h2", texts.RATINGS), charts.intervals(listed.rows)),
        element("section", element("h2", texts.COURSES), charts.courses(listed.courses)),
        element("section", element("h2", texts.PAIRS), matrix(site, listed)),
        element("section", element("h2", texts.FAULTS), faults(site, listed)),
    ]
    if listed.notable:
        chosen = [match for match in listed.matches if match.id in listed.notable]
        parts.append(element("section", element("h2", texts.NOTABLE), matches(site, listed, chosen, why=True)))
    links = [
        element("li", element("a", number, href=f"../matches/{listed.list.id}-{number}.html"))
        for number in range(1, pages + 1)
    ]
    parts.append(
        element(
            "section",
            element("h2", texts.LAST_MATCHES),
            matches(site, listed, last),
            element("nav", element("h3", texts.PAGES), element("ol", *links, class_="pages")),
        )
    )
    return page(html(listed.list.title), listed.list.title, joined(parts))


def standings(site: Site, listed: Listed, *, up: str = "../", most: int | None = None) -> Html:
    """The table that `bullring ladder table` prints; of the best `most` bots, only the columns for the first page."""
    rows = listed.rows[:most]
    columns = [column for column in present(listed.rows) if most is None or column.on_front]
    heads = [HEADS["place"], HEADS["bot"], *heads_of(columns)]
    lines = [[row.place, site.link(site.id(row.bot), up), *cells_of(columns, row)] for row in rows]
    notes = []
    if any(bound(row)[:1] in ("<", ">") for row in rows):
        notes.append(texts.OPEN_NOTE)
    if any(is_apart(row) for row in rows):
        notes.append(texts.APART_NOTE)
    if any(row.house for row in rows) and most is None:
        notes.append(texts.HOUSE_NOTE)
    said = [element("p", note, class_="note") for note in notes]
    return joined([table(texts.STANDINGS, heads, lines, sortable=True), *said])


def heads_of(columns: Sequence[Column]) -> Iterator[Head]:
    """The heads of columns of the standings; an error has a column of its own where it has a title."""
    for column in columns:
        yield Head(both(*column.titles), "text" if column.is_text else None)
        if column.error_titles is not None:
            yield Head(both(*column.error_titles))


def cells_of(columns: Sequence[Column], row: Row) -> Iterator[Content]:
    """The cells of a row under them."""
    for column in columns:
        yield translated(column.shown(row))
        if column.error_titles is not None:
            yield translated(column.beside(row))


def translated(text: str) -> Content:
    """The text of a cell; words in both languages."""
    return texts.WORDS.get(text, text)


def matrix(site: Site, listed: Listed) -> Html:
    """The results of all pairs of the first bots of the standings."""
    bots = [row.bot for row in listed.rows if row.matches][:MATRIX]
    found = {(pair["bot"], pair["other"]): pair for pair in listed.pairs}
    head = [element("td"), *(element("th", element("span", bot), scope="col") for bot in bots)]
    lines = []
    for bot in bots:
        cells = []
        for other in bots:
            pair = found.get((bot, other))
            if pair is None or pair["share"] is None:
                cells.append(element("td", "·" if bot == other else ""))
                continue
            share = round(100 * pair["share"])
            below = element("small", pair["matches"])
            cells.append(element("td", share, " ", below, class_=f"share h{min(9, share // 10)}"))
        lines.append(element("tr", element("th", site.link(site.id(bot)), scope="row"), *cells))
    grid = element(
        "table",
        element("caption", texts.PAIRS_NOTE),
        element("thead", element("tr", *head)),
        element("tbody", *lines),
        class_="matrix",
    )
    return element("div", grid, class_="wide", tabindex=0)


def faults(site: Site, listed: Listed) -> Html:
    """How often each bot made each kind of fault."""
    counts: Counter[tuple[int, str]] = Counter()
    for (_, bot), kinds in listed.faults.items():
        counts.update((bot, kind) for kind in kinds)
    if not counts:
        return element("p", texts.NO_FAULTS)
    rows: list[list[Content]] = [[site.link(bot), kind, count] for (bot, kind), count in counts.most_common(200)]
    return table(texts.FAULTS, heads("bot", "kind", "count"), rows, sortable=True)


def matches(site: Site, listed: Listed, chosen: Sequence[Brief], *, why: bool = False, up: str = "../") -> Html:
    """A table of matches."""
    names = {id: site.link(id, up) for match in chosen for id in match.bots}
    lines = []
    for match in chosen:
        order = sorted(range(len(match.bots)), key=lambda seat: (match.ranks[seat], seat))
        told = ", ".join(f"{match.ranks[seat] or '–'}. {names[match.bots[seat]]} {match.heads[seat]}" for seat in order)
        known = element("a", texts.REPLAY, href=f"{up}replays/{match.id}.html") if match.id in site.replays else ""
        count = sum(len(listed.faults.get((match.id, bot), ())) for bot in match.bots)
        cells: list[Content] = [
            match.id,
            match.began[:16].replace("T", " "),
            Html(told),
            count or "",
            texts.VOID if match.void else "",
            known,
        ]
        lines.append([*cells, *([listed.notable.get(match.id)] if why else [])])
    note = element("p", texts.VOID_NOTE, class_="note") if any(match.void for match in chosen) else ""
    columns = heads("match", "date", "result", "faults", "", "", *(["what"] if why else []))
    return joined([table(texts.MATCHES, columns, lines), note])


def matches_page(site: Site, listed: Listed, number: int) -> str:
    """Page `number` of the matches of a list, from 1, oldest first."""
    chosen = listed.matches[(number - 1) * PAGE : number * PAGE]
    pages = -(-len(listed.matches) // PAGE)
    links = []
    if number > 1:
        links.append(element("a", texts.OLDER, href=f"{listed.list.id}-{number - 1}.html", rel="prev"))
    if number < pages:
        links.append(element("a", texts.NEWER, href=f"{listed.list.id}-{number + 1}.html", rel="next"))
    back = element("p", element("a", listed.list.title, href=f"../lists/{listed.list.id}.html"))
    around = element("p", *(joined([link, " "]) for link in links))
    title = f"{listed.list.title}: {chosen[0].id}–{chosen[-1].id}"
    return page(html(title), title, joined([back, around, matches(site, listed, chosen), around]))


def bot_page(site: Site, bot: int, lists: Sequence[Listed]) -> str:
    """A bot: its versions, its places in all lists, and its last matches."""
    row = site.bots[bot]
    versions = [other for other in site.bots.values() if other.bot == row.bot]
    known: list[list[Content]] = [
        [
            site.link(other.id),
            other.version,
            state(other),
            other.entry.language,
            translated(program(other.contents.hash, whole=other.contents.whole)),
            other.added[:10],
        ]
        for other in versions
    ]
    parts = [
        element(
            "section",
            element("h2", texts.VERSIONS),
            table(texts.VERSIONS, heads("bot", "version", "state", "language", "files", "added"), known),
        )
    ]
    columns = [column for column in COLUMNS if column.on_bot]
    results, last = [], []
    for listed in lists:
        own = next((one for one in listed.rows if one.bot == row.name and one.matches), None)
        if own is None:
            continue
        place = element("a", listed.list.title, href=f"../lists/{listed.list.id}.html")
        results.append([place, own.place, *cells_of(columns, own)])
        course = [one for one in listed.courses if one.bot == row.name and not own.anchor]
        latest = listed.latest.get(bot, ())
        last.append(
            element(
                "section",
                element("h2", listed.list.title),
                charts.courses(course),
                element("h3", texts.LAST_MATCHES),
                matches(site, listed, latest),
            )
        )
    titles = [HEADS["list"], HEADS["place"], *heads_of(columns)]
    parts.append(element("section", element("h2", texts.RESULTS), table(texts.RESULTS, titles, results)))
    written = [
        element(
            "details",
            element("summary", texts.MATCH, " ", number),
            element("pre", lines("\n".join(text.splitlines()[-LOG_LINES:])), class_="wide", tabindex=0),
        )
        for number, text in site.written.get(bot, ())
    ]
    if written:
        last.append(element("section", element("h2", texts.LOGS), *written))
    return page(html(row.name), row.name, joined([*parts, *last]))


def state(row: BotRow) -> Content:
    """The state of a bot, and why. Reasons that may name a path of the machine are not published."""
    known = texts.STATES[row.state]
    return known if not row.reason or "/" in row.reason else joined([known, ": ", row.reason])


def heads(*names: str) -> list[Head]:
    """Some of `HEADS`."""
    return [HEADS[name] for name in names]


def table(caption: Html, columns: Sequence[Head], rows: Sequence[Sequence[Content]], *, sortable: bool = False) -> Html:
    """A table whose rows are headed by the bot, else by their first cell."""
    titles = [
        element(
            "th",
            element("button", head.title, type="button") if sortable else head.title,
            scope="col",
            class_=head.style,
        )
        if head.title
        else element("td")
        for head in columns
    ]
    at = columns.index(HEADS["bot"]) if HEADS["bot"] in columns else 0
    body = [
        element(
            "tr",
            *(
                element("th", cell, scope="row") if number == at else element("td", cell, class_=head.style)
                for number, (head, cell) in enumerate(zip(columns, row, strict=True))
            ),
        )
        for row in rows
    ]
    drawn = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *titles)),
        element("tbody", *body),
        class_="sortable" if sortable else None,
    )
    return element("div", drawn, class_="wide", tabindex=0)


def page(title: Html, plain: str, content: Html, *, up: str = "../") -> str:
    """A whole page. `up` leads from it to the first page's folder."""
    style, script = _style(), _script()
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}';"
        " base-uri 'none'; form-action 'none'"
    )
    head = joined(
        [
            Html('<meta charset="utf-8">'),
            Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            Html('<link rel="icon" href="data:,">'),
            element("title", f"{harmless(plain, 120)} – Bullring"),
            Html(f"<style>{style}</style>"),
        ]
    )
    top = element(
        "header",
        element("a", texts.SKIP, href="#content", class_="skip"),
        element("a", texts.SITE, href=f"{up}index.html", class_="home"),
        Html('<button type="button" id="language" lang="de">Deutsch</button>'),
    )
    main = element("main", element("h1", title), content, id="content", tabindex=-1)
    foot = element("footer", f"Bullring {VERSION}")
    body = element("body", top, main, foot, Html(f"<script>{script}</script>"))
    return f'<!doctype html>\n<html lang="en">{element("head", head)}{body}</html>\n'


@cache
def _style() -> str:
    return (_HERE / "site.css").read_text("utf-8")


@cache
def _script() -> str:
    return (_HERE / "site.js").read_text("utf-8")


@cache
def look() -> str:
    """What tells pages apart that say the same and were made by different versions."""
    return sha256("".join([VERSION, _style(), _script()]).encode()).hexdigest()


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"

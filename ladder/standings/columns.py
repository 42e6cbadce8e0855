"""The row of a bot in the standings, and the columns: each is one entry of `COLUMNS`, which everything that shows standings reads.

Terminal, site, JSON, CSV, Markdown and docs/ratings.md follow from the entry. A column of something that is added up over a bot's
matches declares its sums, too: homes that were written without them add them up from their matches.
"""

import re
import shlex
from bisect import bisect_left
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import inf, isfinite
from typing import Any

from bullring.arena.cells.files.hash import short
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say, spoken
from bullring.arena.match.clock.plain_time import counts_plain_time
from bullring.arena.watching.display.elo import margin, provisional, rated
from bullring.ladder.store.rows import SeatRow, State

NUMBER = re.compile(r"[^.]*[0-9]\.[0-9]+ ?%?")
"""A number with a point."""

NAMED = 3
"""Most bots that a note names."""


@dataclass(frozen=True)
class Row:
    """One bot's line in the standings."""

    place: int | None
    """Place among the active bots, from 1; None if the bot has no rating, is not active, or is not connected with the mean."""
    bot: str
    state: State
    anchor: bool
    """Whether it is the anchor that was chosen, whose rating is given."""
    rating: float | None
    """Elo."""
    error: float | None
    """Half of the 95 % interval of the difference to the mean of the list, in Elo; None if the results do not bound it."""
    low: float | None
    """The lower end of the interval; None where the results set no bound, as for a bot that never scored."""
    high: float | None
    """The upper end; None where the results set no bound, as for a bot that won every match."""
    connected: bool
    """Whether a chain of matches connects it with the mean. If not, its rating compares it only with its own rivals."""
    heads: float | None
    """Raw heads per deal."""
    heads_v_average: float | None
    """Heads per deal less those that an average bot of the list would have taken at the same tables: below 0 is better."""
    heads_v_average_error: float | None
    """Half of its 95 % interval."""
    matches: int
    wins: float | None
    """Share of matches won, a win shared by n counting 1/n."""
    los: float | None
    """Likelihood of superiority over the next bot in the standings, 0 to 1: `rating.superiority`, which knows that it was chosen by
    the same results."""
    rank_low: int | None
    """The best place that it may have beyond doubt: `rating.ranks`. None without a place."""
    rank_high: int | None
    """The worst one."""
    faults: int
    median_ms: float | None
    p99_ms: float | None
    wall_s: float | None
    """Seconds a match for which it was waited for: its decisions, and the starts and ends it asked for; None before its first."""
    cpu_s: float | None
    """Seconds of processor time a match."""
    starts: float | None
    """Processes started for a match."""
    elo: float | None
    """The classic running Elo, which depends on the order of the matches."""
    metrics: Mapping[str, float]
    """The mean of each metric."""
    hash: str = ""
    """The hash of the bot's files (`arena.cells.files.hash`); empty if it is not known."""
    reproducible: bool = False
    """Whether these are all its files. A command line may use other files as well."""
    name: str = ""
    """The name that all versions of the bot share; empty: that of this one."""
    version: int = 1
    sums: Mapping[str, int] = field(default_factory=dict)
    """The sums over its matches that columns declare, by name."""
    ratings: Mapping[str, float | None] = field(default_factory=dict)
    """The ratings in the lists of an overall rating, by the titles of the lists."""
    house: tuple[float, float] | None = None
    """Elo against the house and half of its interval, which may be infinite; None if the bot was not gauged."""
    unsettled: int | None = 0
    """The bots with a better place whose rating is provisional; None where nearly all are, so that people are told no place."""

    @property
    def provisional(self) -> bool:
        """Whether the rating, and the place that follows from it, says little yet."""
        return self.rating is not None and not self.anchor and provisional(self.error)

    @property
    def settled(self) -> int | None:
        """The place as people read it, among bots whose rating is not provisional; None while this one is, or all others are."""
        return None if self.provisional or self.place is None or self.unsettled is None else self.place - self.unsettled

    def facts(self) -> dict[str, Any]:
        """The row for JSON and CSV."""
        facts = asdict(self)
        del facts["sums"], facts["house"], facts["unsettled"]
        if not self.ratings:
            del facts["ratings"]
        return facts | {
            column.key: column.value(self) for column in COLUMNS if column.key not in facts and column.always
        }


def settled(rows: Sequence[Row]) -> list[Row]:
    """Rows by their places, each with the number of provisional bots before it."""
    placed = [row.place for row in rows if row.place is not None]
    doubtful = [row.place for row in rows if row.place is not None and row.provisional]
    alone = len(placed) - len(doubtful) < 2  # the first of one bot is first of nothing
    return [
        row if row.place is None else replace(row, unsettled=None if alone else bisect_left(doubtful, row.place))
        for row in rows
    ]


def facts_of(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows for JSON and CSV; with what is known of the house, if any of them was gauged."""
    if all(row.house is None for row in rows):
        return [row.facts() for row in rows]
    return [row.facts() | dict(zip(("house", "house_error"), _finite(row.house), strict=True)) for row in rows]


def _finite(house: tuple[float, float] | None) -> Sequence[float | None]:
    return [value if isfinite(value) else None for value in house or (inf, inf)]


@dataclass(frozen=True, eq=False)
class Column:
    """A column of the standings."""

    key: str
    """Its name in JSON and CSV; that of an attribute of `Row`, unless there is a `given` value."""
    title: str
    """In English, on a terminal. Titles in other languages are optional: `columns.toml` in the folder of a language."""
    meaning: str
    """For docs/ratings.md, in Markdown."""
    form: Callable[[Any], str] = str
    """Writes a value that is not None for people."""
    given: Callable[[Row], Any] | None = None
    """Computes the value, if it is not an attribute of the row."""
    said: Callable[[Row], str | None] | None = None
    """Writes the value, if it has words."""
    text: Callable[[Row], str] | None = None
    """Writes the value, if that takes more of the row than the value."""
    error: Callable[[Row], str] | None = None
    """Writes what is beside the value: half of its interval, or why there is none."""
    site_title: str = ""
    """On the site, if it is not the same there."""
    error_title: str = ""
    """The title of a column of its own for what is beside the value, on the site; empty: there is none."""
    style: str = ""
    """On a terminal."""
    is_text: bool = False
    """Whether it is text, and not a figure."""
    wide: bool = False
    """Whether only wide terminals show it."""
    weight: int = 0
    """Dropped first on narrow terminals if highest; 0 always stays."""
    pages: Container[str] = ()
    """The pages of the site that have it besides the table of all figures: "front", "list", "bot"; and "live", the screens of those
    who watch."""
    always: bool = True
    """Whether it is there without any value."""
    sums: Mapping[str, Callable[[SeatRow], int]] = field(default_factory=dict)
    """Whole numbers to be added up over the matches of a bot, by name. The value finds them in `Row.sums`."""
    version: int = 1
    """To be raised when its sums are added up in another way."""

    @property
    def head(self) -> str:
        """Its title on a terminal, in the language of the process."""
        found = spoken().find
        return found(f"columns.short.{self.key}") or found(f"columns.titles.{self.key}") or self.title

    def value(self, row: Row) -> Any:
        """The value in a row; None if there is none."""
        return getattr(row, self.key) if self.given is None else self.given(row)

    def shown(self, row: Row) -> str:
        """The value of a row as text; empty if there is none."""
        value = self.value(row)
        if value is None:
            return ""
        return self.form(value) if self.text is None else self.text(row)

    def beside(self, row: Row) -> str:
        """The text beside it."""
        return "" if self.error is None else self.error(row)


def bound(row: Row) -> str:
    """The text beside a rating: half of its interval, or the one end that is known, or why there is none."""
    if row.rating is None:
        return ""
    if not row.connected:
        return "apart"
    if row.error is not None:
        return margin(row.error)
    return f">{row.low:.0f}" if row.low is not None else f"<{row.high:.0f}" if row.high is not None else "open"


def rating_text(row: Row) -> str:
    """The rating of a row, which may be provisional; empty if it has none."""
    return "" if row.rating is None else rated(row.rating, 0.0 if row.anchor else row.error)


def counts_plain(sums: Mapping[str, int]) -> bool:
    """Whether a bot counts plain time, by the sums over its matches."""
    return counts_plain_time(sums.get("shrank", 0), sums.get("grew", 0))


def plain_note(rows: Sequence[Row]) -> str:
    """The bots that play and count plain time, in a sentence; empty if there are none."""
    found = [harmless(row.bot, 64) for row in rows if row.state == "active" and counts_plain(row.sums)]
    if not found:
        return ""
    more = len(found) - NAMED
    named = found if more <= 1 else [*found[:NAMED], say("verdicts.overall.others", count=more)]
    return say("verdicts.plain.noted", count=len(found), bots=spoken().listed(named), first=shlex.quote(found[0]))


def worded(text: str) -> str:
    """The text of a cell in the language of the process: a word of the standings, or a number with the marks of the language."""
    if NUMBER.fullmatch(text):
        return text.replace(".", spoken().find("shared.marks.point"))
    return spoken().find("site.words").get(text, text)  # type: ignore[no-any-return]


def program(hash: str, *, whole: bool) -> str:
    """The proof of the contents of a bot: the short hash of its folder, or that there is none."""
    return short(hash) if whole else "not fixed"


def _ranks(row: Row) -> str | None:
    """The places that a bot may have."""
    if row.rank_low is None or row.rank_low == row.rank_high:
        return None if row.rank_low is None else f"{row.rank_low}"
    return say("shared.span", low=row.rank_low, high=row.rank_high)


def metric(name: str) -> Column:
    """The column of a metric that bots print."""
    return Column(name, name, "", "{:.2f}".format, given=lambda row: row.metrics.get(name))


def _in_list(title: str) -> Column:
    """The column of the ratings in a list, for an overall rating."""
    lines = title.replace(", ", "\n")
    return Column(
        title,
        lines,
        "",
        "{:.0f}".format,
        given=lambda row: row.ratings.get(title),
        weight=4,
        pages=("front", "list", "live"),
    )


def present(rows: Sequence[Row]) -> list[Column]:
    """The columns that have something to show; of an overall rating, those of its lists behind the first one."""
    lists = dict.fromkeys(title for row in rows for title in row.ratings)
    shown = [
        column
        for column in COLUMNS[1:]
        if (column.always and not lists) or any(column.value(row) is not None for row in rows)
    ]
    return [COLUMNS[0], *map(_in_list, lists), *shown]


def sums() -> dict[str, Callable[[SeatRow], int]]:
    """All sums that columns declare, by name."""
    return {name: of for column in COLUMNS for name, of in column.sums.items()}


def version() -> str:
    """Names the sums that are stored: sums of another version are of no use."""
    return " ".join(f"{name}.{column.version}" for column in COLUMNS for name in column.sums)


def _percent(digits: int) -> Callable[[float], str]:
    return lambda share: f"{100 * share:.{digits}f}%"


def _count(number: int) -> str:
    return str(number or "")


def _milliseconds(few: float, digits: int) -> Callable[[float], str]:
    """With digits after the point if they are few."""
    return lambda ms: f"{ms:.{digits if ms < few else 0}f}"


COLUMNS = [
    Column(
        "rating",
        "rating ±95%",
        "Elo from all matches at once, in whatever order they were played. The interval is for the difference to the *mean of the"
        " list*, whose rating is 1500 ([below](#the-mean-and-the-anchor)). While half of it is more than 200 Elo, the rating is"
        " provisional: rounded, with a `?`, and without an interval.",
        text=rating_text,
        site_title="rating",
        error=bound,
        error_title="±95 % (rating)",
        pages=("front", "list", "bot", "live"),
    ),
    Column(
        "heads",
        "heads",
        "Raw heads per deal.",
        "{:.2f}".format,
        site_title="heads a deal",
        weight=3,
        pages=("front", "list", "bot", "live"),
    ),
    Column(
        "matches",
        "matches",
        "Matches that count. Void matches count for no bot.",
        _count,
        weight=2,
        pages=("front", "list", "bot", "live"),
    ),
    Column(
        "wins",
        "wins",
        "Share of matches won.",
        _percent(1),
        weight=1,
        pages=("front", "list", "bot", "live"),
    ),
    Column(
        "los",
        "LOS",
        "Likelihood of superiority: how likely the bot is better than the next one in the list ([below](#los)).",
        _percent(0),
        weight=4,
    ),
    Column(
        "ranks",
        "places",
        "The places that the bot may have: `2 to 4`. All intervals of a list hold together with 95 % certainty"
        " ([below](#places)).",
        site_title="possible places",
        given=_ranks,
        said=_ranks,
        weight=4,
        pages=("list", "bot", "live"),
    ),
    Column(
        "faults",
        "faults",
        "Moves that the referee had to make. A closed seat is last at its table.",
        _count,
        style="red",
        weight=5,
        pages=("list", "bot", "live"),
        sums={"faults": lambda seat: len(seat.faults)},
    ),
    Column(
        "median_ms",
        "ms",
        "Milliseconds per decision: the median.",
        _milliseconds(10, 2),
        site_title="ms a decision",
        weight=6,
        pages=("bot",),
    ),
    Column(
        "p99_ms",
        "p99",
        "Milliseconds per decision: the 99th percentile.",
        _milliseconds(100, 1),
        site_title="p99 ms",
        weight=7,
        pages=("bot",),
    ),
    Column(
        "wall_s",
        "s",
        "Seconds per match that the others waited for the bot.",
        "{:.2f}".format,
        site_title="s a match",
        wide=True,
        sums={"wall_us": lambda seat: seat.spent.wall_us},
    ),
    Column(
        "cpu_s",
        "CPU s",
        "Seconds of processor time per match.",
        "{:.2f}".format,
        site_title="CPU s a match",
        wide=True,
        sums={"cpu_us": lambda seat: seat.spent.cpu_us},
    ),
    Column(
        "starts",
        "starts",
        "Processes started per match.",
        "{:.2f}".format,
        site_title="starts a match",
        wide=True,
        sums={"starts": lambda seat: seat.spent.starts},
    ),
    Column(
        "clock",
        "clock",
        "`plain` if the bot seems to count [plain time](#plain-time).",
        given=lambda row: "plain" if counts_plain(row.sums) else None,
        is_text=True,
        wide=True,
        always=False,
        sums={"shrank": lambda seat: seat.spent.shrank, "grew": lambda seat: seat.spent.grew},
    ),
    Column(
        "heads_v_average",
        "v average ±95%",
        "Heads per deal less those an average bot of this list would have taken at the same tables; below 0 is better. Rating and"
        " heads can disagree: the rating counts who finished ahead, not by how much.",
        "{:+.2f}".format,
        site_title="heads v average",
        error=lambda row: "" if row.heads_v_average_error is None else f"{row.heads_v_average_error:.2f}",
        error_title="±95 % (v average)",
        wide=True,
    ),
    Column(
        "elo",
        "Elo",
        "The classic running Elo, for comparison only: it depends on the order of the matches and never settles.",
        "{:.0f}".format,
        site_title="running Elo",
        wide=True,
    ),
    Column(
        "hash",
        "program",
        "The beginning of the hash of the bot's files, or `not fixed`.",
        given=lambda row: program(row.hash, whole=row.reproducible),
        style="dim",
        is_text=True,
        wide=True,
    ),
    Column(
        "house",
        "house",
        "Elo against the house and half of its 95 % interval, if the bot was [gauged](gauge.md) with `--home`. A scale of its own,"
        " not part of the rating.",
        lambda house: f"{house[0]:+.0f} ±{house[1]:.0f}" if isfinite(house[1]) else "?",
        pages=("front", "list", "live"),
        always=False,
    ),
]
"""All columns, in order, besides the place and the name of the bot."""

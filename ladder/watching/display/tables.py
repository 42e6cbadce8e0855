"""Tables of a ladder: standings, results of pairs, the history of a rating."""

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.files.hash import short
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.watching.display.columns import name_text
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.standings import Row

WIDE = 138
"""Terminal width, in columns, from which the extra columns are shown."""


HOUSE_NOTE = (
    "house: Elo against the house ± half of its 95 % interval, from `bullring gauge`: a scale of its own, and not part of the"
    " ladder's rating"
)
"""What the column `house` is."""

OPEN_NOTE = (
    "> or <: one end of the 95 % interval; the other stays open until the bot has also lost, or won,"
    " a match against the others"
)
"""What a rating with one end of its interval says."""

APART_NOTE = (
    "apart: no matches connect this bot with the anchor, so its rating compares it only with bots that it is connected with;"
    " play on with bullring ladder run, or rate against one of them: --anchor BOT"
)
"""What a rating that is `apart` says."""

_LESS = ("p99", "ms", "faults", "LOS", "heads", "matches", "wins")
"""The columns that go where a terminal is narrow, the first ones first."""

_RATINGS = "ratings on one scale, with their intervals"
"""The column that fills a terminal with room to spare."""

_PLOTTED = len(_RATINGS) + 1
"""The least columns of it."""

_NAMED = 12
"""Columns for a name before others go."""


def standings_table(
    rows: Sequence[Row],
    *,
    wide: bool = False,
    metrics: Sequence[str] = (),
    house: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    width: int | None = None,
) -> Table:
    """The standings: ratings with their 95 % intervals, heads per deal, wins, faults and times.

    `house` is Elo against the house and half of its interval, by bot; if there is none, there is no such column. Where `width` is
    given and too small for all columns, the least important ones are left out; where there is room to spare, the ratings are drawn.
    """
    compared = [
        _with_error(_number(row.heads_v_average, 2, "+"), _number(row.heads_v_average_error, 2)) for row in rows
    ]
    columns: dict[str, Sequence[str | Text]] = {
        "rating ±95%": [_with_error(_number(row.rating, 0), bound(row)) for row in rows],
        "heads": [_number(row.heads, 2) for row in rows],
        **({"v average ±95%": compared} if wide else {}),
        "matches": [str(row.matches or "") for row in rows],
        "wins": ["" if row.wins is None else f"{100 * row.wins:.1f}%" for row in rows],
        "LOS": ["" if row.los is None else f"{100 * row.los:.0f}%" for row in rows],
        "faults": [Text(str(row.faults or ""), style="red") for row in rows],
        "ms": [_number(row.median_ms, 2 if (row.median_ms or 0) < 10 else 0) for row in rows],
        "p99": [_number(row.p99_ms, 1 if (row.p99_ms or 0) < 100 else 0) for row in rows],
    }
    if wide:
        columns["Elo"] = [_number(row.elo, 0) for row in rows]
        columns["s"] = [_number(row.wall_s, 2) for row in rows]
        columns["CPU s"] = [_number(row.cpu_s, 2) for row in rows]
        columns["starts"] = [_number(row.starts, 2) for row in rows]
        columns["program"] = [Text(told_of(row.hash, whole=row.reproducible), style="dim") for row in rows]
    if house:
        columns["house"] = [_house(*house[row.bot]) if row.bot in house else "" for row in rows]
    for name in metrics:
        columns[name] = [_number(row.metrics.get(name), 2) for row in rows]
    for title in _LESS:
        if width is not None and 3 + _NAMED + sum(_needed(*column) for column in columns.items()) > width:
            columns.pop(title)
    if width is not None:
        names = max((len(row.bot) for row in rows), default=0)
        room = width - 4 - min(24, max(8, names)) - sum(_needed(*column) for column in columns.items())
        if room >= _PLOTTED:
            columns[_RATINGS] = _whiskers(rows, min(room, 60))
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    table.add_column("", justify="right")
    # When space is short, only the names are cut.
    table.add_column("bot", overflow="ellipsis", min_width=8, max_width=24)
    for title in columns:
        table.add_column(title, justify="left" if title == _RATINGS else "right", no_wrap=title != "house")
    for at, row in enumerate(rows):
        cells = [column[at] for column in columns.values()]
        bot = name_text(harmless(row.bot) + ("" if row.state == "active" else f" ({row.state})"))
        table.add_row(str(row.place) if row.place else "", bot, *cells, style="dim" if row.state != "active" else "")
    return table


def standings_notes(rows: Sequence[Row], more: More | None = None) -> Iterator[Text]:
    """What stands below the standings: what `more` matches would tell, and what the marks beside ratings mean, if there are any."""
    if (line := more_line(more)) is not None:
        yield line
    if any(bound(row)[:1] in ("<", ">") for row in rows):
        yield Text(OPEN_NOTE, style="dim")
    if any(is_apart(row) for row in rows):
        yield Text(APART_NOTE, style="yellow")


def more_line(more: More | None) -> Text | None:
    """What narrower intervals would cost, in a line; None if that is not known."""
    if more is None:
        return None
    what = f"± {more.width:g} Elo for all" if more.by is None else f"the next {more.by:g} Elo"
    time = "" if more.seconds is None else f", {_time(more.seconds)}"
    return Text(f"{what}: about {_about(more.matches)}{time}", style="dim", no_wrap=True, overflow="ellipsis")


def _about(matches: int) -> str:
    """A number of matches with two digits that mean something."""
    digits = max(0, len(str(matches)) - 2)
    rounded = round(matches, -digits)
    return "1 match" if rounded == 1 else f"{rounded:,} matches"


def _time(seconds: float) -> str:
    """A rough time in the unit that suits it."""
    for size, unit in ((1, "s"), (60, "min"), (3600, "h")):
        if seconds < 99.5 * size:
            return f"{max(1, round(seconds / size))} {unit}"
    return f"{round(seconds / 86400)} days"


def is_apart(row: Row) -> bool:
    """Whether a rating cannot be compared with that of the anchor."""
    return row.rating is not None and not row.connected


def bound(row: Row) -> str:
    """What stands beside a rating: half of its interval, or the one end that is known, or why there is none."""
    if row.rating is None:
        return ""
    if row.anchor:
        return "anchor"
    if not row.connected:
        return "apart"
    if row.error is not None:
        return f"{row.error:.0f}"
    return f">{row.low:.0f}" if row.low is not None else f"<{row.high:.0f}" if row.high is not None else "open"


def _whiskers(rows: Sequence[Row], width: int) -> list[str | Text]:
    """Each rating as a dot on one scale, with its interval as far as it lies on the scale."""
    known = [row.rating for row in rows if row.rating is not None]
    errors = sorted(row.error for row in rows if row.error is not None)
    if not known:
        return [""] * len(rows)
    margin = errors[len(errors) // 2] if errors else 1.0
    low, high = min(known) - margin, max(known) + margin
    step = max(1.0, high - low) / (width - 1)

    def column(rating: float) -> int:
        return max(0, min(width - 1, round((rating - low) / step)))

    drawn: list[str | Text] = []
    for row in rows:
        line = [" "] * width
        if row.rating is not None:
            first = last = column(row.rating)
            if row.connected and not row.anchor:  # an end that is open goes to the edge
                first = 0 if row.low is None else column(row.low)
                last = width - 1 if row.high is None else column(row.high)
            line[first : last + 1] = "─" * (last + 1 - first)
            line[column(row.rating)] = "●"
        drawn.append(Text("".join(line), style="cyan"))
    return drawn


def _needed(title: str, cells: Sequence[str | Text]) -> int:
    """The columns of the terminal that a column of the table takes."""
    return 1 + max(len(title), *(len(cell) for cell in cells), 0)


def pairs_table(bots: Sequence[str], pairs: Sequence[Mapping[str, Any]]) -> Table:
    """Results of pairs: one row per bot, one column per rival; share of points in per cent, number of matches below."""
    cells = {(pair["bot"], pair["other"]): pair for pair in pairs}
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    table.add_column("", justify="right")
    table.add_column("bot", no_wrap=True, overflow="ellipsis", min_width=8, max_width=24)
    for number in range(1, len(bots) + 1):
        table.add_column(str(number), justify="right")
    for number, bot in enumerate(bots, 1):
        row = []
        for other in bots:
            pair = cells.get((bot, other))
            row.append(
                "·" if bot == other else "" if pair is None else f"{100 * pair['share']:.0f}%\n{pair['matches']}"
            )
        table.add_row(str(number), name_text(harmless(bot)), *row)
    return table


def history_table(points: Sequence[Mapping[str, Any]]) -> Table:
    """The history of a rating, with a bar for each point."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    for title in ("matches", "rating", "from", "to"):
        table.add_column(title, justify="right")
    table.add_column("")
    known = [point["rating"] for point in points if point["rating"] is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    ends = ("rating", "low", "high")
    for point in points:
        rating = point["rating"]
        bar = "" if rating is None else "━" * (1 + round(30 * (rating - low) / (high - low))) if high > low else "━"
        table.add_row(
            str(point["matches"]),
            *("open" if rating is not None and point[key] is None else _number(point[key], 0) for key in ends),
            Text(bar, style="cyan"),
        )
    return table


def told_of(hash: str, *, whole: bool) -> str:
    """What proves the contents of a bot: the short hash of its folder, or that nothing does."""
    return short(hash) if whole else "not fixed"


def _with_error(value: str, error: str) -> Text:
    """A figure and half of its interval, in one column."""
    return Text.assemble(value, (f" {error:>5}" if error else "", "dim"))


def _house(elo: float, half: float) -> str:
    return f"{elo:+.0f} ±{half:.0f}" if math.isfinite(half) else "?"  # where space is short, it is broken in two


def _number(value: float | None, digits: int, sign: str = "") -> str:
    return "" if value is None else f"{value:{sign}.{digits}f}"

"""Tables of a ladder: standings, results of pairs, the history of a rating."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.games.rulebook.language import say
from bullring.arena.watching.display.columns import name_text
from bullring.ladder.standings.columns import Column, Row, bound, metric, plain_note, present, worded
from bullring.ladder.standings.history import Point
from bullring.ladder.standings.lines import lines_of
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.outlook import NOTHING, Outlook
from bullring.ladder.standings.places import rounded

WIDE = 138
"""Terminal width, in columns, from which the extra columns are shown."""


NAME = 24
"""Columns for a name, at most."""

_NAMED = 16
"""Columns for a name before others go."""

_SHORTEST = 8
"""Columns for a name, at least."""

NONE = "–"
"""In the place of half of an interval, where that says nothing."""

_SCALE = 20
"""Columns in which ratings can be drawn, at least."""


def standings_table(
    rows: Sequence[Row],
    *,
    wide: bool = False,
    metrics: Sequence[str] = (),
    width: int | None = None,
    plain: bool = False,
    live: bool = False,
    versions: bool = False,
    marked: str | None = None,
) -> Table:
    """The standings: all columns that have something to show, those of `metrics` last; on a `live` screen, those for spectators.

    Each bot is one line, and with `versions` those that are folded into it follow it.
    Where `width` is given and too small for all of them, the least important ones are left out; where there is room to spare, the
    ratings are drawn. A `plain` table leaves columns out only where hardly anything of the names would stay, and draws nothing. The
    line of the bot `marked` is reversed; names carry `meta` "bot".
    """
    names: list[Text] = []
    shown: list[Row] = []
    for line in lines_of(rows):
        opened = line.folded if versions else ()
        shown += [line.row, *opened]
        count = f" +{len(line.folded)}" if line.folded and not versions else ""
        name = _name(line.row)
        name.truncate(NAME - len(count), overflow="ellipsis")  # that there are more is always to be seen
        names += [name.append(count, "dim"), *(Text.assemble("  ", _name(row)) for row in opened)]
    rows = shown
    found = (column for column in present(rows) if ("live" in column.pages if live else wide or not column.wide))
    chosen = [*found, *map(metric, metrics)]
    columns = {column: cells for column in chosen if any(map(len, cells := _cells(column, rows))) or not column.weight}
    for column in sorted((one for one in columns if one.weight), key=lambda one: -one.weight):
        if width is not None and 3 + (_SHORTEST if plain else _NAMED) + _needed(columns) > width:
            columns.pop(column)
    room = 0
    if width is not None and not plain:
        longest = max(map(len, names), default=0)
        room = width - 4 - min(NAME, max(_SHORTEST, longest)) - _needed(columns)
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    table.add_column("", justify="right")
    # When space is short, only the names are cut.
    table.add_column(say("ladder.bot"), overflow="ellipsis", min_width=_SHORTEST, max_width=NAME)
    for column in columns:
        table.add_column(column.head, justify="right", no_wrap=column.always)
    titles = [title for title in (say("ladder.ratings"), say("ladder.scale")) if len(title) < room]
    drawn = _whiskers(rows, min(room, 60)) if room >= _SCALE else None
    if drawn:
        table.add_column(titles[0], justify="left", no_wrap=True)
    for at, row in enumerate(rows):
        cells = [column[at] for column in columns.values()]
        style = "reverse" if row.bot == marked else "dim" if row.state != "active" or row.provisional else ""
        table.add_row(str(row.settled or ""), names[at], *cells, *(drawn[at : at + 1] if drawn else ()), style=style)
    return table


def _name(row: Row) -> Text:
    active = row.state == "active"
    name = name_text(row.bot if active else say("ladder.state", bot=row.bot, state=say(f"site.states.{row.state}")))
    name.apply_meta({"bot": row.bot})
    return name


def standings_notes(rows: Sequence[Row], outlook: Outlook = NOTHING, *, versions: bool = False) -> Iterator[Text]:
    """The notes below the standings: outlook, forecast, the anchor's effect, how bots were confined, the marks of ratings."""
    for fact in outlook.verdicts:
        if line := fact.said():
            yield Text(line)
    if (forecast := more_line(outlook.more)) is not None:
        yield forecast
    if outlook.newer:
        yield Text(say("ladder.newer", count=outlook.newer), style="dim")
    for note in (outlook.zero, outlook.confinements):
        if note is not None and (line := note.said()):
            yield Text(line, style="dim")
    if any(row.provisional for row in rows):
        yield Text(say("ladder.provisional"), style="dim")
    if any(bound(row)[:1] in ("<", ">") for row in rows):
        yield Text(say("ladder.open"), style="dim")
    if any(is_apart(row) for row in rows):
        yield Text(say("ladder.apart"), style="yellow")
    if plain := plain_note(rows):
        yield Text(plain, style="dim")
    if not versions and any(line.folded for line in lines_of(rows)):
        yield Text(say("ladder.versions"), style="dim")


def live_notes(rows: Sequence[Row], outlook: Outlook) -> Iterator[Text]:
    """The notes for people who watch: which places are decided, what marks mean, and, last, who may count plain time."""
    yield from (Text(line, style="dim") for fact in outlook.verdicts if (line := fact.said()))
    if any(row.provisional for row in rows):
        yield Text(say("ladder.provisional"), style="dim")
    if any(bound(row)[:1] in ("<", ">") for row in rows):
        yield Text(say("ladder.open"), style="dim")
    if plain := plain_note(rows):
        yield Text(plain, style="dim")


def more_line(more: More | None) -> Text | None:
    """The matches needed for narrower intervals, in a line; None if they are not known."""
    if more is None:
        return None
    count = rounded(more.matches)
    about = say("ladder.matches", count=count) + ("" if more.seconds is None else f", {_time(more.seconds)}")
    told = say(
        "ladder.width" if more.by is None else "ladder.next", width=more.width, elo=more.by or 0.0, matches=about
    )
    return Text(told, style="dim")


def _time(seconds: float) -> str:
    """A rough time in the unit that suits it."""
    for size, unit in ((1, "s"), (60, "min"), (3600, "h")):
        if seconds < 99.5 * size:
            return f"{max(1, round(seconds / size))} {unit}"
    return say("ladder.days", count=round(seconds / 86400))


def is_apart(row: Row) -> bool:
    """Whether a rating cannot be compared with those that have a place."""
    return row.rating is not None and not row.connected


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
            if row.connected:  # an end that is open goes to the edge
                first = 0 if row.low is None else column(row.low)
                last = width - 1 if row.high is None else column(row.high)
            line[first : last + 1] = "─" * (last + 1 - first)
            line[column(row.rating)] = "●"
        drawn.append(Text("".join(line), style="cyan"))
    return drawn


def _cells(column: Column, rows: Sequence[Row]) -> list[Text]:
    """The values, each with its error beside it. Where others have one, what has none, as an anchor, keeps its room."""
    errors = [column.beside(row) for row in rows]
    wide = max(6, *(1 + len(worded(error)) for error in errors)) if any(errors) else 0
    return [
        Text.assemble(
            Text(worded(column.shown(row)), style=column.style), (f"{worded(error) or NONE:>{wide}}"[:wide], "dim")
        )
        for row, error in zip(rows, errors, strict=True)
    ]


def _needed(columns: Mapping[Column, Sequence[Text]]) -> int:
    """The columns of the terminal that columns of the table take."""
    return sum(1 + max(*map(len, column.head.split("\n")), *map(len, cells), 0) for column, cells in columns.items())


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
        table.add_row(str(number), name_text(bot), *row)
    return table


def history_table(points: Sequence[Point]) -> Table:
    """The history of a rating, with a bar for each point."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    for title in ("matches", "match", "ended (UTC)", "rating", "from", "to"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("")
    known = [point.rating for point in points if point.rating is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    for point in points:
        rating = point.rating
        bar = "" if rating is None else "━" * (1 + round(20 * (rating - low) / (high - low))) if high > low else "━"
        ends = (rating, point.low, point.high)
        table.add_row(
            str(point.matches),
            str(point.match),
            point.ended[:16].replace("T", " "),
            *("open" if rating is not None and end is None else _number(end, 0) for end in ends),
            Text(bar, style="cyan"),
        )
    return table


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"

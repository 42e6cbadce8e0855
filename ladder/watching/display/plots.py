"""Plots of a ladder on a terminal: courses of ratings, and the results of pairs as a map."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, isfinite
from typing import Any

from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rules.sayings import counted
from bullring.arena.watching.display.blocks import Block, wrapped
from bullring.arena.watching.display.elo import provisional, rated
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.history import Point
from bullring.ladder.standings.lines import lines_of
from bullring.ladder.standings.meetings import Meetings

COLOURS = ("blue", "red", "green", "magenta", "cyan", "yellow")
"""Colours of the terminal for courses, one after the other."""

MOST = len(COLOURS)
"""Courses that can be told apart in one plot."""

BARS = 12
"""Intervals that are drawn of a course."""

SETTLED = 4
"""An interval that is wider than this many times the last one is left out: beside it, nothing else would be seen."""

NAME = 16
"""Columns of a name beside the map of pairs."""

CELL, FEWEST = 4, 3
"""Columns of a cell of a map for those who watch, and the bots from which on there is one."""


@dataclass(frozen=True)
class Course:
    """The course of a bot's rating: `matches` of the list, `rating`, and the ends of its interval. Unknown values are missing."""

    bot: str
    points: Sequence[tuple[int, float, float, float]]

    @classmethod
    def of(cls, bot: str, points: Sequence[Point]) -> "Course":
        """From the points of `Standings.history`, without those at which the bot had no rating."""
        return cls(
            bot,
            [
                (
                    point.matches,
                    point.rating,
                    -inf if point.low is None else point.low,
                    inf if point.high is None else point.high,
                )
                for point in points
                if point.rating is not None
            ],
        )

    def settled(self, times: float = SETTLED) -> "Course":
        """The course from the first point on whose interval is at most so many times as wide as the last one.

        Early ratings are wild.
        """
        wide = [high - low for _, _, low, high in self.points]
        first = next((at for at, width in enumerate(wide) if width <= times * wide[-1]), 0)
        return Course(self.bot, self.points[first:])


def whole(courses: Sequence[Course]) -> tuple[float, float]:
    """The ratings at the edges of a plot in which no interval is cut, but those without an end."""
    points = [point for course in courses for point in course.points]
    ends = [end for _, rating, low, high in points for end in (rating, low, high) if isfinite(end)]
    room = max(10.0, (max(ends) - min(ends)) / 20)
    return min(ends) - room, max(ends) + room


def window(courses: Sequence[Course]) -> tuple[float, float]:
    """The ratings that a plot shows: those of the last four fifths, because early ones are wild, and half as much around them."""
    settled = [point for course in courses for point in course.points[len(course.points) // 5 :]]
    ends = [end for _, _, *both in settled for end in both if isfinite(end)]
    ratings = [rating for _, rating, _, _ in settled]
    low, high = min(ratings), max(ratings)
    room = max(40.0, (high - low) / 2)
    return max(low - room, min([*ends, low - 10])), min(high + room, max([*ends, high + 10]))


def cut(courses: Sequence[Course], low: float, high: float) -> tuple[float, float] | None:
    """The widest interval that does not fit between `low` and `high`; None if all fit."""
    found = [(one, other) for course in courses for _, _, one, other in course.points if one < low or other > high]
    return max(found, key=lambda ends: ends[1] - ends[0]) if found else None


def course_plot(
    courses: Sequence[Course],
    width: int,
    height: int,
    *,
    colours: bool = True,
    title: str = "rating (Elo), after matches of the list",
) -> Iterator[Text]:
    """The courses in one plot of `width` columns and about `height` lines, with a title, a legend and notes."""
    import plotext

    shown = [course for course in courses if course.points]
    low, high = window(shown)
    legend = wrapped((Block([line]) for line in _legend(shown, width)), width, 3)
    if legend.height > height // 5:
        legend = wrapped((Block([line]) for line in _legend(shown, width, short=True)), width, 3)
    notes = wrapped((Block([line]) for line in _notes(shown, low, high)), width, 3)
    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    for course, colour in zip(shown, COLOURS, strict=False):
        pixel = colour if colours else "default"
        every = max(1, -(-len(course.points) // BARS))
        bars = course.points[::-every] if len(shown) <= 2 else course.points[-1:]
        for at, _, one, other in bars:
            ends = [min(max(low, end), high) for end in (one, other)]
            bar = figure.signal([at, at], ends, marker=plotext.marker("│", pixel))
            bar.lines()
            figure.draw(bar)
    for course, colour in zip(shown, COLOURS, strict=False):
        pixel = colour if colours else "default"
        xs, ys = [point[0] for point in course.points], [min(max(low, point[1]), high) for point in course.points]
        line = figure.signal(xs, ys, marker=plotext.marker("hd", pixel))
        line.lines()
        figure.draw(line)
    figure.ruler("y").lim(low, high)
    _ticks(figure.ruler("y"), low, high, 5)
    first = min(point[0] for course in shown for point in course.points)
    last = max(point[0] for course in shown for point in course.points)
    figure.ruler("x").lim(first, max(last, first + 1))
    _ticks(figure.ruler("x"), first, max(last, first + 1), max(2, min(6, width // 14)))
    figure.plot_size(width, max(6, height - legend.height - notes.height - 1))
    drawn = figure.build().string()
    yield Text(title, style="bold")
    yield from (Text.from_ansi(line) for line in str(drawn).splitlines() if line.strip("\x1b[0m "))
    yield from legend.lines
    yield from notes.lines


def _ticks(ruler: Any, low: float, high: float, count: int) -> None:
    values = steps(low, high, count)
    ruler.ticks(values, [f"{value:.0f}" for value in values])


def steps(low: float, high: float, count: int) -> list[float]:
    """About `count` round values between two others: multiples of 1, 2 or 5 times a power of ten, and not less than 1."""
    least, power = (high - low) / count, 1.0
    while power * 10 <= least:
        power *= 10
    step = next((power * times for times in (1, 2, 5, 10) if power * times >= least), power * 10)
    return [step * at for at in range(ceil(low / step), floor(high / step) + 1)]


def _legend(courses: Sequence[Course], width: int, *, short: bool = False) -> Iterator[Text]:
    for course, colour in zip(courses, COLOURS, strict=False):
        _, rating, low, high = course.points[-1]
        error = (high - low) / 2 if isfinite(high - low) else None
        ends = _ends(low, high) if error is None or not provisional(error) else "provisional"
        name, behind = harmless(course.bot, 16 if short else 40), "" if short else f"  ({ends})"
        line = Text.assemble(("▚ ", colour), f"{name}  ", (rated(rating, error), "bold"), behind)
        line.truncate(width, overflow="ellipsis")
        yield line


def _ends(low: float, high: float) -> str:
    """An interval in words."""
    if isfinite(low):
        return f"{low:.0f} to {high:.0f}" if isfinite(high) else f"over {low:.0f}"
    return f"under {high:.0f}" if isfinite(high) else "interval still open"


def _notes(courses: Sequence[Course], low: float, high: float) -> Iterator[Text]:
    if len(courses) > 2:
        yield Text("bars: the last 95 % intervals", style="dim")
    if (ends := cut(courses, low, high)) is not None:
        widest = f"one goes from {ends[0]:.0f} to {ends[1]:.0f}" if all(map(isfinite, ends)) else "one has no end"
        yield Text(f"early intervals are cut: {widest}", style="dim")


def pairs_map(bots: Sequence[str], pairs: Sequence[Mapping[str, Any]], width: int) -> Iterator[Text]:
    """Shares of points in per cent as a map, a line for each bot, a column for each rival, in at most `width` columns.

    Where there is no room for numbers, a digit is ten per cent; where there is no room for all, the first ones are shown.
    """
    shares = {(pair["bot"], pair["other"]): pair for pair in pairs}
    label = min(NAME, max([4, *(len(harmless(bot)) for bot in bots)])) + 4
    wide = next((size for size in (6, 4, 2, 1) if label + size * len(bots) <= width), 1)
    shown = list(bots)[: max(1, (width - label) // wide)]
    numbers = [str(at % 10 if wide == 1 else at) for at in range(1, len(shown) + 1)]
    yield Text(" " * label + "".join(number.rjust(wide) for number in numbers), style="dim")
    for at, bot in enumerate(shown, 1):
        name = Text(f"{at:>3} {harmless(bot)}")
        name.truncate(label, overflow="ellipsis", pad=True)
        yield Text.assemble(name, *(_cell(bot == other, _share(shares.get((bot, other))), wide) for other in shown))
    matches = [int(pair["matches"]) for pair in pairs if pair["bot"] in shown and pair["other"] in shown]
    if matches:
        few, many = min(matches), max(matches)
        each = counted(few, "match", "matches") if few == many else f"{few} to {many} matches"
        how = "tenths of the points" if wide <= 2 else "per cent of the points"
        yield Text(
            f"{how} of the bot of the line against that of the column, from {each}; bullring ladder pairs --format table",
            style="dim",
        )
    if len(shown) < len(bots):
        yield Text(f"the first {len(shown)} of {len(bots)} bots; more fit a wider terminal", style="dim")


def _share(pair: Mapping[str, Any] | None) -> float | None:
    return None if pair is None else pair["share"]


def meetings_map(meetings: Meetings | None, rows: Sequence[Row], width: int) -> Block:
    """The shares of points of the first bots with a place, in per cent, with a title, in `width` columns.

    It is empty where there are fewer than `FEWEST`.
    """
    bots = {} if meetings is None else {bot: at for at, bot in enumerate(meetings.bots)}
    found = [line.row for line in lines_of(rows) if line.row.settled and line.row.bot in bots]
    label = max((len(harmless(row.bot, NAME)) for row in found), default=0) + 4
    found = found[: max(0, (width - label) // CELL)]
    if meetings is None or len(found) < FEWEST:
        return Block([], width)
    head = "".join(f"{row.settled:>{CELL}}" for row in found)
    lines = [Text(say("tables.career.rivals"), "bold"), Text(" " * label + head, "dim")]
    for row in found:
        shares = meetings.shares[bots[row.bot]]
        cells = (_cell(row is other, shares[bots[other.bot]], CELL) for other in found)
        lines.append(Text.assemble(f"{row.settled:>2} {harmless(row.bot, NAME):<{label - 3}}", *cells))
    return Block(lines, width)


def _cell(own: bool, share: float | None, wide: int) -> Text:
    if own or share is None:
        return Text(("·" if own else " ").rjust(wide), style="dim")
    text = f"{100 * share:.0f}" if wide > 2 else str(min(9, int(10 * share)))
    return Text(text.rjust(wide - (wide > 1)) + " " * (wide > 1), style=_shade(share))


def _shade(share: float) -> str:
    """A colour of the terminal; the number says the same without colours."""
    for least, style in ((0.75, "black on green"), (0.55, "green"), (0.45, ""), (0.25, "red")):
        if share >= least:
            return style
    return "bright_white on red"

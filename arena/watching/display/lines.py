"""Courses of numbers as lines of box-drawing characters, or finer in dots of Braille."""

from collections.abc import Sequence
from itertools import pairwise
from math import floor

from rich.text import Text

from bullring.arena.games.rulebook.language import spoken

THIN, HEAVY = "─│╭╯╮╰", "━┃┏┛┓┗"
"""Strokes of a line: level, upright, and the corners of a way up and of a way down."""

LEVEL = THIN[0] + HEAVY[0]

DASH = 2
"""Columns of each of two lines that lie on each other."""

BAND = "░"

_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The dots of a sign of Braille, by column and line."""

STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)
"""Steps of scales."""

Grid = list[list[Text]]
"""A drawing, line by line, a character in each cell."""


def scale(low: float, high: float, height: int) -> tuple[float, float, list[float]]:
    """The ends of a scale of so many lines around two values, and its round ticks, which are equally many lines apart."""
    found = []
    for apart in range(2, max(3, height // 2 + 1)):
        for step in STEPS:
            begin = floor(low / step) * step
            end = begin + step * (height - 1) / apart
            if end >= high:
                found.append((end - begin, -apart, begin, end, step))
                break
    if not found:
        return low, high, [low, high]
    _, _, begin, end, step = min(found)
    return begin, end, [begin + step * at for at in range(int((end - begin) / step) + 1)]


def trace(grid: Grid, rows: Sequence[int], strokes: str, style: str) -> None:
    """Draw a line over others, in one of the `rows` in each column. Where it lies on another one, both are seen by turns."""
    before = rows[0]
    for at, row in enumerate(rows):
        if row == before:
            if grid[row][at].plain not in LEVEL or at // DASH % 2:
                grid[row][at] = Text(strokes[0], style)
        else:
            begin, end = (strokes[3], strokes[2]) if row < before else (strokes[4], strokes[5])
            grid[before][at], grid[row][at] = Text(begin, style), Text(end, style)
            for between in range(min(row, before) + 1, max(row, before)):
                grid[between][at] = Text(strokes[1], style)
        before = row


def chart(
    values: Sequence[float],
    width: int,
    height: int,
    *,
    low: float,
    high: float,
    ticks: Sequence[float],
    bands: Sequence[tuple[float, float]] = (),
    dots: Sequence[float] = (),
    style: str = "bold cyan",
) -> list[Text]:
    """A course between `low`, below, and `high`, with a scale that names the `ticks` at its left.

    It may have a band around it, the ends of which are `bands`, and single values, `dots`; they are as many as the values. `high`
    may be the lower number: then less is higher up. Empty where there is no room, or there are fewer than two values.
    """
    number = spoken().number
    names = [number(tick, "g") for tick in ticks]
    left = max(map(len, names), default=0) + 1
    wide = width - left
    if len(values) < 2 or wide < 8 or height < 3:
        return []

    def row(value: float) -> int:
        return max(0, min(height - 1, round((high - value) / (high - low) * (height - 1))))

    grid: Grid = [[Text(" ") for _ in range(wide)] for _ in range(height)]
    ends = zip(*(_spread(list(side), wide) for side in zip(*bands, strict=True)), strict=True)
    for column, both in enumerate(ends):
        first, last = sorted(map(row, both))
        for line in grid[first : last + 1]:
            line[column] = Text(BAND, "bright_black")
    for at, value in enumerate(dots):
        grid[row(value)][at * (wide - 1) // (len(values) - 1)] = Text("•", "bright_black")
    for (at, column), sign in _dotted(values, wide, height, low, high).items():
        grid[at][column] = Text(sign, style)
    named = {row(tick): name for tick, name in zip(ticks, names, strict=True)}
    return [
        Text.assemble((f"{named.get(at, ''):>{left - 1}}{'┤' if at in named else '│'}", "dim"), *cells)
        for at, cells in enumerate(grid)
    ]


def _dotted(values: Sequence[float], columns: int, lines: int, low: float, high: float) -> dict[tuple[int, int], str]:
    """A course in dots of Braille, two by four in each cell: the signs by line and column."""
    found: dict[tuple[int, int], int] = {}
    before = None
    for across, value in enumerate(_spread(values, 2 * columns)):
        down = max(0, min(4 * lines - 1, round((high - value) / (high - low) * (4 * lines - 4) + 1.5)))
        first = down if before is None else before
        for each in range(min(first, down), max(first, down) + 1):
            cell = (each // 4, across // 2)
            found[cell] = found.get(cell, 0) | _DOTS[across % 2][each % 4]
        before = down
    return {cell: chr(0x2800 + dots) for cell, dots in found.items()}


def _spread(values: Sequence[float], columns: int) -> list[float]:
    """A value for each column, with straight lines between those that are known."""
    steps = list(pairwise(values))
    found = []
    for column in range(columns):
        at = column * len(steps) / max(1, columns - 1)
        step = min(int(at), len(steps) - 1)
        begin, end = steps[step]
        found.append(begin + (end - begin) * (at - step))
    return found

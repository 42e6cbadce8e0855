"""Courses of numbers as lines of box-drawing characters, which any terminal has."""

from collections.abc import Sequence
from itertools import pairwise

from rich.text import Text

from bullring.arena.games.rulebook.language import spoken

THIN, HEAVY = "─│╭╯╮╰", "━┃┏┛┓┗"
"""Strokes of a line: level, upright, and the corners of a way up and of a way down."""

LEVEL = THIN[0] + HEAVY[0]

DASH = 2
"""Columns of each of two lines that lie on each other."""

BAND = "░"

Grid = list[list[Text]]
"""A drawing, line by line, a character in each cell."""


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
    trace(grid, [row(value) for value in _spread(values, wide)], HEAVY, style)
    named = {row(tick): name for tick, name in zip(ticks, names, strict=True)}
    return [
        Text.assemble((f"{named.get(at, ''):>{left - 1}}{'┤' if at in named else '│'}", "dim"), *cells)
        for at, cells in enumerate(grid)
    ]


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

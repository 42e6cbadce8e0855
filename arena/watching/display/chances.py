"""The chances to win over time: a line for each seat, with the chance before a turn and a small curve of all turns."""

from bisect import bisect_right
from collections.abc import Sequence

from rich.text import Text

from bullring.arena.games.rulebook.language import say
from bullring.arena.study.analysis.result import Analysis
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.picture.picture import Picture

_HEIGHTS = "▁▂▃▄▅▆▇█"
NAME = 12
"""Columns of a name."""


def chances(analysis: Analysis, picture: Picture, width: int) -> Block:
    """The chances of all seats at the moment of a picture; empty if the analysis has none. Lines carry `meta` "seat"."""
    if not analysis.chances:
        return Block([], width)
    places = [(one.deal, one.turn) for one in analysis.chances]
    at = len(places) if picture.over else max(0, bisect_right(places, (picture.deal, picture.turn)) - 1)
    names = [seat.name for seat in picture.seats]
    named = min(NAME, max(map(len, names)))
    lines = [Text(say("replay.chance.title"), "bold")]
    for seat, name in enumerate(names):
        course = [*(one.win[seat] for one in analysis.chances), analysis.outcome[seat]]
        error = 100 * analysis.chances[at].errors[seat] if at < len(places) else 0.0
        told = say("replay.chance.percent", chance=100 * course[at], error=error)
        line = Text.assemble(f"{name[:named]:<{named}} ", (told, "bold"), "  ", no_wrap=True)
        line.append_text(_curve(course, at, width - line.cell_len))
        line.apply_meta({"seat": seat})
        lines.append(line)
    return Block(lines, width)


def _curve(course: Sequence[float], at: int, room: int) -> Text:
    """The course in at most so many columns; that of the present moment is marked, what is still to come is dim."""
    columns = max(1, min(room, len(course)))
    here = at * columns // len(course)
    text = Text()
    for column in range(columns):
        moment = at if column == here else column * len(course) // columns
        height = _HEIGHTS[min(7, int(8 * course[moment]))]
        text.append(height, "bold yellow" if column == here else "cyan" if column < here else "bright_black")
    return text

"""How somebody has played so far: matches, places and rivals, of bots and of people. Names are made harmless here."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say, spoken
from bullring.arena.watching.display.blocks import Block, above, beside

PLACED = ("green", "cyan", "yellow", "red")
"""The colours of places, the last one also for those behind it."""

NAME = 20
"""Most columns of a rival's name."""

COLUMN = 36
"""Least columns of a rival, where they are in two columns."""

SIDE = 40
"""Least columns of what is beside a course."""

WIDE = 72
"""Columns from which on the places are beside the course, and everything else if it has the lines."""

ROOMY = 96
"""Columns from which on everything else always is."""

COURSE = (7, 46)
"""Fewest and most lines of a course."""

GAP = 3
"""Columns between two parts."""


Drawn = Callable[[int, int], Block]
"""Draws the course of a number in so many columns and at most so many lines; empty where there is none."""


@dataclass(frozen=True)
class Result:
    """A match that is over."""

    id: int
    seats: Sequence[tuple[str, int]]
    """Players and their heads, the winner first."""
    void: bool = False
    ranks: Sequence[int] = ()
    """Their places, which some may share."""
    label: str = ""
    """What it is listed by, instead of its number."""


@dataclass(frozen=True)
class Rival:
    """Somebody met in matches."""

    name: str
    share: float
    """The share of the points against them, 0 to 1: a better place is a point, the same one half of it."""
    matches: int


def told(matches: int, wins: float | None, heads: float | None) -> Text:
    """Matches, the share that was won, and the heads of a deal, as far as they are known."""
    parts = [say("tables.career.matches", count=matches)]
    if wins is not None:
        parts.append(say("tables.career.wins", share=wins))
    if heads is not None:
        parts.append(say("tables.career.heads", heads=heads))
    return Text(", ".join(parts))


def places(counts: Sequence[int], width: int) -> Block:
    """How often somebody has ended in each place, from the first one; full lines are all matches."""
    total = sum(counts)
    if not total:
        return Block([], 0)
    widest = len(str(max(counts)))
    lines = [Text(say("tables.career.places"), style="bold")]
    for place, count in enumerate(counts, 1):
        share = spoken().number(count / total, ".0%")
        style = PLACED[min(place, len(PLACED)) - 1]
        line = Text.assemble(
            f"{place:>2}. ", (f"{share:>4} ", "bold"), *track(count / total, width - 10 - widest, style)
        )
        lines.append(line.append(f" {count:>{widest}}", "dim"))
    return Block(lines, width)


def rivals(found: Sequence[Rival], width: int, lines: int | None = None) -> Block:
    """The shares of points against each, above and below one half; in two columns if there is room, and `lines` are too few."""
    if not found:
        return Block([], 0)
    title = Block([Text(say("tables.career.rivals"), style="bold")], width)
    if lines is not None and len(found) + 1 > lines and width >= 2 * COLUMN + GAP:
        half, wide = (len(found) + 1) // 2, (width - GAP) // 2
        both = [Block(_shares(found, found[begin : begin + half], wide), wide) for begin in (0, half)]
        return above([title, beside(both, GAP)], width)
    return above([title, Block(_shares(found, found, width), width)], width)


def _shares(all_: Sequence[Rival], shown: Sequence[Rival], width: int) -> Iterator[Text]:
    behind = {one.name: say("tables.career.matches", count=one.matches) for one in all_}
    name = min(NAME, max(len(harmless(one.name, NAME)) for one in all_))
    wide = max(map(len, behind.values()))
    room = max(6, width - name - 10 - wide)
    for one in shown:
        yield Text.assemble(
            f" {harmless(one.name, NAME):<{name}} ",
            (f"{spoken().number(one.share, '.0%'):>4} ", "bold"),
            *track(one.share, room, "green" if one.share >= 0.5 else "red"),
            (f" {behind[one.name]:>{wide}}", "dim"),
        )


def track(share: float, width: int, style: str) -> Iterator[tuple[str, str]]:
    """A share, 0 to 1, as a line that is filled so far: bars of neighbouring lines stay apart."""
    full = max(0, min(width, round(share * width)))
    yield "━" * full, style
    yield "─" * max(0, width - full), "bright_black"


def page(
    top: Sequence[Text],
    course: Drawn,
    counts: Sequence[int],
    below: Callable[[int], Block],
    met: Sequence[Rival],
    width: int,
    height: int,
) -> Block:
    """All of it: the course takes the lines that are left of `height`.

    Where there are columns enough, places, rivals and what is `below` them are beside it, or else, if they take too many lines, the
    places alone. Nothing is set apart where there are too few lines.
    """
    gap, none, head = Block([Text()]), Block([], 0), Block(top, width)
    lines = height - head.height - 1
    if width >= WIDE:
        side = max(SIDE, width * 2 // 5 - GAP)
        rest = [places(counts, side), rivals(met, side), below(side)]
        for blank in (gap, none):
            beside_it = _apart(rest, blank)
            if beside_it.height <= lines or width >= ROOMY:
                drawn = course(width - side - GAP, max(beside_it.height, min(COURSE[1], lines)))
                return above([head, gap, beside([drawn, beside_it], GAP) if drawn.height else beside_it], width)
        drawn = course(width - side - GAP, COURSE[0])
        first = [beside([drawn, rest[0]], GAP)] if drawn.height else rest[:1]
        tail = [rivals(met, width, lines - first[0].height - below(width).height), below(width)]
        return above([head, gap, *first, *tail], width)
    rest = [places(counts, width), rivals(met, width), below(width)]
    for blank in (gap, none):
        used = _apart([gap, *rest], blank).height - 1
        if used + COURSE[0] <= lines:
            break
    drawn = course(width, max(COURSE[0], min(COURSE[1], lines - used)))
    return above([head, gap, _apart([drawn, *rest], blank)], width)


def _apart(parts: Sequence[Block], gap: Block) -> Block:
    """Blocks on top of each other, with a gap between those that are not empty."""
    shown = [part for part in parts if part.height]
    return above([block for at, part in enumerate(shown) for block in ((gap, part) if at else (part,))])

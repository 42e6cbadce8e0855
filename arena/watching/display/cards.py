"""Cards of any size, in the five colours of worth as on the real cards, with their worth also shown by a mark."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import lru_cache

from rich.style import Style
from rich.text import Text

from bullring.arena.watching.display.blocks import Block, beside

HEAD = "Ψ"
"""A bull head."""

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

_FACES = {1: "black on white", 2: "black on cyan", 3: "black on yellow", 5: "bright_white on red"}
_MOST = "bright_white on magenta"
_EDGES = {1: "default", 2: "cyan", 3: "yellow", 5: "red"}
_EDGE_OF_MOST = "magenta"
_BACK = "bright_white on blue"

GAP = 1
"""Columns between two cards."""

Bears = Sequence[int]
"""Heads by card."""


class Size(IntEnum):
    """Sizes of cards."""

    TINY = 0
    """Number and worth."""
    CHIP = 1
    """One line with an edge; brackets mark a fresh card."""
    BOX = 2
    """Three lines."""
    BIG = 3
    """Five lines, with as many heads as the card is worth."""
    HUGE = 4
    """Seven lines, with a number in two corners."""

    @property
    def width(self) -> int:
        return (4, 6, 6, 7, 9)[self]

    @property
    def height(self) -> int:
        return (1, 1, 3, 5, 7)[self]

    @property
    def overlap(self) -> int:
        """Columns that are seen of a card under another one."""
        return (4, 6, 5, 5, 5)[self]


def heads_mark(heads: int) -> str:
    """A number of heads in short: "12 Ψ"."""
    return f"{heads} {HEAD}"


def raised(heads: int) -> str:
    """The mark of a card's worth beside its number: nothing for one head, else the number of heads, raised."""
    return "" if heads == 1 else str(heads).translate(_RAISED)


def worth_style(heads: int) -> str:
    """The colours of a card with this number of heads."""
    return _FACES.get(heads, _MOST if heads > 1 else _FACES[1])


@lru_cache(maxsize=4096)
def card(number: int, heads: int, size: Size, *, fresh: bool = False) -> Block:
    """A card. A `fresh` one, new on the table in this turn, has a heavy edge. A click finds `meta["pick"]`, its number."""
    style = Style.parse(worth_style(heads)) + Style(bold=fresh, meta={"pick": number})
    if size is Size.TINY:
        return _block([f"{number}{raised(heads)}".rjust(size.width)], style + Style(underline=fresh))
    if size is Size.CHIP:
        edges = "[]" if fresh else "  "
        return _block([f"{edges[0]}{number:>3}{raised(heads):<1}{edges[1]}"], style)
    if size is Size.BOX:
        inside = [f"{number:>3}{raised(heads):<1}"]
    else:
        marks = HEAD * heads
        first = marks if heads <= 5 else marks[: -(-heads // 2)]
        wide = size.width - 2
        inside = [first.center(wide), marks[len(first) :].center(wide)]
        if size is Size.BIG:
            inside.insert(0, str(number).center(wide))
        else:
            inside = [f" {number:<{wide - 1}}", " " * wide, *inside, f"{number:>{wide - 1}} "]
    edge = Style.parse(_EDGES.get(heads, _EDGE_OF_MOST if heads > 1 else "default"))
    return _boxed(inside, size, style, edge + Style(bold=fresh, meta={"pick": number}), "┏━┓┃┗┛" if fresh else "╭─╮│╰╯")


@lru_cache
def back(size: Size) -> Block:
    """A card that lies face down."""
    inside = "░" * (size.width - 2)
    style = Style.parse(_BACK)
    if size <= Size.CHIP:
        return _block(["░" * size.width], style)
    return _boxed([inside] * (size.height - 2), size, style, Style.parse("blue"), "╭─╮│╰╯")


@lru_cache
def place(size: Size) -> Block:
    """A place without a card."""
    lines = [""] * size.height
    lines[size.height // 2] = "·".center(size.width)
    return Block([Text(line, style="dim") for line in lines], size.width)


def overlapped(numbers: Sequence[int], bears: Bears, size: Size, fresh: Callable[[int], bool]) -> Block:
    """Cards that lie on each other, the last one on top."""
    drawn = [card(number, bears[number], size, fresh=fresh(number)) for number in numbers]
    if size <= Size.CHIP:
        return beside(drawn, gap=GAP if size is Size.TINY else 0)
    cut = [Block([line[: size.overlap] for line in block.lines], size.overlap) for block in drawn[:-1]]
    return beside([*cut, *drawn[-1:]])


def _boxed(inside: Sequence[str], size: Size, style: Style, edge: Style, corners: str) -> Block:
    """`corners` holds upper left, level, upper right, side, lower left, lower right."""
    level, side = corners[1] * (size.width - 2), corners[3]
    lines = [Text.assemble((side, edge), (text, style), (side, edge)) for text in inside]
    above, below = corners[0] + level + corners[2], corners[4] + level + corners[5]
    return Block([Text(above, style=edge), *lines, Text(below, style=edge)])


def _block(lines: Sequence[str], style: Style) -> Block:
    return Block([Text(line, style=style) for line in lines])

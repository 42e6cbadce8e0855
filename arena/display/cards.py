"""Cards of any size, in the five colours of worth as on the real cards, with their worth also shown by a mark."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import lru_cache

from rich.style import Style
from rich.text import Text

from bullring.arena.display.blocks import Block, beside

HEAD = "Ψ"
"""A bull head."""

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

_STYLES = {1: "black on white", 2: "black on cyan", 3: "black on yellow", 5: "bright_white on red"}
_MOST = "bright_white on magenta"
_BACK = "bright_white on blue"

Bears = Sequence[int]
"""Heads by card."""


class Size(IntEnum):
    """How large cards are drawn."""

    TINY = 0
    """Number and worth."""
    CHIP = 1
    """One line with an edge; brackets mark a fresh card."""
    BOX = 2
    """Three lines."""
    BIG = 3
    """Five lines, with as many heads as the card is worth."""

    @property
    def width(self) -> int:
        return (4, 6, 6, 7)[self]

    @property
    def height(self) -> int:
        return (1, 1, 3, 5)[self]

    @property
    def gap(self) -> int:
        """Columns between two cards."""
        return (1, 1, 1, 1)[self]


def heads_mark(heads: int) -> str:
    """A number of heads in short: "12 Ψ"."""
    return f"{heads} {HEAD}"


def raised(heads: int) -> str:
    """The mark of a card's worth beside its number: nothing for one head, else the number of heads, raised."""
    return "" if heads == 1 else str(heads).translate(_RAISED)


def worth_style(heads: int) -> str:
    """The colours of a card that is worth so many heads."""
    return _STYLES.get(heads, _MOST if heads > 1 else _STYLES[1])


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
        inside = [f"{number:^5}", f"{first:^5}", f"{marks[len(first) :]:^5}"]
    return _block(_boxed(inside, size, "┏━┓┃┗┛" if fresh else "╭─╮│╰╯"), style)


@lru_cache
def back(size: Size) -> Block:
    """A card that lies face down."""
    inside = "░" * (size.width - 2)
    lines = ["░" * size.width] if size <= Size.CHIP else _boxed([inside] * (size.height - 2), size, "╭─╮│╰╯")
    return _block(lines, Style.parse(_BACK))


@lru_cache
def place(size: Size, text: str = "·", style: str = "dim") -> Block:
    """A place without a card."""
    lines = [""] * size.height
    lines[size.height // 2] = text.center(size.width)
    return Block([Text(line, style=style) for line in lines], size.width)


def overlapped(numbers: Sequence[int], bears: Bears, size: Size, fresh: Callable[[int], bool]) -> Block:
    """Cards that lie on each other, the last one on top."""
    drawn = [card(number, bears[number], size, fresh=fresh(number)) for number in numbers]
    if size <= Size.CHIP:
        return beside(drawn, gap=size.gap if size is Size.TINY else 0)
    edge = size.width - 1 if size is Size.BOX else size.width - 2
    cut = [Block([line[:edge] for line in block.lines], edge) for block in drawn[:-1]]
    return beside([*cut, *drawn[-1:]])


def _boxed(inside: Sequence[str], size: Size, corners: str) -> list[str]:
    """`corners` holds upper left, level, upper right, side, lower left, lower right."""
    edge, side = corners[1] * (size.width - 2), corners[3]
    return [corners[0] + edge + corners[2], *(side + text + side for text in inside), corners[4] + edge + corners[5]]


def _block(lines: Sequence[str], style: Style) -> Block:
    return Block([Text(line, style=style) for line in lines])

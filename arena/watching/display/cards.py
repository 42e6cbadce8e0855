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

# Faces have their own colours: in those of the terminal, some themes draw black on grey.
_FACES = {1: "#000000 on #e4e4e4", 2: "#000000 on #5fd7d7", 3: "#000000 on #ffd75f", 5: "#ffffff on #d70000"}
_MOST = "#ffffff on #8700af"
_FADED = {1: "#000000 on #8a8a8a", 2: "#000000 on #3f8a8a", 3: "#000000 on #97803f", 5: "#d0d0d0 on #7a1010"}
_FADED_MOST = "#d0d0d0 on #4b1260"
_BACK = "#ffffff on #005faf"
_CURSOR = "bold #000000 on #5fff5f"
"""Of the ends of a card of one line under the cursor."""

GAP = 1
"""Columns between two cards."""

PLAIN, FRESH, AIMED, GHOST = "▗▄▖▐▌▝▀▘", "┏━┓┃┃┗━┛", "╔═╗║║╚═╝", "┌╌┐╎╎└╌┘"
"""Edges of a card, from its upper left corner line by line: as it lies, where they are the rest of its face; new on the table and
under the cursor, where they are lines on it; and on its way or not there yet."""

EDGES = {edge[1] for edge in (PLAIN, FRESH, AIMED, GHOST)}
"""What the upper edge of a card is drawn with."""

_ENDS = {FRESH: "[]", AIMED: "»«", GHOST: "()"}
"""The same for cards of one line."""

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
    FACE = 3
    """Four lines, with as many heads as the card is worth."""
    BIG = 4
    """Five lines."""
    HUGE = 5
    """Seven lines, with a number in two corners."""
    GRAND = 6
    """Nine lines, with a number that is seen from afar."""

    @property
    def width(self) -> int:
        return (4, 6, 6, 7, 7, 9, 13)[self]

    @property
    def height(self) -> int:
        return (1, 1, 3, 4, 5, 7, 9)[self]

    @property
    def overlap(self) -> int:
        """Columns that are seen of a card under another one."""
        return (4, 6, 5, 5, 5, 5, 6)[self]


def heads_mark(heads: int) -> str:
    """A number of heads in short: "12 Ψ"."""
    return f"{heads} {HEAD}"


def raised(heads: int) -> str:
    """The mark of a card's worth beside its number: nothing for one head, else the number of heads, raised."""
    return "" if heads == 1 else str(heads).translate(_RAISED)


def worth_style(heads: int, *, faded: bool = False) -> str:
    """The colours of a card with this number of heads; `faded`, of one that cannot be chosen."""
    faces, most = (_FADED, _FADED_MOST) if faded else (_FACES, _MOST)
    return faces.get(heads, most if heads > 1 else faces[1])


def gap_of(count: int, size: Size, width: int) -> int:
    """Columns between so many cards of a hand: fewer where they fit in one line only so, where -1 lays them on each other.

    Cards of one line have no edges that would keep them apart.
    """
    gaps = (GAP, 0, -1) if size >= Size.BOX else (GAP,)
    return next((gap for gap in gaps if (size.width + gap) * count - gap <= width), GAP)


@lru_cache(maxsize=4096)
def card(number: int, heads: int, size: Size, *, edge: str = PLAIN, foot: str = "", faded: bool = False) -> Block:
    """A card with one of the edges, and a word of up to four letters in the lower one; `faded` if it cannot be chosen. A click
    finds `meta["pick"]`, its number.
    """
    meta = {"pick": number}
    strong = edge in (FRESH, AIMED)
    style = Style.parse(worth_style(heads, faded=faded)) + Style(bold=strong, dim=edge == GHOST, meta=meta)
    if size is Size.TINY:
        text = f"{number}{raised(heads)}".rjust(size.width)
        return _block([text], style + Style(underline=strong, reverse=edge == AIMED))
    if size is Size.CHIP:
        ends = _ENDS.get(edge, "  ")
        rim = Style.parse(_CURSOR) + Style(meta=meta) if edge == AIMED else style
        return Block([Text.assemble((ends[0], rim), (f"{number:>3}{raised(heads):<1}", style), (ends[1], rim))])
    return _boxed(_face(number, heads, size), size, style, edge, foot)


def _face(number: int, heads: int, size: Size) -> list[str]:
    """The lines within the edge."""
    wide, marks = size.width - 2, HEAD * heads
    if size is Size.BOX:
        return [f"{number:>3}{raised(heads):<1}"]
    if size is Size.FACE:
        return [str(number).center(wide), (marks if heads <= wide else f"{heads} {HEAD}").center(wide)]
    if size is Size.GRAND:
        return [
            f" {number:<{wide - 1}}",
            marks.center(wide),
            *_large(number, wide),
            " " * wide,
            f"{number:>{wide - 1}} ",
        ]
    first = marks if heads <= 5 else marks[: -(-heads // 2)]
    inside = [first.center(wide), marks[len(first) :].center(wide)]
    if size is Size.BIG:
        return [str(number).center(wide), *inside]
    return [f" {number:<{wide - 1}}", " " * wide, *inside, f"{number:>{wide - 1}} "]


_DIGITS = ("75557", "13111", "71747", "71717", "55711", "74717", "74757", "71111", "75757", "75717")
"""The ten digits, up to three points wide and five high: each line as a number whose bits are points."""


def _large(number: int, width: int) -> list[str]:
    """A number in three lines, two lines of points in each."""
    lines = []
    for at in (0, 2, 4):
        shown = []
        for digit in str(number):
            upper, lower = (int(line) for line in (_DIGITS[int(digit)] + "0")[at : at + 2])
            wide = int(max(_DIGITS[int(digit)])).bit_length()  # the narrow 1 leaves a margin beside three digits
            shown.append("".join(" ▄▀█"[2 * (upper >> bit & 1) + (lower >> bit & 1)] for bit in reversed(range(wide))))
        lines.append(" ".join(shown).center(width))
    return lines


@lru_cache
def back(size: Size) -> Block:
    """A card that lies face down."""
    inside = "░" * (size.width - 2)
    style = Style.parse(_BACK)
    if size <= Size.CHIP:
        return _block(["░" * size.width], style)
    return _boxed([inside] * (size.height - 2), size, style, PLAIN)


@lru_cache
def place(size: Size) -> Block:
    """A place without a card."""
    if size <= Size.CHIP:
        return Block([Text("·".center(size.width), style="dim")], size.width)
    wide, blank = size.width - 2, " " * (size.width - 2)
    sides = [f"│{blank}│"] * (size.height - 2)
    return Block([Text(line, style="bright_black") for line in (f"╭{'─' * wide}╮", *sides, f"╰{'─' * wide}╯")])


def overlapped(numbers: Sequence[int], bears: Bears, size: Size, fresh: Callable[[int], bool]) -> Block:
    """Cards that lie on each other, the last one on top."""
    drawn = [card(number, bears[number], size, edge=FRESH if fresh(number) else PLAIN) for number in numbers]
    if size <= Size.CHIP:
        return beside(drawn, gap=GAP if size is Size.TINY else 0)
    cut = [Block([line[: size.overlap] for line in block.lines], size.overlap) for block in drawn[:-1]]
    return beside([*cut, *drawn[-1:]])


def _boxed(inside: Sequence[str], size: Size, face: Style, edge: str, foot: str = "") -> Block:
    """A face with an edge around it; `foot` is written in the lower one."""
    wide, meta = size.width - 2, Style(meta=face.meta)
    rim = (
        face
        if edge in (FRESH, AIMED)
        else Style(dim=True) + meta
        if edge == GHOST
        else Style(color=face.bgcolor) + meta
    )
    lines = [Text.assemble((edge[3], rim), (text, face), (edge[4], rim)) for text in inside]
    told = foot[:wide]
    left = (wide - len(told)) // 2
    below = Text.assemble((edge[5] + edge[6] * left, rim), (told, face + Style(bold=True)))
    below.append(edge[6] * (wide - left - len(told)) + edge[7], rim)
    return Block([Text(edge[0] + edge[1] * wide + edge[2], style=rim), *lines, below])


def _block(lines: Sequence[str], style: Style) -> Block:
    return Block([Text(line, style=style) for line in lines])

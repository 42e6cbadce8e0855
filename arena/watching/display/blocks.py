"""Blocks: rectangles of text that are put side by side and on top of each other, each line exactly as wide as its block.

Each size can be tested to the cell, and the smallest loses the least important columns first.
"""

import re
from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.style import Style
from rich.text import Text

_CLAUSE = re.compile(r"[;.](?= )|\n")
"""The end of a clause, before the next one."""


class Block:
    """A rectangle of text. Rich prints it, and a Textual widget may return it from `render`."""

    def __init__(self, lines: Iterable[Text | str], width: int | None = None) -> None:
        """Take lines; longer ones are cut and shorter ones filled to `width`, by default that of the longest."""
        texts = [Text(line) if isinstance(line, str) else line for line in lines]
        self.width = max((line.cell_len for line in texts), default=0) if width is None else max(0, width)
        self.lines: Sequence[Text] = [_fitted(line, self.width) for line in texts]

    @property
    def height(self) -> int:
        return len(self.lines)

    @property
    def plain(self) -> str:
        """The text without colours, without blanks at the ends of lines."""
        return "\n".join(line.plain.rstrip() for line in self.lines)

    def fitted(self, width: int, height: int) -> "Block":
        """The block cut or filled to this size."""
        missing = [""] * max(0, height - self.height)
        return Block([*self.lines[: max(0, height)], *missing], width)

    def styled(self, style: Style | str) -> "Block":
        """The block with a style, or a meta, laid over all of it."""
        lines = [line.copy() for line in self.lines]
        for line in lines:
            line.stylize(style)
        return Block(lines, self.width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines:
            yield from line.render(console, end="\n")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(self.width, self.width)


def beside(blocks: Iterable[Block], gap: int = 0) -> Block:
    """Blocks side by side, aligned at the top."""
    parts = list(blocks)
    height = max((part.height for part in parts), default=0)
    width = sum(part.width for part in parts) + gap * max(0, len(parts) - 1)
    filled = [part.fitted(part.width, height) for part in parts]
    between = Text(" " * gap)
    return Block([between.join([part.lines[at] for part in filled]) for at in range(height)], width)


def above(blocks: Iterable[Block], width: int | None = None) -> Block:
    """Blocks on top of each other, aligned at the left."""
    return Block([line for block in blocks for line in block.lines], width)


def wrapped(pieces: Iterable[Block], width: int, gap: int = 1) -> Block:
    """Blocks side by side, and in further lines where there is no room."""
    lines: list[list[Block]] = []
    used = 0
    for piece in pieces:
        if not lines or used + gap + piece.width > width:
            lines.append([])
            used = -gap
        lines[-1].append(piece)
        used += gap + piece.width
    return above([beside(line, gap) for line in lines], width)


def whole(text: str, width: int, lines: int) -> list[str]:
    """A text in at most so many lines: where there is no room for all of it, the clauses that are complete.

    Clauses end with a line, a semicolon or a full stop. Only a first one that is too long is cut within.
    """
    kept = text
    while True:
        found = [line for part in kept.split("\n") for line in wrap(part, width, break_on_hyphens=False)]
        if len(found) <= lines:
            return found
        ends = [end.start() for end in _CLAUSE.finditer(kept)]
        if not ends:
            return [*found[: lines - 1], found[lines - 1][: width - 1] + "…"] if lines > 0 else []
        kept = kept[: ends[-1]] + ("." if text.endswith(".") else "")


def _fitted(line: Text, width: int) -> Text:
    length = line.cell_len
    if length == width and line.no_wrap:
        return line
    line = line.copy()
    if length > width:
        line.truncate(width, overflow="ellipsis")
    line = Text.assemble(line, " " * max(0, width - length))  # what is filled has no style
    line.no_wrap = True
    return line

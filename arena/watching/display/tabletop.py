"""A frame as people see it on a terminal: the whole table in any size, which it fills exactly.

The parts can be had alone: `title`, `history` and `scores` here, `seats` in `seats`, and the cards on the table in `board`.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from bullring.arena.settings.limits import MICRO
from bullring.arena.watching.display.animation import flown
from bullring.arena.watching.display.blocks import Block, above, beside
from bullring.arena.watching.display.board import board, least_height, open_hands, sheet, sized
from bullring.arena.watching.display.cards import Size
from bullring.arena.watching.display.seats import Seating, seats
from bullring.arena.watching.picture.picture import Frame, Line, Picture

LEAST = (40, 12)
"""Columns and lines below which nothing can be drawn."""

SMALL = 80
"""Columns below which words are saved."""

NARROW = 60
"""Columns below which lines of seats are cut."""

WIDE = 120
"""Columns from which on the history is beside the board."""

_TONES = {"plain": "", "take": "red", "deal": "bold", "fault": "bold magenta", "end": "bold"}
"""Colours that can be read on light and on dark terminals."""


def too_small(width: int, height: int) -> bool:
    """Whether a terminal is too small for a table."""
    return width < LEAST[0] or height < LEAST[1]


def tabletop(
    frame: Frame, width: int, height: int, *, waited: float = 0.0, phase: float = 1.0, note: str = ""
) -> Block:
    """The table, `width` columns by `height` lines.

    `waited` is the number of seconds that the table has waited for answers. `phase`, from 0 to 1, is how far the step is:
    before 1, cards and heads are on their way. `note` is written at the right of the title. A screen that needs lines of its
    own on the smallest terminal may leave the table fewer lines than `LEAST`: then it has no history.
    """
    if width < LEAST[0] or height < LEAST[1] // 2:
        return sorry(width, height)
    drawn = _table(frame.picture, width, height, waited, note)
    return drawn if phase >= 1 else flown(drawn, frame, phase)


def _table(picture: Picture, width: int, height: int, waited: float, note: str) -> Block:
    head = title(picture, width, note=note)
    if width >= WIDE and height >= 24:
        side = min(60, width // 3)
        main = _main(picture, width - side - 2, height - 1, waited, 0)
        return above([head, beside([main, _side(picture, side, height - 1)], 2)], width).fitted(width, height)
    return above(
        [head, _main(picture, width, height - 1, waited, history_lines=3 if height >= LEAST[1] else 0)], width
    ).fitted(width, height)


def sorry(width: int, height: int) -> Block:
    """The message on a terminal that is too small."""
    text = Text(f"too small: {width}x{height}, needs {LEAST[0]}x{LEAST[1]}")
    return Block([text], width).fitted(width, height)


def title(picture: Picture, width: int, *, note: str = "") -> Block:
    """The game, the deal, the turn, the end of the match, and the limit of a decision."""
    text = Text.assemble((" bullring ", "bold reverse") if width >= SMALL else "")
    pieces = [Text(f" {picture.title}", style="bold")]
    if picture.deal:
        pieces.append(Text(f"deal {picture.deal}" + (f" of {picture.planned}" if picture.planned else "")))
        pieces.append(Text(f"turn {picture.turn}" if picture.turn else "draft"))
    if picture.goal:
        pieces.append(Text(picture.goal))
    if picture.limit_us is not None:
        pieces.append(Text(f"{picture.limit_us / MICRO:g} s to {picture.purpose}", style="dim"))
    free = width - text.cell_len - len(note) - 1
    told = pieces[0]
    for piece in pieces[1:]:
        if told.cell_len + 2 + piece.cell_len > free:
            break
        told = told + Text("  ") + piece
    left = text + told
    left.truncate(width - len(note) - 1, overflow="ellipsis", pad=True)
    return Block([left + Text(" " if note else "") + Text(note, style="dim")], width)


def history(picture: Picture, width: int, height: int, *, stamped: bool = True) -> Block:
    """The last lines of the history, the latest at the bottom; long ones go on in a second line where there is room.

    They carry `meta` "ago": 0 for the latest line, 1 for the one before.
    """
    lines: list[Text] = []
    for ago, line in enumerate(reversed(picture.log)):
        told = list(_told(line, width, stamped=stamped))
        for text in told:
            text.apply_meta({"ago": ago})
        lines[:0] = told
        if len(lines) >= height:
            break
    return Block(lines[-height:] if height > 0 else [], width).fitted(width, max(0, height))


def scores(picture: Picture, width: int, height: int) -> Block:
    """The heads of each deal by seat, the last deals, and the totals."""
    count = len(picture.seats)
    column = min(12, (width - 6) // max(1, count))
    if column < 4 or height < 3:
        return Block([], width)

    def line(label: str, cells: list[str], style: str = "") -> Text:
        fitted = (set_cell_size(cell, min(column - 1, cell_len(cell))) for cell in cells)
        return Text(f"{label:<6}" + "".join(" " * (column - cell_len(cell)) + cell for cell in fitted), style=style)

    names = [str(at) if column < 8 else f"{at} {seat.name}" for at, seat in enumerate(picture.seats)]
    shown = list(enumerate(picture.deals, 1))[-(height - 2) :]
    body = [line(f"deal {number}"[:6], [str(heads) for heads in deal]) for number, deal in shown]
    total = line("total", [str(seat.score) for seat in picture.seats], "bold")
    return Block([line("", names, "dim"), *body, total], width)


def outcome(picture: Picture) -> Text | None:
    """The winner's line, when the match is over."""
    if not picture.over:
        return None
    if picture.void is not None:
        return Text(f" void: {picture.void} ", style="bold bright_white on red")
    best = [seat for seat in picture.seats if seat.rank == 1]
    names = " and ".join(seat.name for seat in best)
    heads = f"with {best[0].score} heads" if best else ""
    return Text(f" {names} {'wins' if len(best) == 1 else 'share the first place'} {heads} ", style="black on green")


def _main(picture: Picture, width: int, height: int, waited: float, history_lines: int) -> Block:
    """Seats and board as large as both fit, then known hands, the sheet, and the history in the remaining lines."""
    last = outcome(picture)
    extra = [Block([last], width)] if last is not None else []
    height -= len(extra)
    below = [sheet(picture, width), open_hands(picture, width)]
    spared = [sum(block.height for block in below) + history_lines, history_lines]
    top, middle = _fitting(picture, width, height, waited, spared)
    parts = [*extra, top, middle]
    rest = height - top.height - middle.height
    for block in below:
        if block.height and rest - block.height >= history_lines:
            parts.append(block)
            rest -= block.height
        elif block.height and rest - history_lines >= 3:
            parts.append(block.fitted(width, rest - history_lines))
            rest = history_lines
    if history_lines:
        parts.append(history(picture, width, rest, stamped=False))
    return above(parts, width)


def _fitting(picture: Picture, width: int, height: int, waited: float, spared: Sequence[int]) -> tuple[Block, Block]:
    """Seats and board, as large as they fit with `spared` lines left: the first of these numbers that is possible.

    Where lines of seats hold whole names, these come before the lines left: cells are for tables that have no room otherwise.
    """
    tops = cache(lambda seating: seats(picture, width, seating, waited=waited))
    wide = [([*_PANELS, *_LINES] if width >= 90 else _LINES, [*spared, 0]), (_CELLS, spared)]
    for layouts, left in wide if width >= NARROW else [([*_LINES, *_CELLS], spared)]:
        for lines in dict.fromkeys(left):
            for seating, size in layouts:
                rest = height - tops(seating).height - lines
                if rest <= 0 or rest < least_height(picture, size):
                    continue
                middle = sized(picture, width, rest, size) if picture.board else Block([])
                if middle.width <= width and middle.height <= rest:
                    return tops(seating), middle
    top = tops(Seating.CELLS)
    return top, board(picture, width, height - top.height)


# Ways to draw seats and cards, the best first.
_PANELS = [(Seating.PANELS, size) for size in (Size.HUGE, Size.BIG, Size.BOX)]
_LINES = [(Seating.LINES, size) for size in (Size.BIG, Size.BOX, Size.CHIP, Size.TINY)]
_CELLS = [(Seating.CELLS, size) for size in (Size.BOX, Size.CHIP, Size.TINY)]


def _side(picture: Picture, width: int, height: int) -> Block:
    """Scores and history, beside the board."""
    sums = scores(picture, width, max(3, min(len(picture.deals) + 2, height // 2)))
    line = Block([Text("─" * width, style="dim")])
    past = history(picture, width, height - sums.height - 1)
    return above([sums, line, past], width)


def _told(line: Line, width: int, *, stamped: bool) -> Iterator[Text]:
    stamp = f"{line.deal}.{line.turn:<2} " if stamped else ""
    indent = " " * max(2, len(stamp))
    told = wrap(stamp + line.text, max(8, width), subsequent_indent=indent, break_on_hyphens=False, tabsize=1)
    for at, text in enumerate(told):
        start = len(stamp) if at == 0 else 0
        yield Text.assemble((text[:start], "dim"), (text[start:], _TONES[line.tone]))

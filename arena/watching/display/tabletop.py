"""A frame as people see it on a terminal: the whole table in any size, which it fills exactly.

The parts can be had alone: `title`, `history` and `scores` here, `seats` in `seats`, and the cards on the table in `board`.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rules.board import Rows
from bullring.arena.games.rules.sayings import Heads
from bullring.arena.settings.limits import MICRO
from bullring.arena.watching.display.animation import flown
from bullring.arena.watching.display.blocks import Block, above, beside
from bullring.arena.watching.display.board import (
    QUEUE,
    board,
    least_height,
    open_hands,
    queued,
    rows_width,
    sheet,
    sized,
)
from bullring.arena.watching.display.cards import Size
from bullring.arena.watching.display.seats import Seating, seats
from bullring.arena.watching.picture.picture import Frame, Line, Picture

LEAST = (40, 12)
"""Columns and lines below which nothing can be drawn."""

SMALL = 80
"""Columns below which words are saved."""

NARROW = 60
"""Columns below which lines of seats are cut."""

ROOM = 5
"""Places of a row."""

SIDE = 46
"""Least columns of the history beside the board: ten sums have room above it."""

WIDE = 120
"""Columns from which on the history is beside the board."""

_TONES = {"plain": "", "take": "red", "deal": "bold", "fault": "bold magenta", "end": "bold"}
"""Colours that can be read on light and on dark terminals."""


def too_small(width: int, height: int) -> bool:
    """Whether a terminal is too small for a table."""
    return width < LEAST[0] or height < LEAST[1]


def tabletop(
    frame: Frame,
    width: int,
    height: int,
    *,
    waited: float = 0.0,
    phase: float = 1.0,
    note: str = "",
    past: bool = True,
) -> Block:
    """The table, `width` columns by `height` lines.

    `waited` is the number of seconds that the table has waited for answers. `phase`, from 0 to 1, is how far the step is:
    before 1, cards and heads are on their way. `note` is written at the right of the title. Without the `past`, scores
    and history are left to the screen. A screen that needs lines of its own on the smallest terminal may leave the table fewer
    lines than `LEAST`: then it has no history.
    """
    if width < LEAST[0] or height < LEAST[1] // 2:
        return sorry(width, height)
    drawn = _table(frame.picture, width, height, waited, note, past=past)
    return drawn if phase >= 1 else flown(drawn, frame, phase)


def _table(picture: Picture, width: int, height: int, waited: float, note: str, *, past: bool) -> Block:
    head = title(picture, width, note=note)
    side = min(60, max(width // 3, SIDE)) if past and width >= WIDE and height >= 24 else 0
    lines = 3 if past and not side and height >= LEAST[1] else 0
    main = _main(picture, width, height - 1, waited, lines, side)
    return above([head, main], width).fitted(width, height)


def sorry(width: int, height: int) -> Block:
    """The message on a terminal that is too small."""
    text = Text(say("table.small", width=width, height=height, least="x".join(map(str, LEAST))))
    return Block([text], width).fitted(width, height)


def title(picture: Picture, width: int, *, note: str = "") -> Block:
    """The game, the deal, the turn, the end of the match, and the limit of a decision."""
    text = Text.assemble((" bullring ", "bold reverse") if width >= SMALL else "")
    pieces = [Text(f" {picture.words.title}", style="bold")]
    if picture.deal:
        deal = say(f"table.{'deal_of' if picture.planned else 'deal'}", deal=picture.deal, planned=picture.planned)
        pieces += [Text(deal), Text(say("table.turn", turn=picture.turn) if picture.turn else say("table.draft"))]
    if picture.target is not None:
        pieces.append(Text(say("table.goal", heads=Heads(picture.target))))
    if picture.limit_us is not None:
        purpose = picture.words.purpose(picture.kind)
        pieces.append(Text(say("table.limit", seconds=picture.limit_us / MICRO, purpose=purpose), style="dim"))
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
    """The last entries of the history, the latest at the bottom; long ones go on in a second line. All are whole, except one
    that is too long for all of the room.

    They carry `meta` "ago": 0 for the latest line, 1 for the one before.
    """
    lines: list[Text] = []
    for ago, line in enumerate(reversed(picture.log)):
        told = list(_told(line, width, stamped=stamped))
        for text in told:
            text.apply_meta({"ago": ago})
        if lines and len(told) + len(lines) > height:
            break
        lines[:0] = told
    return Block(lines, width).fitted(width, max(0, height))


def scores(picture: Picture, width: int, height: int) -> Block:
    """The heads of each deal by seat, the last deals, and the totals."""
    count, total = len(picture.seats), say("table.columns.total")
    wide = 1 + max(4, len(total))
    column = min(12, (width - wide) // max(1, count))
    if column < 4 or height < 3:
        return Block([], width)

    def line(label: str, cells: list[str], style: str = "") -> Text:
        fitted = (set_cell_size(cell, min(column - 1, cell_len(cell))) for cell in cells)
        return Text(
            f"{label:<{wide}}" + "".join(" " * (column - cell_len(cell)) + cell for cell in fitted), style=style
        )

    names = [str(at) if column < 8 else seat.name for at, seat in enumerate(picture.seats)]
    shown = list(enumerate(picture.deals, 1))[-(height - 2) :]
    body = [line(f"{number}.", [str(heads) for heads in deal]) for number, deal in shown]
    sums = line(total, [str(seat.score) for seat in picture.seats], "bold")
    return Block([line("", names, "dim"), *body, sums], width)


def outcome(picture: Picture) -> Text | None:
    """The winner's line, when the match is over."""
    if not picture.over:
        return None
    if picture.void is not None:
        return Text(f" {say('table.void', what=picture.void)} ", style="bold bright_white on red")
    best = [seat for seat in picture.seats if seat.rank == 1]
    if not best:
        return None
    names, heads = tuple(seat.called for seat in best), Heads(best[0].score)
    said = say(f"table.{'won' if len(best) == 1 else 'shared'}", names=names, heads=heads)
    return Text(f" {said} ", style="black on green")


def _main(picture: Picture, width: int, height: int, waited: float, history_lines: int, side: int) -> Block:
    """Seats and board as large as both fit, then known hands, the sheet, and the history in the remaining lines.

    With a `side`, the scores and the history have so many columns beside all that is below the seats.
    """
    last = outcome(picture)
    head = [Block([last], width)] if last is not None else []
    height -= len(head)
    room = width - side - 2 * bool(side)
    below = [sheet(picture, room), open_hands(picture, room)]
    spared = [sum(block.height for block in below) + history_lines, history_lines]
    top, middle = _fitting(picture, width, room, height, waited, spared)
    parts = [middle]
    rest = height - top.height - middle.height
    for block in below:
        if block.height and rest - block.height >= history_lines:
            parts.append(block)
            rest -= block.height
        elif block.height and rest - history_lines >= 3:
            parts.append(block.fitted(room, rest - history_lines))
            rest = history_lines
    if not history_lines:
        parts.insert(0, Block([""] * (rest // 2)))
    else:
        parts.append(history(picture, room, rest, stamped=False))
    main = above(parts, room)
    return above([*head, top, beside([main, _side(picture, side, height - top.height)], 2) if side else main], width)


def _fitting(
    picture: Picture, width: int, room: int, height: int, waited: float, spared: Sequence[int]
) -> tuple[Block, Block]:
    """Seats and, in `room` columns, the board, as large as they fit with `spared` lines left: the first number that is possible.

    Rows that look like cards come before the lines left, and so do whole names: cells are for tables that have no room otherwise.
    """
    tops = cache(lambda seating: seats(picture, width, seating, waited=waited))
    cards = [*(_PANELS if width >= 90 else ()), *_LINES]
    if any(isinstance(part, Rows) for part in picture.board) and room >= rows_width(ROOM, Size.BOX) + QUEUE:
        cards += _STRIP
    wide = [(cards, [*spared, 0]), (_FLAT, [*spared, 0]), (_CELLS, spared)]
    for layouts, left in wide if width >= NARROW else [([*_LINES, *_FLAT, *_CELLS], spared)]:
        for lines in dict.fromkeys(left):
            for seating, size in layouts:
                rest = height - tops(seating).height - lines
                if rest <= 0 or (seating is not Seating.STRIP and rest < least_height(picture, size)):
                    continue
                middle = _in_the_middle(picture, room, rest, size, seating) if picture.board else Block([])
                if middle.width <= room and middle.height <= rest:
                    return tops(seating), middle
    top = tops(Seating.CELLS)
    return top, board(picture, room, height - top.height)


def _in_the_middle(picture: Picture, width: int, height: int, size: Size, seating: Seating) -> Block:
    """The board; large rows are in the middle.

    Below a strip of seats, which is for tables with few lines, these cards are beside the rows.
    """
    rows = next((part for part in picture.board if isinstance(part, Rows)), None)
    if rows is not None and seating is Seating.STRIP:
        drawn = queued(picture, rows, size, width, title=say("table.waiting"))
        left = max(0, (width - drawn.width) // 2)
        return Block([Text(" " * left) + line for line in drawn.lines], drawn.width + left)
    left = max(0, (width - rows_width(rows.room, size)) // 2) if rows is not None and size >= Size.BOX else 0
    return sized(picture, width, height, size, left)


# Ways to draw seats and cards, the best first.
_PANELS = [(Seating.PANELS, size) for size in (Size.GRAND, Size.HUGE, Size.BIG, Size.FACE, Size.BOX)]
_LINES = [(Seating.LINES, size) for size in (Size.HUGE, Size.BIG, Size.FACE, Size.BOX)]
_STRIP = [(Seating.STRIP, size) for size in (Size.FACE, Size.BOX)]
_FLAT = [(Seating.LINES, size) for size in (Size.CHIP, Size.TINY)]
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
    for at, text in enumerate(toned(told, line)):
        if at == 0:
            text.stylize("not bold dim", 0, len(stamp))
        yield text


def toned(told: Sequence[str], line: Line) -> Iterator[Text]:
    """The lines of an entry of the history in its colours; of a row that was taken, the heads have one."""
    if line.tone != "take":
        yield from (Text(text, _TONES[line.tone]) for text in told)
        return
    colon = max((at for at, text in enumerate(told) if ":" in text), default=len(told))
    for at, text in enumerate(told):
        heads = len(text) if at < colon else 0 if at > colon else text.rindex(":") + 1
        yield Text.assemble(text[:heads], (text[heads:], f"bold {_TONES[line.tone]}"))

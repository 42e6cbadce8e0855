"""The table as a player sees it: the board in the middle, as large as the terminal allows, and a place for everything else.

A `Plan` says where everything is. It depends on the terminal and on the game, not on what happens, so nothing on the screen moves
because of a hint, a lesson, a question or a turn. The cards are as large as they fit, those of the board first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rules.board import OpenHands, Pool, Rows
from bullring.arena.watching.display.animation import flown
from bullring.arena.watching.display.blocks import Block, above, beside, whole
from bullring.arena.watching.display.board import Mark, board, queued, rows_width
from bullring.arena.watching.display.cards import Size, gap_of
from bullring.arena.watching.display.seats import strip, strip_lines
from bullring.arena.watching.display.tabletop import ROOM, title, toned
from bullring.arena.watching.picture.picture import Frame, Line, Picture

ROWS = 4
"""Rows in all games that have rows."""

ASIDE = 25
"""Least columns of the panel beside the board."""

READABLE = 66
"""Most columns of the panel: longer lines are hard to read."""

WIDEST = 176
"""Most columns of the table: on a wider screen, what belongs together would lie far apart."""

SPARE = 4
"""Lines that the board must have more than it needs before seats get a second one."""

FRAMED = 44
"""Columns of the panel from which on each of its parts has a frame."""

BARS = 3
"""Least lines of bars below the text of a note."""

BELOW = 4
"""Lines of the panel where it is below the board."""

FEWEST = 5
"""Least lines of a note that has its own, with its title."""

SMALL = 14
"""Lines of a terminal on which not everything has a place."""


@dataclass(frozen=True)
class Plan:
    """The places of a player's table, in columns and lines."""

    width: int
    height: int
    title: int
    seats: int
    tall: bool
    """Whether seats have a second line: with a game's own figures, or else a bar for the total."""
    board: Size
    hand: Size
    hand_lines: int
    aside: int
    """Columns of the panel at the right of the board, with hints, lessons and history; 0 if there is none."""
    notes: int
    """Lines of hints and lessons below the hand, where there is no panel."""
    foot: int

    @property
    def middle(self) -> int:
        """Lines of the board: all that are left, one for the task of the person not counted."""
        return self.height - self.title - self.seats - 1 - self.hand_lines - self.notes - self.foot


class Note(NamedTuple):
    """Something that is told beside the board."""

    title: str
    text: str = ""
    style: str = ""
    """Of the title: what is read has the colour of the terminal."""
    on: bool = True
    """Whether the person wants to be told."""
    fixed: bool = False
    """Whether it changes while the person thinks, and so always takes the same lines."""
    off: str = ""
    """What is said in its place while it is not on, where there is room."""
    bars: Callable[[int, int], Text] | None = None
    """Draws what it is about in so many columns and lines, where there is room below its text."""


def planned(width: int, height: int, seats: int, hand: int, *, figures: bool = False) -> Plan:
    """The plan for a terminal of this size, a number of seats, and a hand of so many cards.

    With `figures`, the game has some of its own, which are shown with each seat.
    """
    width = min(width, WIDEST)
    for size in reversed(Size):
        plans = [_plan(width, height, seats, hand, size, held, figures) for held in reversed(Size) if held <= size]
        fitting = [plan for plan in plans if (plan.hand >= Size.BOX or size <= Size.BOX) and _fits(plan)]
        if fitting:  # a hand in one line is read at once, so it comes before larger cards
            in_line = (plan for plan in fitting if plan.hand >= Size.BOX and _across(width, hand, plan.hand) >= hand)
            return next(in_line, fitting[0])
    return _plan(width, height, seats, hand, Size.TINY, Size.TINY, figures)


def _across(width: int, hand: int, size: Size) -> int:
    """The cards of a hand that are side by side in so many columns."""
    gap = gap_of(hand, size, width)
    return max(1, (width + gap) // (size.width + gap))


def _fits(plan: Plan) -> bool:
    """Whether everything has its place."""
    board = plan.middle >= ROWS * plan.board.height and plan.width >= rows_width(ROOM, plan.board)
    told = plan.height < SMALL or (plan.foot and (plan.aside or plan.notes))
    return board and bool(told) and plan.hand_lines <= max(4, plan.height // 3)


def _plan(width: int, height: int, seats: int, hand: int, board: Size, held: Size, figures: bool) -> Plan:
    lines = -(-hand // _across(width, hand, held)) * held.height + (held > Size.CHIP)
    room = width - rows_width(ROOM, board) - 2
    aside = min(READABLE, room, max(ASIDE, width // 3)) if room >= ASIDE and ROWS * board.height >= 12 else 0
    top = strip_lines(seats, width)
    plan = Plan(width, height, 1, top * (1 + figures), figures, board, held, lines, aside, 0, 1)
    spare = plan.middle - ROWS * board.height
    if spare < 0:
        plan = replace(plan, foot=0)
    if spare < -1:
        plan = replace(plan, title=0)
    if not aside:
        plan = replace(plan, notes=max(0, min(3, plan.middle - ROWS * board.height)))
    elif spare >= top + SPARE and not figures:
        plan = replace(plan, seats=2 * top, tall=True)
    return plan


def playing(
    frame: Frame,
    plan: Plan,
    notes: Sequence[Note],
    *,
    queue: str = "",
    marks: Mapping[int, Mark] = {},
    edges: Mapping[int, str] = {},
    phase: float = 1.0,
) -> Block:
    """Title, seats, and the board with its panel.

    The last of the `notes` is the title of the history, which follows it; `queue` is that of the cards that wait; `marks` are by
    row, `edges` by open card.
    """
    picture, width = frame.picture, plan.width
    head = [title(picture, width)] if plan.title else []
    top = strip(picture, width, tall=plan.tall)
    middle = _middle(picture, plan, notes, queue, marks, edges)
    drawn = above([*head, _centred(top, width, plan.seats), middle], width)
    return drawn if phase >= 1 else flown(drawn, frame, phase)


def _middle(
    picture: Picture, plan: Plan, notes: Sequence[Note], queue: str, marks: Mapping[int, Mark], edges: Mapping[int, str]
) -> Block:
    """The board with its panel, which is below open cards that are larger if they have all the columns."""
    width, height = plan.width, plan.middle
    if not plan.aside:
        return _centred(_board(picture, width, height, plan.board, queue, marks, edges), width, height)
    room = width - plan.aside - 2
    drawn = _board(picture, room, height, plan.board, queue, marks, edges)
    if any(isinstance(part, Pool) for part in picture.board):
        large = _board(picture, width, height - BELOW, plan.board, queue, marks, edges)
        if drawn.height > height or large.height * large.width > drawn.height * drawn.width:
            told = _below(picture, width, max(BELOW, min(height // 4, height - large.height)), notes)
            return above([_centred(large, width, height - told.height), told], width)
    return beside([_centred(drawn, room, height), _aside(picture, plan.aside, height, notes)], 2)


def _below(picture: Picture, width: int, height: int, notes: Sequence[Note]) -> Block:
    """What else is in the panel, side by side."""
    *told, last = notes
    shown = [note for note in told if note.on]
    column = (width - 2 * len(shown)) // (len(shown) + 1)
    parts = [Block([_rule(note.title, column, note.style), *whole(note.text, column, height - 1)]) for note in shown]
    past = Block([_rule(last.title, column), *_past(picture, column, height - 1)])
    return beside([part.fitted(column, height) for part in (*parts, past)], 2)


def _board(
    picture: Picture,
    width: int,
    height: int,
    largest: Size,
    queue: str,
    marks: Mapping[int, Mark],
    edges: Mapping[int, str],
) -> Block:
    """The board, and the cards that wait where there is room for them beside it."""
    rows = next((part for part in picture.board if isinstance(part, Rows)), None)
    if rows is None:
        drawn = board(picture, width, height, largest, edges)
        used = max((cell_len(line.plain.rstrip()) for line in drawn.lines), default=0)
        return Block([line[:used] for line in drawn.lines], used)
    return queued(picture, rows, largest, width, marks, queue)


def _centred(block: Block, width: int, height: int) -> Block:
    """A block in the middle of a place."""
    left, over = max(0, (width - block.width) // 2), max(0, (height - block.height) // 2)
    blank = [""] * over
    return Block([*blank, *(Text(" " * left) + line for line in block.lines)], width).fitted(width, height)


def _aside(picture: Picture, width: int, height: int, notes: Sequence[Note]) -> Block:
    """The panel: what changes while the person thinks has its lines, other notes have those that they need, the history the rest.

    A note that is off has its title and what is said in its place; in a narrow panel it is left out.
    """
    framed = width >= FRAMED
    told, last = [note for note in notes[:-1] if note.on or framed], notes[-1]
    inner, around = (width - 4, 2) if framed else (width, 1)
    parts, rest = list[Block](), height
    for at, note in enumerate(told):
        room = rest - sum(1 + FEWEST * (later.on and later.fixed) for later in told[at + 1 :])
        lines = max(FEWEST, height * 2 // 5) if note.fixed else room
        shown: list[str | Text] = [*whole(note.text, inner, min(lines, room) - around)] if note.on else []
        spare = lines - around - len(shown) - 1
        if framed and note.on and note.bars is not None and spare >= BARS:
            shown += ["", *note.bars(inner, spare).split("\n")]
        if framed and not note.on:
            shown = [Text(line, "dim") for line in whole(note.off, inner, 2)]
        drawn = Block(shown, inner)
        if note.on and note.fixed:
            drawn = drawn.fitted(inner, min(lines, room) - around)
        parts.append(_part(note.title, drawn, width, note.style))
        rest -= parts[-1].height
    if rest > around:
        past = Block(_past(picture, inner, rest - around), inner)
        parts.append(_part(last.title, past.fitted(inner, rest - around), width))
    return above(parts, width).fitted(width, height)


def _part(name: str, block: Block, width: int, style: str = "") -> Block:
    """A part of the panel with its title: in a frame, or else below a line."""
    if width < FRAMED:
        return Block([_rule(name, width, style), *block.lines], width)
    rest = "─" * (width - cell_len(name) - 5)
    top = Text.assemble(("╭─ ", "bright_black"), (name, f"bold {style}"), (f" {rest}╮", "bright_black"))
    lines = [Text.assemble(("│ ", "bright_black"), line, (" │", "bright_black")) for line in block.lines]
    return Block([top, *lines, Text(f"╰{'─' * (width - 2)}╯", "bright_black")], width)


def _rule(name: str, width: int, style: str = "") -> Text:
    return Text.assemble(("── ", "dim"), (name, f"bold {style}"), " ", ("─" * (width - cell_len(name) - 4), "dim"))


def _past(picture: Picture, width: int, height: int) -> list[Text]:
    """The known hands, and the latest lines of the history; what went wrong with programs is not told to players."""
    known = list(_known(picture, width))[: height - 2] if height >= 3 else []
    room, lines = height - len(known), list[Text]()
    for line in reversed([line for line in picture.log if line.tone != "fault"]):
        told = _told(line, width)
        if lines and len(lines) + len(told) > room:
            break
        lines[:0] = told
    return [*known, *lines[: max(0, room)]]


def _known(picture: Picture, width: int) -> Iterator[Text]:
    for part in picture.board:
        if isinstance(part, OpenHands) and any(part.hands):
            # Names and cards stay together, and hands follow each other in as few lines as they take.
            told = [
                f"{picture.seats[at].name} {' '.join(map(str, hand))}".replace(" ", "\N{NO-BREAK SPACE}")
                for at, hand in enumerate(part.hands)
                if hand
            ]
            lines = wrap(f"{say('table.known')}:  {'  '.join(told)}", width, break_on_hyphens=False)
            yield from (Text(line.replace("\N{NO-BREAK SPACE}", " ")) for line in lines)


def _told(line: Line, width: int) -> list[Text]:
    return list(toned(wrap(line.text, width, subsequent_indent="  ", break_on_hyphens=False), line))

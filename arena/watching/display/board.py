"""The middle of the table: rows, stacks, open cards, cards that wait, known hands, the score sheet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rules.board import OpenHands, Pool, Rows, Sheet, Stacks, Waiting
from bullring.arena.watching.display.blocks import Block, above, beside, wrapped
from bullring.arena.watching.display.cards import FRESH, GAP, GHOST, PLAIN, Size, card, heads_mark, overlapped, place
from bullring.arena.watching.picture.picture import Picture

DANGER = "bold red"
FALLING = "bold bright_white on red"

OWNER = 14
"""Most columns of the name of a card's owner."""

QUEUE = 20
"""Columns for the cards that wait beside the rows."""

SHOWN = 4
"""Cards that are shown of a stack where there is room."""


class Mark(NamedTuple):
    """What a person is told of a row."""

    card: int | None = None
    """A card that would lie here, if it is not in the row yet."""
    words: str = ""
    """Up to `BESIDE` letters beside the row."""
    aimed: bool = False
    """Whether the cursor is here."""


def board(picture: Picture, width: int, height: int, largest: Size = Size.HUGE, edges: Mapping[int, str] = {}) -> Block:
    """Rows, stacks, open and waiting cards, as large as they fit.

    It always keeps room for waiting cards, so that nothing jumps during a turn. A click finds `meta["row"]` or `meta["stack"]`,
    numbers from 1, and `meta["pick"]`, a card; `edges` are those of open ones. Returns a block of the size that it needs, cut
    to the given one.
    """
    drawn = Block([])
    for size in reversed(Size):
        if size > largest:
            continue
        drawn = sized(picture, width, height, size, edges=edges)
        if drawn.width <= width and drawn.height <= height:
            return drawn
    return drawn.fitted(min(width, drawn.width), min(height, drawn.height))


def sized(picture: Picture, width: int, height: int, size: Size, left: int = 0, edges: Mapping[int, str] = {}) -> Block:
    """The same with cards of one size, even if it does not fit. Rows begin `left` columns from the edge."""
    parts: list[Block] = []
    for part in picture.board:
        match part:
            case Rows():
                parts.append(_indented(rows_of(picture, part, size, width - left), left))
                if not any(isinstance(other, Waiting | Pool) for other in picture.board):
                    parts.append(waiting(picture, (), size, width))
            case Stacks():
                parts.append(stacks_of(picture, part, size, width, height))
            case Pool(cards):
                parts.append(pool_of(picture, cards, size, width, edges))
            case Waiting(cards):
                drawn = waiting(picture, cards, size, width)
                parts.append(_indented(drawn, max(0, min(left, width - drawn.width))))
    return above(parts)


def _indented(block: Block, left: int) -> Block:
    space = Text(" " * left)
    return Block([space + line for line in block.lines], left + block.width)


def least_height(picture: Picture, size: Size) -> int:
    """The lines that rows of cards of this size take, with the cards that wait: what does not fit is known without drawing it."""
    rows = sum(len(part.rows) * size.height for part in picture.board if isinstance(part, Rows))
    waits = 1 if size <= Size.CHIP else 2
    return rows + waits if rows and not any(isinstance(part, Pool) for part in picture.board) else rows


def open_hands(picture: Picture, width: int) -> Block:
    """The hands as far as they are known, or all of them where hands are open: a paragraph for each seat."""
    lines: list[Block] = []
    label = min(18, width // 3)
    for title, at, cards in _known(picture):
        name = Text(f"{at} {picture.seats[at].name}", style="dim")
        drawn = [card(number, picture.bears[number], Size.TINY) for number in cards]
        lines.append(
            beside([Block([name], label), wrapped(drawn, width - label - 1)], 1).styled(Style(meta={"seat": at}))
        )
        if len(lines) == 1:
            lines.insert(0, Block([Text(title, style="dim")], width))
    return above(lines, width)


def sheet(picture: Picture, width: int) -> Block:
    """The score sheet of a game that has one."""
    names = [seat.name for seat in picture.seats]
    return above([sheet_of(names, part, width) for part in picture.board if isinstance(part, Sheet)])


def sheet_of(names: Sequence[str], sheet: Sheet, width: int) -> Block:
    """The heads that each seat took with each hand, and the totals; the hands themselves where there is room."""
    hands = [" ".join(map(str, hand)) for hand in sheet.hands]
    label = max(10, min(20, width - 5 * len(names) - max(map(len, hands), default=0) - 4))
    held = 31 if width >= label + 5 * len(names) + 31 else 0
    seats = range(len(names))

    def line(name: str, hand: str, cells: Iterable[object], style: str = "") -> Text:
        text = Text(harmless(name))
        text.truncate(label, overflow="ellipsis", pad=True)
        return Text.assemble(text, f"{hand:<{held}.{held}}", "".join(f"{cell:>5}" for cell in cells), style=style)

    return Block(
        [
            Text(say("table.sheet"), style="bold"),
            line(say("table.hand_of"), "", seats, "dim"),
            *(line(f"{at} {names[at]}", hands[at], sheet.heads[at]) for at in seats),
            line(say("table.in_all"), "", (sum(heads[at] for heads in sheet.heads) for at in seats), "bold"),
        ],
        width,
    )


def waiting(picture: Picture, cards: Sequence[tuple[int, int]], size: Size, width: int) -> Block:
    """Cards that are not placed yet, in order, each with its owner."""
    many = max(1, len(picture.seats))
    room = (width - 9) // many
    if size <= Size.CHIP:
        if not cards:
            return Block([""])
        names = room - 5
        pieces = [Text(f"{say('table.waiting')}:", style="dim")]
        for at, (seat, number) in enumerate(cards):
            shown = card(number, picture.bears[number], Size.TINY, edge=FRESH if at == 0 else PLAIN).lines[0]
            owner = picture.seats[seat].name if names >= 4 else str(seat)
            name = Text(owner, style="bold" if at == 0 else "")
            name.truncate(min(12, max(1, names - 1)), overflow="ellipsis")
            pieces.append(shown + Text("·" if names < 4 else " ", style="dim") + name)
        line = Text(" ").join(pieces)
        return Block([line], min(width, line.cell_len))
    smaller = (less for less in reversed(Size) if less < size and 8 + many * (less.width + 1) <= width)
    small = next(smaller, Size.TINY)
    # As wide and as high as with the cards of all, so that nothing jumps: names that do not fit side by side have two lines.
    columns = [max(small.width, min(OWNER, cell_len(seat.name))) for seat in picture.seats]
    lines = 1 if 8 + sum(columns) + many <= width else 2
    used = 8 + (sum(columns) + many if lines == 1 else (small.width + 1) * many)
    blocks = [Block([Text(say("table.waiting") if cards else "", style="dim")], 8)]
    owners = [Text(" " * 9) for _ in range(lines)]
    for at, (seat, number) in enumerate(cards):
        wide = columns[seat] if lines == 1 else small.width
        blocks.append(Block(card(number, picture.bears[number], small, edge=FRESH if at == 0 else PLAIN).lines, wide))
        whose = Text(picture.seats[seat].name, style="bold" if at == 0 else "")
        whose.truncate(min(OWNER, lines * (wide + 1) - 1), overflow="ellipsis")
        owners[at % lines].pad_right(9 + sum(block.width + 1 for block in blocks[1:-1]) - owners[at % lines].cell_len)
        owners[at % lines].append_text(whose)
    return above([beside(blocks, 1).fitted(used, small.height), Block(owners)], used)


def rows_width(room: int, size: Size) -> int:
    """The columns that rows with so many places take, with what is written beside them."""
    return 3 + room * (size.width + GAP) + BESIDE


def rows_of(
    picture: Picture, rows: Rows, size: Size, width: int, marks: Mapping[int, Mark] = {}, *, brief: bool = False
) -> Block:
    """Rows. Equal cards share a place, free places are shown, and rows that grow at both ends are marked so.

    If it is `brief`, what is written beside the rows takes no more than `BESIDE` columns, and no less.
    """
    places: list[list[Block]] = []
    for row in rows.rows:
        twins = [list(same) for _, same in groupby(row)]
        blocks = [overlapped(same, picture.bears, size, lambda number: number in picture.fresh) for same in twins]
        places.append(blocks)
    columns = [
        max((blocks[at].width for blocks in places if at < len(blocks)), default=size.width) for at in range(rows.room)
    ]
    lines = []
    for number, (blocks, heads) in enumerate(zip(places, rows.heads, strict=True), 1):
        filled = [block.fitted(columns[at], size.height) for at, block in enumerate(blocks[: rows.room])]
        danger, mark = len(blocks) >= rows.room, marks.get(number, Mark())
        falling = picture.falling == number
        if mark.card is not None and not danger:
            ghost = card(mark.card, picture.bears[mark.card], size, edge=GHOST)
            filled.append(ghost.fitted(columns[len(filled)], size.height))
        filled += [place(size).fitted(columns[at], size.height) for at in range(len(filled), rows.room)]
        style = FALLING if falling else DANGER if danger else ""
        sign = "▶" if falling or mark.aimed else "!" if danger else " "
        left = Block(_middle(Text(f"{sign}{number}", style="bold reverse" if mark.aimed else style), size), 2)
        after = Text(heads_mark(heads), style=style if not falling else "bold")
        after.pad_left(5 - after.cell_len)
        room = (BESIDE if brief else width - 3 - sum(columns) - GAP * rows.room) - (6 if size.height < 2 else 0)
        words = _row_words(picture, danger=danger, falling=falling, both=rows.both_ends, room=room)
        if mark.words:
            words = Text(mark.words, "bold")
        words.truncate(max(0, room), overflow="ellipsis")
        told = _middle(after + " " + words, size) if size.height < 2 else _middle(after, size, words)
        lines.append(
            beside([left, *filled, Block(told, BESIDE if brief else None)], GAP).styled(Style(meta={"row": number}))
        )
    return above(lines)


def queued(
    picture: Picture, rows: Rows, size: Size, width: int, marks: Mapping[int, Mark] = {}, title: str = ""
) -> Block:
    """Rows in no more lines than they take, and the cards that wait where there is room for them beside the rows."""
    drawn = rows_of(picture, rows, size, width, marks, brief=True)
    if width < drawn.width + QUEUE:
        return drawn.fitted(min(drawn.width, width), drawn.height)
    waits = next((part.cards for part in picture.board if isinstance(part, Waiting)), ())
    return beside([drawn, _queue(picture, waits, drawn.height, title)], 2)


def _queue(picture: Picture, cards: Sequence[tuple[int, int]], height: int, title: str) -> Block:
    lines = [Text(title if cards else "")]
    for seat, number in list(cards)[: height - 1]:
        name = Text(picture.seats[seat].name)
        name.truncate(QUEUE - 9, overflow="ellipsis")
        lines.append(card(number, picture.bears[number], Size.CHIP, edge=PLAIN).lines[0] + " " + name)
    return Block(lines, QUEUE - 2)


BESIDE = 10
"""Columns beside a row: its heads, and a word."""


def _row_words(picture: Picture, *, danger: bool, falling: bool, both: bool, room: int) -> Text:
    if falling and picture.mover is not None:
        who = picture.seats[picture.mover]
        ways = (f" {say('table.falls', name=who.called)} ", f"→ {who.name} ", "→ ")
        return Text(next((words for words in ways if cell_len(words) <= room), ""), style=FALLING)
    if danger:
        return Text(say("table.full"), style=DANGER)
    return Text("‹ ›" if both else "", style="dim")


def _middle(text: Text, size: Size, below: Text | str = "") -> list[Text | str]:
    """A text in the middle of so many lines as a card has, and another one below it."""
    lines: list[Text | str] = [""] * size.height
    lines[(size.height - 1) // 2] = text
    return lines if size.height < 2 else [*lines[: (size.height + 1) // 2], below, *lines[(size.height + 3) // 2 :]]


def stacks_of(picture: Picture, stacks: Stacks, size: Size, width: int, height: int) -> Block:
    """Stacks, side by side: the cards on top, always with all those of this turn, and how many lie below."""
    fresh = [0, *(_fresh(picture, stack) for stack in stacks.stacks)]
    deck = Text(say("table.deck", count=stacks.left))
    if picture.falling is not None and picture.mover is not None:
        name = picture.seats[picture.mover].called
        words = f" {say('table.stack_falls', place=picture.falling, name=name)} "
        deck = Text.assemble(deck, "  ", (words, FALLING))
        deck.truncate(width, overflow="ellipsis")
    least = max(1, *fresh)
    wide = size.width + 1 if size is Size.TINY else size.overlap
    label = 3 if size >= Size.BOX else 5

    def column(shown: int) -> int:
        return label + (shown - 1) * wide + size.width

    def fits(shown: int) -> bool:
        across = (width + 2) // (column(shown) + 2)
        return across > 0 and -(-len(stacks.stacks) // across) * size.height < height

    shown = next((shown for shown in range(max(SHOWN, least), least, -1) if fits(shown)), least)
    pieces = [
        _stack(picture, number, stack, size, shown).fitted(column(shown), size.height)
        for number, stack in enumerate(stacks.stacks, 1)
    ]
    return above([wrapped(pieces, max(width, column(shown)), 2), Block([deck])])


def _fresh(picture: Picture, stack: Sequence[int]) -> int:
    """The number of cards that lie on top and are new in this turn."""
    count = 0
    while count < len(stack) and stack[-1 - count] in picture.fresh:
        count += 1
    return count


def _stack(picture: Picture, number: int, stack: Sequence[int], size: Size, shown: int) -> Block:
    cards = overlapped(stack[-shown:], picture.bears, size, lambda one: one in picture.fresh)
    below = len(stack) - min(shown, len(stack))
    falling = picture.falling == number
    label: list[Text | str] = [""] * size.height
    label[0] = Text(f"{'▶' if falling else ''}{number}", style=FALLING if falling else "")
    if size >= Size.BOX and below:
        label[1] = Text(f"+{below}")
    elif below:
        label[0] = label[0] + Text(f"+{below}")  # type: ignore[operator]
    left = Block(label)
    left = left.fitted(max(left.width, 3 if size >= Size.BOX else 5), size.height)
    return beside([left, cards], 0).styled(Style(meta={"stack": number}))


def pool_of(picture: Picture, cards: Sequence[int], size: Size, width: int, edges: Mapping[int, str] = {}) -> Block:
    """The open cards to choose from; those that were drafted leave their places empty, so that the others stay where they are."""
    drafted = [one for part in picture.board if isinstance(part, OpenHands) for hand in part.hands for one in hand]
    left = set(cards)
    drawn = [
        card(number, picture.bears[number], size, edge=edges.get(number, PLAIN)) if number in left else place(size)
        for number in sorted({*cards, *drafted})
    ]
    across = max(1, (width + GAP) // (size.width + GAP))
    across = -(-len(drawn) // max(1, -(-len(drawn) // across)))  # lines of about the same length
    return wrapped(drawn, across * (size.width + GAP) - GAP, GAP)


def _known(picture: Picture) -> Iterator[tuple[str, int, Sequence[int]]]:
    if any(seat.hand for seat in picture.seats):
        for at, seat in enumerate(picture.seats):
            if seat.hand:
                yield say("table.open"), at, seat.hand
        return
    for part in picture.board:
        if isinstance(part, OpenHands):
            for at, hand in enumerate(part.hands):
                if hand:
                    yield say("table.known"), at, hand

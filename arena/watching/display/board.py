"""The middle of the table: rows, stacks, open cards, cards that wait, known hands, the score sheet."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.style import Style
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.board import OpenHands, Pool, Rows, Sheet, Stacks, Waiting
from bullring.arena.watching.display.blocks import Block, above, beside, wrapped
from bullring.arena.watching.display.cards import GAP, Size, card, heads_mark, overlapped, place
from bullring.arena.watching.picture.picture import Picture

DANGER = "bold red"
FALLING = "bold bright_white on red"

SHOWN = 4
"""Cards that are shown of a stack where there is room."""


def board(picture: Picture, width: int, height: int) -> Block:
    """Rows, stacks, open and waiting cards, as large as they fit.

    It always keeps room for waiting cards, so that nothing jumps during a turn. A click finds `meta["row"]` or `meta["stack"]`,
    numbers from 1, and `meta["pick"]`, a card. Returns a block of the size that it needs, cut to the given one.
    """
    drawn = Block([])
    for size in reversed(Size):
        drawn = sized(picture, width, height, size)
        if drawn.width <= width and drawn.height <= height:
            return drawn
    return drawn.fitted(min(width, drawn.width), min(height, drawn.height))


def sized(picture: Picture, width: int, height: int, size: Size) -> Block:
    """The same with cards of one size, even if it does not fit."""
    parts: list[Block] = []
    for part in picture.board:
        match part:
            case Rows():
                parts.append(_rows(picture, part, size, width))
                if not any(isinstance(other, Waiting | Pool) for other in picture.board):
                    parts.append(waiting(picture, (), size, width))
            case Stacks():
                parts.append(_stacks(picture, part, size, width, height))
            case Pool(cards):
                parts.append(_pool(picture, cards, size, width))
            case Waiting(cards):
                parts.append(waiting(picture, cards, size, width))
    return above(parts)


def least_height(picture: Picture, size: Size) -> int:
    """The lines that rows of cards of this size take: what does not fit is known without drawing it, which takes long."""
    return sum(len(part.rows) * size.height for part in picture.board if isinstance(part, Rows))


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
            Text("score sheet: heads taken with each drafted hand, by seat", style="bold"),
            line("hand of", "", seats, "dim"),
            *(line(f"{at} {names[at]}", hands[at], sheet.heads[at]) for at in seats),
            line("in all", "", (sum(heads[at] for heads in sheet.heads) for at in seats), "bold"),
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
        pieces = [Text("waiting:", style="dim")]
        for at, (seat, number) in enumerate(cards):
            shown = card(number, picture.bears[number], Size.TINY, fresh=at == 0).lines[0]
            owner = picture.seats[seat].name if names >= 4 else str(seat)
            name = Text(owner, style="bold" if at == 0 else "dim")
            name.truncate(min(12, max(1, names - 1)), overflow="ellipsis")
            pieces.append(shown + Text("·" if names < 4 else " ", style="dim") + name)
        line = Text(" ").join(pieces)
        return Block([line], min(width, line.cell_len))
    small = Size(max(Size.CHIP, size - 1))
    if not cards:
        return Block([""] * (small.height + 1))
    blocks = [Block([Text("waiting", style="dim")] + [""] * small.height, 8)]
    for at, (seat, number) in enumerate(cards):
        face = card(number, picture.bears[number], small, fresh=at == 0)
        whose = Text(picture.seats[seat].name, style="bold" if at == 0 else "dim")
        whose.truncate(max(6, min(14, room - 1)), overflow="ellipsis")
        blocks.append(above([face, Block([whose])], max(face.width, whose.cell_len)))
    return beside(blocks, 1)


def _rows(picture: Picture, rows: Rows, size: Size, width: int) -> Block:
    """Rows. Equal cards share a place, free places are shown, and rows that grow at both ends are marked so."""
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
        danger = len(blocks) >= rows.room
        falling = picture.falling == number
        style = FALLING if falling else DANGER if danger else "dim"
        filled += [place(size).fitted(columns[at], size.height) for at in range(len(filled), rows.room)]
        mark = "▶" if falling else "!" if danger else " "
        left = Block(_middle(Text(f"{mark}{number}", style=style), size), 2)
        after = Text(f"{heads_mark(heads)}", style=style if not falling else "bold")
        after.pad_left(5 - after.cell_len)
        free = width - 3 - sum(columns) - GAP * rows.room - 5
        words = _row_words(picture, danger=danger, falling=falling, both=rows.both_ends, room=free)
        lines.append(
            beside([left, *filled, Block(_middle(after + words, size))], GAP).styled(Style(meta={"row": number}))
        )
    return above(lines)


def _row_words(picture: Picture, *, danger: bool, falling: bool, both: bool, room: int) -> Text:
    if falling and picture.mover is not None:
        name = picture.seats[picture.mover].name
        words = f" falls to {name} "
        text = Text(words if len(words) < room else f" → {name} ", style=FALLING)
    elif danger:
        text = Text("full", style=DANGER)
    else:
        text = Text("‹ ›" if both else "", style="dim")
    if room < 2 or not text.plain:
        return Text("")
    text.truncate(room - 1, overflow="ellipsis")
    return Text(" ") + text


def _middle(text: Text, size: Size) -> list[Text | str]:
    lines: list[Text | str] = [""] * size.height
    lines[size.height // 2] = text
    return lines


def _stacks(picture: Picture, stacks: Stacks, size: Size, width: int, height: int) -> Block:
    """Stacks, side by side: the cards on top, always with all those of this turn, and how many lie below."""
    fresh = [0, *(_fresh(picture, stack) for stack in stacks.stacks)]
    deck = Text(f"deck: {stacks.left}", style="dim")
    if picture.falling is not None and picture.mover is not None:
        words = f" stack {picture.falling} falls to {picture.seats[picture.mover].name} "
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
    label[0] = Text(f"{'▶' if falling else ''}{number}", style=FALLING if falling else "dim")
    if size >= Size.BOX and below:
        label[1] = Text(f"+{below}", style="dim")
    elif below:
        label[0] = label[0] + Text(f"+{below}", style="dim")  # type: ignore[operator]
    left = Block(label)
    left = left.fitted(max(left.width, 3 if size >= Size.BOX else 5), size.height)
    return beside([left, cards], 0).styled(Style(meta={"stack": number}))


def _pool(picture: Picture, cards: Sequence[int], size: Size, width: int) -> Block:
    drawn = [card(number, picture.bears[number], size, fresh=False) for number in cards]
    return above([Block([Text("to draft", style="dim")]), wrapped(drawn, width, GAP)])


def _known(picture: Picture) -> Iterator[tuple[str, int, Sequence[int]]]:
    if any(seat.hand for seat in picture.seats):
        for at, seat in enumerate(picture.seats):
            if seat.hand:
                yield "open hands", at, seat.hand
        return
    for part in picture.board:
        if isinstance(part, OpenHands):
            for at, hand in enumerate(part.hands):
                if hand:
                    yield part.title.rstrip(":"), at, hand

"""The hand of a person, and other things to choose that do not lie on the table."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from rich.style import Style
from rich.text import Text

from bullring.arena.watching.display.blocks import Block, above, wrapped
from bullring.arena.watching.display.cards import AIMED, EDGES, FRESH, GAP, GHOST, PLAIN, Size, card, gap_of, place
from bullring.arena.watching.screens.table.choice import Choice, Item

_WORD = re.compile(r"\S+")

STAR = "★"
"""Marks a card that the hint advises."""


def laid(pieces: Sequence[Block], size: Size, width: int, raised: Collection[int] = ()) -> Block:
    """Cards of one size in the middle, in as many lines of about the same length as they take.

    Where they lie on each other, those that are `raised`, by their places, lie on both neighbours.
    """
    gap = gap_of(len(pieces), size, width)
    across = max(1, (width + gap) // (size.width + gap))
    lines = -(-len(pieces) // across)
    across = -(-len(pieces) // lines) if lines else 0
    if gap < 0:
        pieces = [
            _under(piece, at - 1 in raised, at + 1 < len(pieces) and at not in raised)
            for at, piece in enumerate(pieces)
        ]
    used = (size.width + gap) * across - gap
    left = Text(" " * max(0, (width - used) // 2))
    return Block([left + line for line in wrapped(pieces, used, max(0, gap)).lines], width)


def _under(piece: Block, left: bool, right: bool) -> Block:
    """A card of which a neighbour hides the first column at its left or at its right."""
    end = piece.width - right
    return Block([line[left:end] for line in piece.lines], end - left)


def starred(block: Block, advised: Collection[Item]) -> Block:
    """Drawn cards with a star in the upper edge of those that are `advised`."""
    lines, left = list(block.lines), {item.value for item in advised if item.kind == "card"}
    for at, line in enumerate(lines):
        for span in line.spans:
            style = span.style
            if isinstance(style, Style) and style.meta.get("pick") in left:
                left.remove(style.meta["pick"])
                middle = (span.start + span.end) // 2
                if line.plain[middle] in EDGES:
                    star = Text(f" {STAR} ", Style(bold=True, color="cyan", meta=style.meta))
                    lines[at] = lines[at][: middle - 1] + star + lines[at][middle + 2 :]
    return Block(lines, block.width)


def drawn(
    hand: Sequence[int],
    choice: Choice | None,
    cursor: Item | None,
    bears: Sequence[int],
    width: int,
    height: int,
    largest: Size,
    *,
    leaving: Sequence[int] = (),
    extra: str = "",
    worth: Mapping[Item, str] | None = None,
    advised: Collection[Item] = (),
    free: int = 0,
) -> Block:
    """The hand in at most `height` lines, cards as large as they fit; then cards, words and options that lie nowhere else.

    After the hand come `free` places. A hand from which nothing can be chosen is in one line, where something else can be. The
    card at the cursor and those that are chosen are lifted; those `leaving` are on their way. `extra` is written before cards that
    are not in the hand; `worth` is written on the cards, and those that are `advised` have a star. A click finds `meta["pick"]`
    for cards and `meta["item"]`, an index into what `offered` returns, for everything else.
    """
    idle = choice is not None and not any(item in choice.items for item in (Item("card", number) for number in hand))
    room = max(1, height - 1) if hand or free else height
    below = _below(choice, cursor, bears, width, room, room if idle else (room + 1) // 2, extra, worth or {})
    rest = height - below.height
    if idle and below.height:
        rest = min(rest, laid([place(Size.TINY)] * (len(hand) + free), Size.TINY, width).height)
    raised = [at for at, number in enumerate(sorted(hand)) if _edge(number, choice, cursor, leaving) != PLAIN]
    cards = Block([])
    for size, lift in ((size, lift) for size in reversed(Size) if size <= largest for lift in (True, False)):
        pieces = [
            _card(number, choice, cursor, bears, size, leaving, worth or {}, lift=lift) for number in sorted(hand)
        ]
        pieces += [above([Block([""] * (lift and size > Size.CHIP)), place(size)])] * free
        cards = laid(pieces, size, width, raised)
        if cards.height <= rest:
            break
    cards = cards.fitted(width, min(cards.height, max(0, rest)))
    return starred(above([cards, below.fitted(width, below.height)], width), advised)


def offered(choice: Choice) -> list[Item]:
    """The items in the lines below the hand, in order."""
    extra = _extra(choice)
    return [*extra, *(item for item in choice.open if item.kind in ("word", "done", "option"))]


def _extra(choice: Choice | None) -> list[Item]:
    """Cards to choose from that are neither in the hand nor among those to draft."""
    if choice is None:
        return []
    seen = {*choice.sight.hand, *choice.sight.pool}
    return [item for item in choice.items if item.kind == "card" and item.value not in seen]


def _card(
    number: int,
    choice: Choice | None,
    cursor: Item | None,
    bears: Sequence[int],
    size: Size,
    leaving: Sequence[int],
    worth: Mapping[Item, str],
    *,
    lift: bool,
) -> Block:
    """A card of the hand, with room to be lifted where `lift` is set; dim if it cannot be chosen."""
    item, edge = Item("card", number), _edge(number, choice, cursor, leaving)
    faded = choice is not None and item not in choice.chosen and item not in choice.open
    face = card(number, bears[number], size, edge=edge, foot=worth.get(item, ""), faded=faded)
    if not lift or size <= Size.CHIP:
        return face
    sign = "↑" if number in leaving else ""
    blank = Block([Text(sign.center(face.width), "bold")], face.width)
    return above([blank, face] if edge == PLAIN else [face, blank])


def _edge(number: int, choice: Choice | None, cursor: Item | None, leaving: Sequence[int]) -> str:
    """What a card of the hand has around it."""
    item = Item("card", number)
    chosen = choice is not None and item in choice.chosen
    return GHOST if number in leaving else AIMED if item == cursor else FRESH if chosen else PLAIN


def _below(
    choice: Choice | None,
    cursor: Item | None,
    bears: Sequence[int],
    width: int,
    height: int,
    tallest: int,
    extra: str,
    worth: Mapping[Item, str],
) -> Block:
    """What can be chosen beside the hand in `height` lines, with cards of at most `tallest` lines."""
    if choice is None:
        return Block([], width)
    items = offered(choice)
    if not items:
        return Block([], width)
    if choice.listed:
        return _list(choice, items, cursor, width, height, worth)
    block = Block([])
    for size in (size for size in reversed(Size) if size >= Size.CHIP):
        block = _offers(choice, items, cursor, bears, width, size, extra, worth)
        if block.height <= tallest:
            break
    return block


def _offers(
    choice: Choice,
    items: Sequence[Item],
    cursor: Item | None,
    bears: Sequence[int],
    width: int,
    size: Size,
    extra: str,
    worth: Mapping[Item, str],
) -> Block:
    """Cards of one size that lie nowhere else, and words, side by side in the middle."""
    cards = [item for item in items if item.kind == "card"]
    sunk = Block([""] * ((size.height - 1) // 2 if cards else 0))
    pieces = [above([sunk, Block([Text(extra, style="dim")])])] if cards else []
    for item in cards:
        edge = AIMED if item == cursor else FRESH if item in choice.chosen else PLAIN
        pieces.append(card(int(item.value), bears[int(item.value)], size, edge=edge))
    for at, item in enumerate(items):
        if item.kind != "card":
            text = f" {choice.label(item)} " + (f"({worth[item]}) " if item in worth else "")
            button = Block([Text(f"[{text}]")]).styled(Style(meta={"item": at}))
            pieces.append(above([sunk, _marked(button, item, choice, cursor)]))
    used = min(width, sum(piece.width + GAP for piece in pieces) - GAP)
    left = Text(" " * ((width - used) // 2))
    return Block([left + line for line in wrapped(pieces, used, GAP).lines], width)


def _marked(block: Block, item: Item, choice: Choice, cursor: Item | None) -> Block:
    if item == cursor:
        return block.styled(Style(reverse=True, bold=True))
    return block.styled(Style(bold=True)) if item in choice.chosen else block


def _list(
    choice: Choice, items: Sequence[Item], cursor: Item | None, width: int, height: int, worth: Mapping[Item, str]
) -> Block:
    """The options one below the other, as many as there is room for, with the cursor among them."""
    at = items.index(cursor) if cursor in items else 0
    first = max(0, min(at - height // 2, len(items) - height))
    lines = []
    for number, item in list(enumerate(items))[first : first + height]:
        text = Text(f"{number + 1:>4}  {choice.label(item)}  {worth.get(item, '')}".rstrip())
        text.stylize(Style(reverse=item == cursor, meta={"item": number}))
        lines.append(text)
    return Block(lines, width)


def pointed(block: Block, things: Callable[[str, int], Style | str]) -> Block:
    """A drawn table on which rows, stacks, seats and open cards are marked: `things` gives the style for a kind and a number.

    Rows and stacks are marked at their numbers, beside their cards.
    """
    lines = []
    for line in block.lines:
        text = line.copy()
        metas = [(span, span.style.meta) for span in line.spans if isinstance(span.style, Style)]
        cards = [span.start for span, meta in metas if "pick" in meta]
        for span, meta in metas:
            for key, kind in (("row", "row"), ("stack", "stack"), ("seat", "seat"), ("pick", "card")):
                style = things(kind, meta[key]) if key in meta else ""
                if style and key in ("row", "stack"):
                    first = min((start for start in cards if start >= span.start), default=span.end)
                    number = _WORD.search(line.plain, span.start, min(first, span.end))
                    if number is not None:
                        text.stylize(style, *number.span())
                elif style:
                    text.stylize(style, span.start, span.end)
        lines.append(text)
    return Block(lines, block.width)

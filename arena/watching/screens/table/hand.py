"""The hand of a person, and other things to choose that do not lie on the table."""

from collections.abc import Callable, Mapping, Sequence

from rich.style import Style
from rich.text import Text

from bullring.arena.watching.display.blocks import Block, above, wrapped
from bullring.arena.watching.display.cards import Size, card
from bullring.arena.watching.screens.table.choice import Choice, Item

CURSOR = "▲"


def drawn(
    hand: Sequence[int],
    choice: Choice | None,
    cursor: Item | None,
    bears: Sequence[int],
    width: int,
    height: int,
    *,
    title: str = "",
    extra: str = "",
    worth: Mapping[Item, str] | None = None,
) -> Block:
    """The hand in at most `height` lines, cards as large as they fit; then cards, words and options that lie nowhere else.

    `extra` is written before cards that are not in the hand; `worth` is written under the cards. A click finds `meta["pick"]` for
    cards and `meta["item"]`, an index into what `offered` returns, for everything else.
    """
    head = [Block([Text(title, style="dim")], width)] if title and height > 3 else []
    rest = height - len(head)
    below = _below(choice, cursor, bears, width, max(1, rest - 1) if hand else rest, extra, worth or {})
    rest -= below.height
    for size in (Size.HUGE, Size.BIG, Size.BOX, Size.CHIP, Size.TINY):
        cards = _cards(hand, choice, cursor, bears, width, size, worth or {})
        if cards.height <= rest or size is Size.TINY:
            break
    return above(
        [*head, cards.fitted(width, min(cards.height, max(0, rest))), below.fitted(width, below.height)], width
    )


def needed(hand: Sequence[int], choice: Choice | None, width: int, height: int) -> int:
    """Lines that the hand takes on a screen of this size: about a third of it."""
    extra = _extra(choice)
    lines = 1 if extra or (choice is not None and any(item.kind in ("word", "done") for item in choice.open)) else 0
    if choice is not None and choice.listed:
        return min(max(4, height // 3), len(choice.options) + 3)
    size = next(
        (size for size, least in ((Size.HUGE, 44), (Size.BIG, 34), (Size.BOX, 22)) if height >= least), Size.CHIP
    )
    across = max(1, (width + 1) // (size.width + 1))
    rows = -(-max(1, len(hand)) // across)
    tall = size.height + (size > Size.CHIP)
    if rows * tall > height // 3 or (rows > 1 and size <= Size.BOX):
        rows, tall = -(-max(1, len(hand)) // max(1, (width + 1) // (Size.TINY.width + 1))), 1
    return min(height // 3 + 1, rows * tall + lines * (3 if height >= 22 and extra else 1) + (height >= 22))


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


def _cards(
    hand: Sequence[int],
    choice: Choice | None,
    cursor: Item | None,
    bears: Sequence[int],
    width: int,
    size: Size,
    worth: Mapping[Item, str],
) -> Block:
    if not hand:
        return Block([""], width)
    pieces = [_card(Item("card", number), choice, cursor, bears, size, worth) for number in sorted(hand)]
    return wrapped(pieces, width, 0 if size is Size.CHIP else 1)


def _card(
    item: Item, choice: Choice | None, cursor: Item | None, bears: Sequence[int], size: Size, worth: Mapping[Item, str]
) -> Block:
    """A card with the cursor and its worth under it; dim if it cannot be chosen."""
    number = int(item.value)
    chosen = choice is not None and item in choice.chosen
    allowed = choice is None or chosen or item in choice.open
    face = card(number, bears[number], size, fresh=chosen)
    if not allowed:
        face = face.styled(Style(dim=True))
    at = item == cursor
    if size <= Size.CHIP:
        return face.styled(Style(reverse=True, bold=True)) if at else face
    mark = CURSOR if at else "✓" if chosen else ""
    under = " ".join(text for text in (mark, worth.get(item, "")) if text).center(size.width)
    return above([face, Block([Text(under, style="bold" if at else "dim")], size.width)])


def _below(
    choice: Choice | None,
    cursor: Item | None,
    bears: Sequence[int],
    width: int,
    height: int,
    extra: str,
    worth: Mapping[Item, str],
) -> Block:
    if choice is None:
        return Block([], width)
    items = offered(choice)
    if not items:
        return Block([], width)
    if choice.listed:
        return _list(choice, items, cursor, width, height, worth)
    cards = [item for item in items if item.kind == "card"]
    words = [item for item in items if item.kind != "card"]
    size = Size.BOX if height >= 5 and cards else Size.CHIP
    pieces = [Block([Text(extra, style="dim")])] if cards else []
    for item in cards:
        face = card(int(item.value), bears[int(item.value)], size, fresh=item in choice.chosen)
        pieces.append(_marked(face, item, choice, cursor))
    for item in words:
        text = f" {choice.label(item)} " + (f"({worth[item]}) " if item in worth else "")
        button = Block([Text(f"[{text}]")]).styled(Style(meta={"item": items.index(item)}))
        pieces.append(_marked(button, item, choice, cursor))
    return wrapped(pieces, width, 1)


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
    """A drawn table on which rows, stacks, seats and open cards are marked: `things` gives the style for a kind and a number."""
    lines = []
    for line in block.lines:
        text = line.copy()
        for span in line.spans:
            meta = span.style.meta if isinstance(span.style, Style) else {}
            for key, kind in (("row", "row"), ("stack", "stack"), ("seat", "seat"), ("pick", "card")):
                style = things(kind, meta[key]) if key in meta else ""
                if style:
                    text.stylize(style, span.start, span.end)
        lines.append(text)
    return Block(lines, block.width)

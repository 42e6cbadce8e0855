"""Pieces of pictures in `rich`: cards, rows, stacks, hands, the score sheet, and the columns of tables."""

from collections.abc import Collection, Sequence
from itertools import groupby

from rich import box
from rich.table import Table
from rich.text import Text

from arena.rules.cards import ELEVEN_HEADS, HEADS
from arena.rules.game import Event
from arena.rules.table import ROW_LIMIT
from arena.view.plain import harmless, heads_text

STACKS = 8
"""Stacks that are shown with their cards; of further ones only the top."""

_STYLES = {1: "", 2: "cyan", 3: "yellow", 5: "magenta", 7: "bold red"}
"""Of a card, by its heads."""

_WIDTHS = {"bot": 13, "state": 9, "card": 5}
"""The least widths of columns that need more than their title."""


def name_text(name: str) -> Text:
    """A name that stays on one line and is cut where there is no room."""
    return Text(name, no_wrap=True, overflow="ellipsis")


def columns(*titles: str) -> Table:
    """An empty table with these columns, of which only "bot" gives way on a narrow terminal."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), collapse_padding=True, pad_edge=False)
    for title in titles:
        words = title in ("bot", "state")
        table.add_column(
            title,
            justify="left" if words else "right",
            no_wrap=title != "bot",
            min_width=_WIDTHS.get(title, len(title)),
            max_width=40 if title == "bot" else None,
        )
    return table


def card_text(card: int, heads: Sequence[int] = HEADS, *, fresh: bool = False) -> Text:
    """A card in the colour of its heads, reversed if it is `fresh` on the table."""
    style = _STYLES[heads[card]]
    return Text(str(card), style=f"{style} reverse" if fresh else style)


def rows(rows: Sequence[Sequence[int]], row_heads: Sequence[int], fresh: Collection[int], *, both_ends: bool) -> Table:
    """The four rows. Equal cards share a place: 44=44. Rows that grow on `both_ends` have a mark at each."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column(justify="right", style="dim")
    for _ in range(ROW_LIMIT):
        table.add_column(justify="right", min_width=3)
    table.add_column(justify="right")
    mark = ("‹", "›") if both_ends else ("", "")
    for number, (row, heads) in enumerate(zip(rows, row_heads, strict=True), 1):
        places = [Text("=").join([card_text(card, fresh=card in fresh) for card in twins]) for _, twins in groupby(row)]
        places[0] = Text.assemble((mark[0], "dim"), places[0])
        places[-1] = Text.assemble(places[-1], (mark[1], "dim"))
        free = [Text("·", style="dim")] * (ROW_LIMIT - len(places))
        table.add_row(f"row {number}", *places, *free, Text(heads_text(heads), style="dim"))
    return table


def stacks(stacks: Sequence[Sequence[int]], fresh: Collection[int], draw: int) -> Table:
    """The stacks of 11 nimmt!, their last cards with the top at the end, and how many cards there are to turn up."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column(justify="right", style="dim")
    table.add_column(justify="right", style="dim")
    table.add_column(no_wrap=True, overflow="ellipsis")
    for number, stack in enumerate(stacks[:STACKS], 1):
        cards = Text(" ").join([card_text(card, ELEVEN_HEADS, fresh=card in fresh) for card in stack[-12:]])
        cards.stylize("bold", cards.plain.rfind(" ") + 1)
        more = Text("… " if len(stack) > 12 else "", style="dim")
        table.add_row(f"stack {number}", "1 card" if len(stack) == 1 else f"{len(stack)} cards", more + cards)
    if len(stacks) > STACKS:
        tops = " ".join(str(stack[-1]) for stack in stacks[STACKS:])
        table.add_row(f"{STACKS + 1}-{len(stacks)}", "tops", Text(tops))
    table.add_row("deck", "1 card" if draw == 1 else f"{draw} cards", "")
    return table


def pool(cards: Sequence[int]) -> Text:
    """The cards that are left to draft."""
    return Text(" ").join([Text("to draft:", style="dim"), *map(card_text, cards)])


def waiting(played: Sequence[tuple[int, int]]) -> Text:
    """Open cards that have no place yet, and whose they are."""
    cards = [Text.assemble(card_text(card), (f" ({seat})", "dim")) for seat, card in played]
    return Text.assemble(("waiting, with its seat: ", "dim"), Text(", ").join(cards))


def hands(names: Sequence[str], hands: Sequence[Sequence[int]], heads: Sequence[int], title: str) -> Table:
    """What everybody knows of the hands, one on a line."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column(style="dim", no_wrap=True, max_width=16)
    table.add_column(overflow="fold")
    for name, cards in zip(names, hands, strict=True):
        if cards:
            table.add_row(
                name_text(name), Text(" ").join([Text(title, style="dim"), *(card_text(c, heads) for c in cards)])
            )
    return table


def sheet_table(names: Sequence[str], sheet: Event) -> Table:
    """The score sheet of a tournament: who took what with which hand, and everybody's sum."""
    table = Table(
        title="score sheet: heads with each drafted hand, by seat", box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False
    )
    table.add_column("hand of", no_wrap=True, max_width=20)
    table.add_column("ten cards", no_wrap=True, min_width=29)
    seats = [f"{seat} {harmless(name)}" for seat, name in enumerate(names)]
    for seat in range(len(seats)):
        table.add_column(f"{seat}", justify="right", min_width=4)
    lines = list(zip(seats, sheet["hands"], sheet["heads"], strict=True))
    for number, (drafter, hand, heads) in enumerate(lines, 1):
        table.add_row(name_text(drafter), " ".join(map(str, hand)), *map(str, heads), end_section=number == len(lines))
    table.add_row("in all", "", *(str(sum(heads[seat] for heads in sheet["heads"])) for seat in range(len(names))))
    return table

"""Pieces of pictures in `rich`: cards, rows, stacks, hands, the score sheet, and the columns of tables."""

from collections.abc import Collection, Sequence
from itertools import groupby

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from bullring.arena.display.text import harmless
from bullring.arena.rules.board import OpenHands, Part, Pool, Rows, Sheet, Stacks, Waiting
from bullring.arena.rules.wording.words import counted, heads_text

STACKS = 8
"""Number of stacks shown with their cards; of any others, only the top card is shown."""

_STYLES = {1: "", 2: "cyan", 3: "yellow", 5: "magenta", 7: "bold red"}
"""The style of a card, by its heads."""

_WIDTHS = {"bot": 13, "state": 9, "card": 5}
"""Minimum widths of columns that need more room than their title."""


def name_text(name: str) -> Text:
    """A name on one line, truncated where there is no room."""
    return Text(name, no_wrap=True, overflow="ellipsis")


def columns(*titles: str) -> Table:
    """An empty table with these columns; only "bot" shrinks on a narrow terminal."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), collapse_padding=True, pad_edge=False)
    for title in titles:
        words = title in ("bot", "state")
        table.add_column(
            title,
            justify="left" if words else "right",
            no_wrap=title != "bot",
            min_width=_WIDTHS.get(title, max(map(len, title.split("\n")))),
            max_width=40 if title == "bot" else None,
        )
    return table


def card_text(card: int, heads: Sequence[int], *, fresh: bool = False) -> Text:
    """A card in the colour of its heads, reversed if it is `fresh`, that is, new on the table."""
    style = _STYLES.get(heads[card], "bold red")
    return Text(str(card), style=f"{style} reverse" if fresh else style)


def drawn(part: Part, heads: Sequence[int], fresh: Collection[int]) -> RenderableType:
    """Draw a part of the board; `heads` is by card, `fresh` holds the cards that are new on the table in this turn."""
    match part:
        case Rows():
            return _rows(part, heads, fresh)
        case Stacks():
            return _stacks(part, heads, fresh)
        case Pool(cards):
            return Text(" ").join([Text("to draft:", style="dim"), *(card_text(card, heads) for card in cards)])
        case Waiting(cards):
            shown = [Text.assemble(card_text(card, heads), (f" ({seat})", "dim")) for seat, card in cards]
            return Text.assemble(("waiting, with its seat: ", "dim"), Text(", ").join(shown))
        case _:
            raise TypeError(f"{part} is drawn with the names of the seats: use `hands` or `sheet_table`")


def _rows(rows: Rows, bears: Sequence[int], fresh: Collection[int]) -> Table:
    """Draw rows. Equal cards share a place (44=44), and rows that grow at both ends are marked at each end."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column(justify="right", style="dim")
    for _ in range(rows.room):
        table.add_column(justify="right", min_width=3)
    table.add_column(justify="right")
    mark = ("‹", "›") if rows.both_ends else ("", "")
    for number, (row, heads) in enumerate(zip(rows.rows, rows.heads, strict=True), 1):
        places = [
            Text("=").join([card_text(card, bears, fresh=card in fresh) for card in twins]) for _, twins in groupby(row)
        ]
        if places:
            places[0] = Text.assemble((mark[0], "dim"), places[0])
            places[-1] = Text.assemble(places[-1], (mark[1], "dim"))
        free = [Text("·", style="dim")] * (rows.room - len(places))
        table.add_row(f"row {number}", *places, *free, Text(heads_text(heads), style="dim"))
    return table


def _stacks(stacks: Stacks, bears: Sequence[int], fresh: Collection[int]) -> Table:
    """Draw the last cards of each stack, the top card last, and the number of cards left in the deck."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column(justify="right", style="dim")
    table.add_column(justify="right", style="dim")
    table.add_column(no_wrap=True, overflow="ellipsis")
    for number, stack in enumerate(stacks.stacks[:STACKS], 1):
        cards = Text(" ").join([card_text(card, bears, fresh=card in fresh) for card in stack[-12:]])
        cards.stylize("bold", cards.plain.rfind(" ") + 1)
        more = Text("… " if len(stack) > 12 else "", style="dim")
        table.add_row(f"stack {number}", counted(len(stack), "card"), more + cards)
    if len(stacks.stacks) > STACKS:
        tops = " ".join(str(stack[-1]) if stack else "–" for stack in stacks.stacks[STACKS:])
        table.add_row(f"{STACKS + 1}-{len(stacks.stacks)}", "tops", Text(tops))
    table.add_row("deck", counted(stacks.left, "card"), "")
    return table


def hands(names: Sequence[str], known: OpenHands, heads: Sequence[int]) -> Table:
    """The known cards of the hands, one hand per line."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column(style="dim", no_wrap=True, max_width=16)
    table.add_column(overflow="fold")
    for name, cards in zip(names, known.hands, strict=True):
        if cards:
            shown = [Text(known.title, style="dim"), *(card_text(card, heads) for card in cards)]
            table.add_row(name_text(name), Text(" ").join(shown))
    return table


def sheet_table(names: Sequence[str], sheet: Sheet) -> Table:
    """The score sheet of a tournament: the heads each seat took with each hand, and the totals."""
    table = Table(
        title="score sheet: heads taken with each drafted hand, by seat",
        box=box.SIMPLE_HEAD,
        padding=(0, 1),
        pad_edge=False,
    )
    table.add_column("hand of", no_wrap=True, max_width=20)
    table.add_column("ten cards", no_wrap=True, min_width=29)
    seats = [f"{seat} {harmless(name)}" for seat, name in enumerate(names)]
    for seat in range(len(seats)):
        table.add_column(f"{seat}", justify="right", min_width=4)
    lines = list(zip(seats, sheet.hands, sheet.heads, strict=True))
    for number, (drafter, hand, heads) in enumerate(lines, 1):
        table.add_row(name_text(drafter), " ".join(map(str, hand)), *map(str, heads), end_section=number == len(lines))
    table.add_row("in total", "", *(str(sum(heads[seat] for heads in sheet.heads)) for seat in range(len(names))))
    return table

"""A table in few lines, where several are shown side by side: who sits there with how many heads, and the rows."""

from rich.text import Text

from bullring.arena.watching.display.blocks import Block, above
from bullring.arena.watching.display.board import sized
from bullring.arena.watching.display.cards import Size
from bullring.arena.watching.picture.picture import Picture

LINES = 4
"""Lines of the rows or stacks."""


def small(picture: Picture, title: Text, width: int) -> Block:
    """The title, the seats and the board, as many lines for every picture of a match."""
    room = max(6, (width - 1) // 2 - 5)
    seats = [
        Text.assemble(
            ("▸" if at == picture.mover else " ", "bold"),
            (f"{seat.name if len(seat.name) <= room else seat.name[: room - 1] + '…':<{room}} ", ""),
            (f"{seat.score:>3}", "bold"),
        )
        for at, seat in enumerate(picture.seats)
    ]
    pairs = [Text(" ").join(seats[at : at + 2]) for at in range(0, len(seats), 2)]
    cards = sized(picture, width, LINES + 1, Size.TINY).fitted(width, LINES)
    return above([Block([title], width), Block(pairs, width), cards], width)


def height(seats: int) -> int:
    """The lines of a small table."""
    return 1 + (seats + 1) // 2 + LINES

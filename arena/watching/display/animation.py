"""Cards and heads on their way: small pieces laid over a drawn table, between the places that its metas tell."""

from rich.text import Text

from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rules.stages import Drafted, Kept, Laid, Took
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.display.cards import FRESH, HEAD, Size, card
from bullring.arena.watching.picture.picture import Frame

Spot = tuple[int, int]
"""Column and line."""


def flown(table: Block, frame: Frame, phase: float) -> Block:
    """The table with the moving card or heads at `phase` of the way, from 0 to 1."""
    picture, step = frame.picture, frame.step
    match step:
        case Laid(seat, number):
            piece = card(number, picture.bears[number], Size.CHIP, edge=FRESH).lines[0]
            way = _spot(table, "seat", seat), _spot(table, "pick", number, last=True)
        case Took(seat, _, place, cards, heads) if cards:
            piece = Text(
                f" {heads} {HEAD} " if heads else f" {say('table.cards', count=len(cards))} ",
                style="bold bright_white on red",
            )
            way = _spot(table, "row", place) or _spot(table, "stack", place), _spot(table, "seat", seat)
        case Drafted(seat, number):
            piece = card(number, picture.bears[number], Size.CHIP, edge=FRESH).lines[0]
            way = _middle(table), _spot(table, "seat", seat)
        case Kept(seat, _, heads) if heads:
            piece = Text(f" {heads} {HEAD} ", style="bold bright_white on red")
            way = _middle(table), _spot(table, "seat", seat)
        case _:
            return table
    start, end = way
    if start is None or end is None:
        return table
    eased = phase * phase * (3 - 2 * phase)
    at = round(start[0] + (end[0] - start[0]) * eased), round(start[1] + (end[1] - start[1]) * eased)
    return _laid_over(table, piece, at)


def _spot(table: Block, key: str, value: int, *, last: bool = False) -> Spot | None:
    """The middle of all text that carries a meta, or with `last` of the last such text."""
    spots = [
        ((span.start + span.end) // 2, number)
        for number, line in enumerate(table.lines)
        for span in line.spans
        if not isinstance(span.style, str) and span.style.meta.get(key) == value
    ]
    return None if not spots else spots[-1] if last else spots[len(spots) // 2]


def _middle(table: Block) -> Spot:
    return table.width // 2, table.height // 2


def _laid_over(table: Block, piece: Text, at: Spot) -> Block:
    """The table with a piece of one line around this spot."""
    column = max(0, min(at[0] - piece.cell_len // 2, table.width - piece.cell_len))
    row = max(0, min(at[1], table.height - 1))
    lines = list(table.lines)
    lines[row] = lines[row][:column] + piece + lines[row][column + piece.cell_len :]
    return Block(lines, table.width)

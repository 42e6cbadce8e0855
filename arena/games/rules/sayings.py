"""Small pieces of sentences: counts, heads, cards; and the values of sentences, which texts of a language put into words."""

from collections.abc import Sequence


class Seat(int):
    """A seat, to be filled in by its name."""


class Heads(int):
    """A number of heads: "2 heads"."""


class Count(int):
    """A number of cards: "2 cards"."""


class Few(int):
    """A small number, in words: "three"."""


Value = int | float | str | tuple[int, ...] | None
"""A value for a sentence, of one of the classes above where it is one; several cards or seats are listed: "3, 14 and 15"."""


def counted(count: int, one: str, many: str = "") -> str:
    """A count with its noun: "1 deal", "2 deals". `many` is the plural if it is not `one` plus "s"."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def cards_text(cards: Sequence[int]) -> str:
    """Cards on one line; equal neighbours are joined, as they share a position: "43 44=44 45"."""
    return "".join(f"{'' if at == 0 else '=' if card == cards[at - 1] else ' '}{card}" for at, card in enumerate(cards))

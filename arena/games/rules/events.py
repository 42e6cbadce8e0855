"""Events: the public news of a deal or of answers, as sent over the wire. Each is a `TypedDict` with a `type`.

Each key is annotated with its type and meaning (`Key`), from which docs/games.md is generated. Events shared by several games are
defined here, the others beside their games.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypedDict, get_args, get_type_hints

Event = Mapping[str, Any]
"""One event: its "type" and its other keys, ready for the wire."""

Placement = tuple[int, int, int, int]
"""A placed card: seat, card, row (1..4), and the heads its owner took with that row (0 if none was taken)."""


class Key(NamedTuple):
    """The documentation of a key of an event or a view."""

    type: str
    meaning: str


def keys_of(declared: type) -> dict[str, Key]:
    """The keys of an event or view `TypedDict` except "type", in order."""
    hints = get_type_hints(declared, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if name != "type"}


def type_of(event: type) -> str:
    """The value of "type" in an event `TypedDict`."""
    name: str = get_args(get_type_hints(event)["type"])[0]
    return name


class RowsDeal(TypedDict):
    """A deal begins."""

    type: Literal["deal"]
    deal: Annotated[int, Key("integer", "The number of the deal.")]
    rows: Annotated[list[list[int]], Key("4 lists of cards", "The four rows; empty before a draft.")]


class Play(TypedDict):
    """All cards of a turn are shown."""

    type: Literal["play"]
    turn: Annotated[int, Key("integer", "The number of the turn.")]
    cards: Annotated[list[int], Key("by seat, cards", "The card that each seat played.")]


class Lay(TypedDict):
    """A seat plays one open card."""

    type: Literal["lay"]
    seat: Annotated[int, Key("integer", "The seat that plays it.")]
    card: Annotated[int, Key("card", "The card.")]


class Place(TypedDict):
    """Cards are placed."""

    type: Literal["place"]
    placed: Annotated[
        list[Placement],
        Key(
            "list of [seat, card, row, heads]",
            "In the order of placement. With 0 heads, the card was put at the end of the row (in `professional` at its left end if"
            " it is lower; in `double` on its twin if that is the last card). Otherwise the seat took the row and these heads, and"
            " the card is now the whole row. Two equal cards in a turn (`double`) are two entries with the same card and row; if"
            " they took the row, each entry has half of its heads.",
        ),
    ]


class DealOver(TypedDict):
    """A deal ends."""

    type: Literal["deal_over"]
    deal: Annotated[int, Key("integer", "The number of the deal.")]
    heads: Annotated[list[int], Key("by seat, integers", "The heads of this deal.")]
    scores: Annotated[list[int], Key("by seat, integers", "The total heads.")]


class HandsOver(DealOver):
    """A deal ends."""

    hands: Annotated[list[list[int]], Key("by seat, lists of cards", "The cards left in each hand.")]

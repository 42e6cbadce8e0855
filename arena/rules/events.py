"""Events: what everybody sees of a deal or of answers, as it goes over the wire. Each is a `TypedDict` with a `type`.

What a key holds and means stands beside it (`Key`), for SPEC.md and for whoever reads the code. The events that several games
have in common are here; others are in the files of their games.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypedDict, get_args, get_type_hints

Event = Mapping[str, Any]
"""One public happening: its "type" and its facts, ready for the wire."""

Placement = tuple[int, int, int, int]
"""A card on its place: seat, card, row (1..4), and the heads that its owner took with that row."""


class Key(NamedTuple):
    """What a key of an event or a view is."""

    type: str
    meaning: str


def keys_of(declared: type) -> dict[str, Key]:
    """The keys of a `TypedDict` of events or views, but for "type", in their order."""
    hints = get_type_hints(declared, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if name != "type"}


def type_of(event: type) -> str:
    """The "type" of an event."""
    name: str = get_args(get_type_hints(event)["type"])[0]
    return name


class RowsDeal(TypedDict):
    """A deal begins."""

    type: Literal["deal"]
    deal: Annotated[int, Key("integer", "Its number.")]
    rows: Annotated[list[list[int]], Key("4 lists of cards", "The four rows; none yet before a draft.")]


class Play(TypedDict):
    """All cards of a turn are shown."""

    type: Literal["play"]
    turn: Annotated[int, Key("integer", "The number of the turn.")]
    cards: Annotated[list[int], Key("by seat, cards", "The card that each seat played.")]


class Lay(TypedDict):
    """One open card is played."""

    type: Literal["lay"]
    seat: Annotated[int, Key("integer", "By whom.")]
    card: Annotated[int, Key("card", "Which one.")]


class Place(TypedDict):
    """Cards have got their places."""

    type: Literal["place"]
    placed: Annotated[
        list[Placement],
        Key(
            "list of [seat, card, row, heads]",
            "In the order of placement. With 0 heads the card was put at the end of the row (in `professional` at its left end, if"
            " it is lower; in `double` on its twin, if that is the last one); with more, the seat took the row with so many heads,"
            " and the card is now all that lies there. Two equal cards of a turn (`double`) are two entries with the same card and"
            " row; if they took the row, each has its half of the heads.",
        ),
    ]


class DealOver(TypedDict):
    """A deal has ended."""

    type: Literal["deal_over"]
    deal: Annotated[int, Key("integer", "Its number.")]
    heads: Annotated[list[int], Key("by seat, integers", "The heads of this deal.")]
    scores: Annotated[list[int], Key("by seat, integers", "The heads in all.")]


class HandsOver(DealOver):
    """A deal has ended."""

    hands: Annotated[list[list[int]], Key("by seat, lists of cards", "The cards left in hand.")]

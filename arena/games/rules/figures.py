"""The figures of a game that fill the braces in its rules text, so that no sentence repeats a number from the code."""

from typing import Any, NamedTuple

from bullring.arena.games.rules.cards import HIGHEST


class Span(NamedTuple):
    """A range of numbers, both ends included."""

    low: int
    high: int


class Listed(NamedTuple):
    """A list of cards."""

    cards: tuple[int, ...]


Figure = int | Span | Listed


def figures_of_deck(game: Any) -> dict[str, Figure]:
    """The figures that follow from seats, deck and options; `game` is a subclass of `arena.games.rules.game.Game`.

    They are the players, the cards, how many cards each player needs, and the cards that an option adds or leaves.
    """
    low, high = game.seat_range
    decks = {seats: game(seats).deck() for seats in range(low, high + 1)}
    most = decks[high]
    found: dict[str, Figure] = {
        "players": Span(low, high) if low < high else low,
        "cards": Span(min(most), max(most)),
        "copies": most.count(max(most)),
    }
    missing = [card for card in range(1, HIGHEST + 1) if card not in most]
    if len(missing) == 1:
        found["marker"] = missing[0]
    if len(decks[low]) < len(most):
        each = len(decks[low + 1]) - len(decks[low])
        seats = min(4, high)
        found |= {"each": each, "more": len(most) - each * high}
        found |= {"some_players": seats, "some_cards": Span(1, len(decks[seats]))}
    for spec in game.option_specs:
        if spec.type == "bool":
            other = game(high, {spec.name: not spec.default}).deck()
            twins = tuple(sorted({card for card in other if other.count(card) > 1}))
            if other != most:
                found[f"{spec.name}_cards"] = Listed(twins) if twins else Span(min(other), max(other))
        elif spec.type == "int" and isinstance(spec.default, int):
            found[spec.name] = spec.default
    return found

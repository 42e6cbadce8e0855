"""The figures of a game: taken from its class, its options and what it does, so that no text has to know them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.rules.cards import ELEVEN_HEADS, ELEVEN_HIGHEST, HEADS, HIGHEST
from arena.rules.game import Game
from arena.rules.options import OptionSpec
from arena.rules.rows import RowGame
from arena.rules.table import ROW_LIMIT, ROWS
from arena.rules.variants.eleven import BULL_SIZE, BULLS, HAND, REACH, Eleven, step
from arena.rules.variants.hand import LAST_TURN, MOST_IN_HAND, MOST_IN_PILE


class Span(NamedTuple):
    """From one number to another, both included."""

    low: int
    high: int


class Listed(NamedTuple):
    """Several cards."""

    cards: tuple[int, ...]


Figure = int | Span | Listed


@dataclass(frozen=True)
class Facts:
    """What the rules of a game say in figures."""

    id: str
    title: str
    source: str
    options: tuple[OptionSpec, ...]
    heads: tuple[tuple[int, tuple[int, ...]], ...]
    """Numbers of heads, the highest first, each with the cards that bear so many; the last one is that of most cards."""
    figures: Mapping[str, Figure]
    """By the name that a text calls them."""


def facts_of(game: type[Game[Any]]) -> Facts:
    """All of a game."""
    low, high = game.seat_range
    figures: dict[str, Figure] = {"players": Span(low, high) if low < high else low, **_deck(game)}
    for spec in game.option_specs:
        if spec.type == "int" and isinstance(spec.default, int):
            figures[spec.name] = spec.default
    if issubclass(game, RowGame):
        pair = _cards_a_turn(game)
        figures |= {"rows": len(ROWS), "row_limit": ROW_LIMIT, "hand": game.hand_size}
        figures |= {"pair": pair, "turns": game.hand_size // pair}
        figures |= {"most_in_hand": MOST_IN_HAND, "most_in_pile": MOST_IN_PILE, "last_turn": LAST_TURN}
    else:
        figures |= _eleven()
    bears = HEADS if issubclass(game, RowGame) else ELEVEN_HEADS
    return Facts(game.id, game.title, game.source, game.option_specs, _heads(bears, game(high).deck()), figures)


def _deck(game: type[Game[Any]]) -> dict[str, Figure]:
    """The cards, how many of them each player needs, and those that an option adds or leaves."""
    low, high = game.seat_range
    decks = {seats: game(seats).deck() for seats in range(low, high + 1)}
    most = decks[high]
    found: dict[str, Figure] = {"cards": Span(min(most), max(most)), "copies": most.count(max(most))}
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
    return found


def _cards_a_turn(game: type[Game[Any]]) -> int:
    """How many cards one plays at a time: that is how many an option of the first decision has."""
    first = game(game.seat_range[0])
    state = first.new()
    first.advance_deal(state, first.deck()[: first.dealt()])
    option = state.pending.options[0][0]
    return len(option) if isinstance(option, tuple) else 1


def _eleven() -> dict[str, Figure]:
    """Of 11 nimmt!: its limits, cards that fit where the circle closes, and how many are turned up after a stack was taken."""
    game = Eleven(2)
    state = game.new()
    game.advance_deal(state, game.deck())
    taken = game.advance(state, [1])[0]
    top = ELEVEN_HIGHEST - 4
    fitting = sorted((card for card in game.deck() if 1 <= step(top, card) <= REACH), key=lambda card: step(top, card))
    return {
        "hand": HAND,
        "bulls": BULLS,
        "reach": REACH,
        "bull_size": BULL_SIZE,
        "turned": len(taken["turned"]),
        "highest": ELEVEN_HIGHEST,
        "lowest": min(game.deck()),
        "top": top,
        "fitting": Listed(tuple(fitting)),
    }


def _heads(bears: Sequence[int], deck: Sequence[int]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    cards = sorted(set(deck))
    values = sorted({bears[card] for card in cards}, reverse=True)
    return tuple((value, tuple(card for card in cards if bears[card] == value)) for value in values)

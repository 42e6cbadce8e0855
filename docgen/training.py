"""The tables of docs/training.md: observations and actions. They follow from the games."""

from collections.abc import Iterator, Sequence
from typing import Any

from bullring.arena.games.rules.game import Game
from bullring.train.layout import MANY, layout_of
from bullring.train.policy.layout import (
    CARDS,
    CARDS_BY_SEAT,
    FORMS,
    LISTS,
    PAIRS_BY_SEAT,
    SHARED,
    WHICH_LIST,
    WHICH_STACK,
    Field,
)
from docgen.games import among, having
from docgen.tables import table


def blocks() -> dict[str, str]:
    """The blocks of docs/training.md, by name."""
    return {"fields": _fields(), "actions": _actions()}


def _fields() -> str:
    """The parts of an observation."""

    def of(game: type[Game[Any]]) -> list[tuple[str, str, str, str]]:
        return [_told(field) for field in layout_of(game(game.seat_range[1])).fields]

    rows = [(f"`{name}`", among(ids), *told) for (name, *told), ids in having(of)]
    return table(("field", "in", "shape", "range", "numbers"), rows)


def _told(field: Field) -> tuple[str, str, str, str]:
    shape, numbers = FORMS[field.form]
    counts = field.form in (CARDS, LISTS, CARDS_BY_SEAT, PAIRS_BY_SEAT, SHARED)
    stacks = field.form in (WHICH_LIST, WHICH_STACK)
    high = "" if field.high == MANY else "copies" if counts else "cards" if stacks else str(field.high)
    return field.name, shape, f"{field.low} to {high}" if high else f"from {field.low}", numbers


def _actions() -> str:
    """The actions, in their order in each game."""

    def of(game: type[Game[Any]]) -> Iterator[tuple[str, str, str]]:
        few, many = map(game, game.seat_range)
        for decision in game.decisions:
            answers, parts = (
                [_listed(of(made), made) for made in (few, many)] for of in (decision.answers, decision.parts)
            )
            yield decision.kind, _by_seats(answers, game), _by_seats(parts, game)

    rows = [(f"`{kind}`", among(ids), *told) for (kind, *told), ids in having(lambda game: list(of(game)))]
    return table(("kind", "in", "an answer of one number or word", "numbers of an answer of several"), rows)


def _listed(values: Any, game: Game[Any]) -> str:
    cards = sorted(set(game.deck()))
    values = list(values)
    words = [f'`"{value}"`' for value in values if isinstance(value, str)]
    numbers = [value for value in values if not isinstance(value, str)]
    if numbers == cards:
        words.append("the cards")
    elif numbers:
        words.append(f"{numbers[0]} to {numbers[-1]}")
    return ", ".join(words) or "–"


def _by_seats(words: Sequence[str], game: type[Game[Any]]) -> str:
    """The words for the fewest and for the most seats, or once if they are the same."""
    few, many = words
    low, high = game.seat_range
    return few if few == many else f"{few} with {low} seats, {many} with {high}"

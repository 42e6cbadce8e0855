"""The layout of a game's observations and actions, made of what the game declares: the keys of its view and its decisions.

The types in which keys of a view are documented say how each becomes an array, so a new game has an observation; a key of another
type is left out, and the documents say so. Answers of several numbers are given number by number: a list of all of them would have
millions of actions.
"""

import re
from collections.abc import Iterator
from typing import Any

from bullring.arena.games.rules.events import Key, keys_of
from bullring.arena.games.rules.game import Game
from bullring.train.policy import layout as forms
from bullring.train.policy.layout import Action, Field, Layout

MANY = 1_000_000
"""The bound of numbers that have none of their own: larger ones are cut off here."""


def layout_of(game: Game[Any]) -> Layout:
    """The observations and actions of a game with its seats and options.

    Observations have all keys of the view whose type is one of those below; the rest of a view (in a game that is written
    later) is left out, and `left_out` names it.
    """
    cards = max(game.deck())
    kinds = tuple([decision.kind for decision in game.decisions])
    copies = max(game.deck().count(card) for card in game.deck())
    fields = [
        Field(
            forms.KIND,
            forms.KIND,
            (len(kinds),),
            0,
            1,
            f"The kind of decision asked for, one of {', '.join(kinds)}; all 0 if none is.",
        ),
        Field("hand", forms.CARDS, (cards,), 0, copies, "How often each card is in the hand."),
    ]
    if any(decision.parts(game) for decision in game.decisions):
        meaning = "The parts of the answer that were given already."
        fields.append(Field(forms.GIVEN, forms.GIVEN, (cards,), 0, 1, meaning))
    for name, key in keys_of(game.view_type).items():
        field = _field(name, key, game.seats, cards, copies)
        if field is not None:
            fields.append(field)
    return Layout(game.id, game.seats, cards, kinds, tuple(fields), tuple(_actions(game)))


def left_out(game: Game[Any]) -> list[str]:
    """The keys of the view that observations do not have, because their type is not known here."""
    known = {field.name for field in layout_of(game).fields}
    return [name for name in keys_of(game.view_type) if name not in known]


def _field(name: str, key: Key, seats: int, cards: int, copies: int) -> Field | None:
    """The field of a key, by its type in words."""
    type_, meaning = key
    if match := re.fullmatch(r"(\d+) integers", type_):
        return Field(name, forms.NUMBERS, (int(match[1]),), 0, MANY, meaning)
    if match := re.fullmatch(r"(\d+) lists of cards", type_):
        return Field(name, forms.LISTS, (int(match[1]), cards), 0, copies, meaning)
    known: dict[str, tuple[str, tuple[int, ...], int]] = {
        "integer": (forms.NUMBER, (1,), MANY),
        "true or false": (forms.NUMBER, (1,), 1),
        "seat": (forms.SEAT, (seats,), 1),
        "by seat, integers": (forms.BY_SEAT, (seats,), MANY),
        "lists of integers and nulls": (forms.SHEET, (seats, seats), MANY),
        "list of cards": (forms.CARDS, (cards,), copies),
        "by seat, lists of cards": (forms.CARDS_BY_SEAT, (seats, cards), copies),
        "lists of cards": (forms.WHICH_LIST, (cards,), cards),
        "list of [seat, card]": (forms.PAIRS_BY_SEAT, (seats, cards), copies),
        "list of [card, stack]": (forms.WHICH_STACK, (cards,), cards),
        "list of [seat, seat, cards]": (forms.SHARED, (seats, cards), copies),
    }
    if type_ not in known:
        return None
    form, shape, high = known[type_]
    return Field(name, form, shape, 0, high, meaning)


def _actions(game: Game[Any]) -> Iterator[Action]:
    for decision in game.decisions:
        for answer in decision.answers(game):
            yield Action(decision.kind, "answer", answer)
        parts = decision.parts(game)
        for part in parts:
            yield Action(decision.kind, "part", part)
        if parts:
            yield Action(decision.kind, "end", None)
    yield Action("", "wait", None)

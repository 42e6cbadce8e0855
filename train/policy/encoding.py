"""From questions to arrays: what a seat is told becomes an observation, its options become a mask, an action becomes an answer.

Seats are counted from the seat that is asked: 0 is that seat, 1 its left neighbour. So one policy plays every seat.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import layout as forms
from .layout import Layout

Option = Any
"""One legal answer: a number, a word, or several numbers as a list or tuple."""

Given = tuple[int, ...]
"""The parts of an answer that are given already."""


class Encoder:
    """Reads the questions of one game."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.size = layout.size
        self.actions = len(layout.actions)
        self.wait = self.actions - 1
        """The action of a seat that is not asked."""
        self._number = {(action.kind, action.what, action.value): at for at, action in enumerate(layout.actions)}
        self._high = np.concatenate(
            [np.full(field.size, field.high, np.float32) for field in layout.fields] or [np.zeros(0, np.float32)]
        )
        slices = layout.slices()
        self._fields = [
            (field.name, field.shape, _WRITERS.get(field.form), slices[field.name]) for field in layout.fields
        ]
        self._kinds = {kind: at for at, kind in enumerate(layout.kinds)}

    def observe(self, view: Mapping[str, Any], kind: str = "", given: Given = ()) -> NDArray[np.float32]:
        """The observation of a seat, as float32 of shape (size,). `kind` is the decision that it is asked for, if any.

        `view` is the seat's whole view, "seat" and "hand" included, as in a `decide` message.
        """
        numbers = np.zeros(self.size, np.float32)
        seat, seats = int(view["seat"]), self.layout.seats
        for name, shape, write, place in self._fields:
            array = numbers[place].reshape(shape)
            if write is not None:
                write(array, view[name], seat, seats)
            elif name == forms.KIND:
                if kind:
                    array[self._kinds[kind]] = 1
            elif name == forms.GIVEN:
                for card in given:
                    array[card - 1] = 1
        np.minimum(numbers, self._high, out=numbers)
        return numbers

    def mask(self, kind: str, options: Sequence[Option], given: Given = ()) -> NDArray[np.int8]:
        """The mask of legal actions, as int8 of shape (actions,): 1 is legal."""
        mask = np.zeros(self.actions, np.int8)
        number = self._number
        for option in options:
            if isinstance(option, int | str):
                if not given:
                    mask[number[kind, "answer", option]] = 1
            elif tuple(option[: len(given)]) == given:
                if len(option) == len(given):
                    mask[number[kind, "end", None]] = 1
                else:
                    mask[number[kind, "part", option[len(given)]]] = 1
        return mask

    def take(self, kind: str, options: Sequence[Option], given: Given, action: int) -> tuple[Given, Option | None]:
        """Let a seat that has `given` some parts act. Returns the parts then given, and the option if the answer is complete.

        Raises `ValueError` if the action is not legal.
        """
        action = int(action)
        if not (0 <= action < self.actions and self.mask(kind, options, given)[action]):
            raise ValueError(f"action {action} is not legal now")
        chosen = self.layout.actions[action]
        if chosen.what == "answer":
            return (), chosen.value
        if chosen.what == "part":
            assert isinstance(chosen.value, int)
            given = (*given, chosen.value)
        left = [
            option for option in options if not isinstance(option, int | str) and tuple(option[: len(given)]) == given
        ]
        if chosen.what == "end" or len(left[0]) == len(given) == max(map(len, left)):
            return (), next(option for option in left if len(option) == len(given))
        return given, None


def _number(array: Any, value: Any, seat: int, seats: int) -> None:
    array[0] = value


def _seat(array: Any, value: Any, seat: int, seats: int) -> None:
    array[(value - seat) % seats] = 1


def _numbers(array: Any, value: Any, seat: int, seats: int) -> None:
    if value:  # rows are not there before a draft is over
        array[: len(value)] = value


def _by_seat(array: Any, value: Any, seat: int, seats: int) -> None:
    for at, number in enumerate(value):
        array[(at - seat) % seats] = number


def _sheet(array: Any, value: Any, seat: int, seats: int) -> None:
    for owner, line in enumerate(value):
        for player, heads in enumerate(line):
            array[(owner - seat) % seats, (player - seat) % seats] = 0 if heads is None else heads + 1


def _cards(array: Any, value: Any, seat: int, seats: int) -> None:
    for card in value:
        array[card - 1] += 1


def _lists(array: Any, value: Any, seat: int, seats: int) -> None:
    for at, cards in enumerate(value):
        for card in cards:
            array[at, card - 1] += 1


def _cards_by_seat(array: Any, value: Any, seat: int, seats: int) -> None:
    for at, cards in enumerate(value):
        for card in cards:
            array[(at - seat) % seats, card - 1] += 1


def _which_list(array: Any, value: Any, seat: int, seats: int) -> None:
    for at, cards in enumerate(value, 1):
        for card in cards:
            array[card - 1] = at


def _pairs_by_seat(array: Any, value: Any, seat: int, seats: int) -> None:
    for at, card in value:
        array[(at - seat) % seats, card - 1] += 1


def _which_stack(array: Any, value: Any, seat: int, seats: int) -> None:
    for card, stack in value:
        array[card - 1] = stack


def _shared(array: Any, value: Any, seat: int, seats: int) -> None:
    for one, other, cards in value:
        for card in cards:
            array[(one - seat) % seats, card - 1] += 1
            array[(other - seat) % seats, card - 1] += 1


_WRITERS: dict[str, Callable[[Any, Any, int, int], None]] = {
    forms.NUMBER: _number,
    forms.SEAT: _seat,
    forms.NUMBERS: _numbers,
    forms.BY_SEAT: _by_seat,
    forms.SHEET: _sheet,
    forms.CARDS: _cards,
    forms.LISTS: _lists,
    forms.CARDS_BY_SEAT: _cards_by_seat,
    forms.WHICH_LIST: _which_list,
    forms.PAIRS_BY_SEAT: _pairs_by_seat,
    forms.WHICH_STACK: _which_stack,
    forms.SHARED: _shared,
}

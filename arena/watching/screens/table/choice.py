"""One decision of a person: the items to choose from, and those chosen so far. It knows no game: it goes by options and decision.

Decisions say what their numbers name (a card, a row, a stack, a seat), so an option is a list of items, and pointing at items
narrows the options until one is left. Items that are not on the table are offered as a list.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bullring.arena.games.rules.decision import Decision, Thing


@dataclass(frozen=True)
class Item:
    """Something that a person can point at."""

    kind: Thing | Literal["word", "option", "done"]
    """A thing on the table; a word; one of a plain list of options; or the end of a choice to which more could be added."""
    value: int | str = 0
    """Its number, the word, or the index of the option."""


DONE = Item("done")


@dataclass(frozen=True)
class Sight:
    """The things on the screen that can be pointed at."""

    hand: Collection[int]
    pool: Collection[int]
    """Open cards that may be drafted."""
    cards: int
    """Cards are numbered up to this."""
    rows: int
    stacks: int
    seats: int

    def has(self, item: Item) -> bool:
        """Whether the item can be seen, or can be shown beside the hand."""
        if isinstance(item.value, str):
            return item.kind == "word"
        match item.kind:
            case "card":
                return 1 <= item.value <= self.cards
            case "row":
                return 1 <= item.value <= self.rows
            case "stack":
                return 1 <= item.value <= self.stacks
            case "seat":
                return 0 <= item.value < self.seats
            case _:
                return False


class Choice:
    """One decision of a person. An option is made of items, which are chosen one after the other."""

    def __init__(self, options: Sequence[Any], decision: Decision, sight: Sight, told: Callable[[Any], str]) -> None:
        """`told` puts an option into words."""
        self.options = [tuple(option) if isinstance(option, list) else option for option in options]
        self.decision = decision
        self.sight = sight
        self.told = told
        self.chosen: list[Item] = []
        self._known: tuple[tuple[Item, ...], list[int], list[Item]] | None = None
        """The items chosen at the last look, the options left and the items open then: there may be thousands of options."""
        self._ordered = len(decision.each) > 1
        """Whether items follow each other in a fixed order, such as a card and then a stack."""
        made = [self._items(option) for option in self.options]
        keys = [items if self._ordered else frozenset(items) for items in made if items is not None]
        self.listed = len(keys) < len(self.options) or len(set(keys)) < len(keys)
        """Whether the options are a plain list, because they cannot be pointed at."""
        self._made = (
            [(Item("option", at),) for at in range(len(self.options))]
            if self.listed
            else [items for items in made if items is not None]
        )
        self.items = sorted({item for items in self._made for item in items}, key=order)
        """Everything that can be pointed at in this decision."""

    def _items(self, option: Any) -> tuple[Item, ...] | None:
        """The items of an option; None if it cannot be pointed at."""
        each = self.decision.each
        if isinstance(option, str):
            items: list[Item] = [Item("word", option)]
        elif isinstance(option, int) and not isinstance(option, bool):
            items = [Item(self.decision.names, option)]
        elif isinstance(option, tuple) and all(type(number) is int for number in option):
            if self._ordered and len(option) != len(each):
                return None
            kinds = each if self._ordered else each * len(option)
            items = [Item(kind, number) for kind, number in zip(kinds, option, strict=True)]
        else:
            return None
        if len(set(items)) < len(items) or not all(self.sight.has(item) for item in items):
            return None
        return tuple(items)

    def _look(self) -> tuple[list[int], list[Item]]:
        """The options that contain all chosen items, and the items that can be chosen now."""
        chosen, count = tuple(self.chosen), len(self.chosen)
        if self._known is None or self._known[0] != chosen:
            if self._ordered:
                left = [at for at, items in enumerate(self._made) if items[:count] == chosen]
            else:
                left = [at for at, items in enumerate(self._made) if set(chosen) <= set(items)]
            found: set[Item] = set()
            for at in left:
                found.update(self._made[at][count : count + 1] if self._ordered else self._made[at])
            items = sorted(found - set(chosen), key=order)
            ready = any(len(self._made[at]) == count for at in left)
            if items and ready and (chosen or not all(self._made)):
                items.append(DONE)
            self._known = chosen, left, items
        return self._known[1:]

    def _left(self) -> list[int]:
        return self._look()[0]

    @property
    def open(self) -> list[Item]:
        """The items that can be chosen now, in the order on the screen."""
        return self._look()[1]

    @property
    def answer(self) -> int | None:
        """The index of the option that consists of the chosen items; None if there is none."""
        count = len(self.chosen)
        return next((at for at in self._left() if len(self._made[at]) == count), None)

    @property
    def complete(self) -> bool:
        """Whether the chosen items are an option, and none can be added."""
        return self.answer is not None and not [item for item in self.open if item != DONE]

    def point(self, item: Item) -> bool:
        """Choose an item, or take it back if it is chosen. Returns whether the choice is made."""
        if item == DONE:
            return self.answer is not None
        if item in self.chosen:
            at = self.chosen.index(item)
            self.chosen = self.chosen[:at] + ([] if self._ordered else self.chosen[at + 1 :])
            return False
        if item not in self.open:
            return False
        self.chosen.append(item)
        left = self._left()
        if len(left) == 1:
            self.chosen = list(self._made[left[0]])  # the rest follows
        return self.complete

    def made_of(self, option: Any) -> tuple[Item, ...]:
        """The items of an option; none if there is no such option."""
        found = next((at for at, own in enumerate(self.options) if own == option and type(own) is type(option)), None)
        return () if found is None else self._made[found]

    def options_with(self, item: Item) -> Sequence[Any]:
        """The options that a thing belongs to, together with what is chosen."""
        return [self.options[at] for at in self._left() if item in self._made[at]]

    def clear(self) -> None:
        """Take everything back."""
        self.chosen = []

    def label(self, item: Item) -> str:
        """A word, an option of a list, or the end of a choice, as it is written on the screen."""
        match item.kind:
            case "word":
                return self.told(item.value)
            case "option":
                return self.told(self.options[int(item.value)])
            case "done":
                answer = self.answer
                return "" if answer is None else self.told(self.options[answer])
            case _:
                return str(item.value)


_RANKS = {"seat": 0, "row": 1, "stack": 2, "card": 3, "word": 4, "option": 5, "done": 6}


def order(item: Item) -> tuple[int, int, str]:
    """The order of items from the top of the screen to its bottom."""
    number = item.value if isinstance(item.value, int) else 0
    return _RANKS[item.kind], number, str(item.value)

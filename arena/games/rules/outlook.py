"""The outlook of cards in games of four rows: the mean heads that they take now, after some turns, or in the next one.

The others are taken to play any cards that they may hold, each as likely as another. That is no forecast of how they play, but the
same yardstick for all cards, and it follows from what a seat sees. The draws are fixed: the same view has the same outlook.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bullring.arena.games.rules.table import Row

DRAWS = 100
"""The number of draws of what the others play."""

Cards = tuple[int, ...]
"""The cards that a seat plays in a turn, ascending."""


@dataclass(frozen=True)
class Outlook:
    """A position, and what the others may play."""

    place: Callable[[list[Row], int], int]
    """Places a card in rows, which it changes. Returns the heads that are taken."""
    sorts: bool
    """Whether the cards of a turn are placed from the lowest to the highest, and not at once."""
    rows: Sequence[Row]
    open: Sequence[int]
    """The open cards of this turn."""
    others: int
    """Other seats that may still play in this turn."""
    stacks: Sequence[tuple[Sequence[int], int]]
    """Cards, and the number of seats that hold some of them."""

    def taken(self, own: Cards, waits: int = 0) -> float:
        """The heads that cards take if they wait for so many turns."""
        total = 0
        for turns in self._draws(len(own), waits + 1):
            rows = [row.copy() for row in self.rows]
            for played in turns[:waits]:
                self._play(rows, (), played)
            total += self._play(rows, own, turns[waits])
        return total / DRAWS

    def next(self, own: Cards, hand: Sequence[int]) -> float:
        """The heads that a card of the hand takes in the next turn, on average, if these are played now."""
        draws = max(1, DRAWS // len(hand))
        total = 0
        for now, then in islice(self._draws(max(1, len(own)), 2), draws):
            rows = [row.copy() for row in self.rows]
            self._play(rows, own, now)
            total += sum([self._play([row.copy() for row in rows], (card,), then) for card in hand])
        return total / draws / len(hand)

    def _play(self, rows: list[Row], own: Cards, others: Sequence[Cards]) -> int:
        """Play a turn. Returns the heads that are taken with the `own` cards."""
        taken = 0
        for cards in sorted([*others, own]) if self.sorts else (own, *others):
            heads = sum([self.place(rows, card) for card in cards])
            taken += heads if cards is own else 0
        return taken

    def _draws(self, size: int, count: int) -> Iterator[list[list[Cards]]]:
        """Yield what others play in so many turns, `size` cards each; where there are not enough, fewer seats play."""
        state = 1
        for _ in range(DRAWS):
            turns: list[list[Cards]] = [[] for _ in range(count)]
            for cards, seats in self.stacks:
                left, total, wide = list(cards), len(cards), size * seats
                for at in range(min(total, wide * count)):
                    state = state * 48271 % 0x7FFFFFFF  # the "minimal standard" of Park, Miller and Stockmeyer (1993)
                    other = at + state % (total - at)
                    left[at], left[other] = left[other], left[at]
                for number, turn in enumerate(turns):
                    hands = range(number * wide, min(total, (number + 1) * wide), size)
                    turn += [tuple(sorted(left[begin : begin + size])) for begin in hands]
            turns[0] = [*turns[0][: self.others], *((card,) for card in self.open)]
            yield turns

"""The four rows: where a card goes, and what it takes there."""

from collections.abc import Sequence
from typing import Any

FULL = 5
HEADS = [7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1 for c in range(105)]
HEADS_OF_A_CARD = 171 / 104

Cards = Sequence[int]


class Rows:
    """The rows of a view. `both_ends` is for the professional game, where cards may also be placed on the left."""

    def __init__(self, view: dict[str, Any], both_ends: bool = False) -> None:
        self.rows, self.heads = list(view["rows"]), list(view["row_heads"])
        self.both_ends = both_ends
        self.homes: dict[int, int | None] = {}
        """Cached results of `home` for the current rows."""

    def home(self, card: int) -> int | None:
        """The index of the row where `card` goes, or None if it fits nowhere."""
        if card not in self.homes:
            places = [(self.distance(row, card), index) for index, row in enumerate(self.rows)]
            _, self.homes[card] = min([place for place in places if place[0] >= 0], default=(0, None))
        return self.homes[card]

    def distance(self, row: Cards, card: int) -> int:
        """The distance of `card` from the end of `row` where it may go, or -1 if it may not. It is 0 for equal cards only."""
        if self.both_ends and card < row[0]:
            return row[0] - card
        return card - row[-1] if card >= row[-1] else -1

    def is_full(self, index: int) -> bool:
        """Whether the next card takes the row. Equal cards share a place."""
        return len(set(self.rows[index])) == FULL

    def cost(self, card: int) -> int:
        """The heads `card` takes if it is placed now."""
        home = self.home(card)
        if home is None:
            return min(self.heads)
        return self.heads[home] if self.is_full(home) and self.rows[home][-1] != card else 0

    def place(self, *cards: int) -> int:
        """Place `cards` one after another. Returns the heads they take."""
        taken = 0
        for card in cards:
            cost, home = self.cost(card), self.home(card)
            if home is None:
                home = self.heads.index(cost)
            self.rows[home] = [card] if cost else [*self.rows[home], card]
            self.heads[home] += HEADS[card] - cost
            self.homes.clear()
            taken += cost
        return taken

    def price_at_once(self, card: int) -> tuple[int, int, int]:
        """Sort key: the heads `card` takes now; among equals, first the most heads on the card, then the smallest gap."""
        home = self.home(card)
        return self.cost(card), -HEADS[card], 0 if home is None else self.distance(self.rows[home], card)

    def expected_heads(self, card: int, others: list[Cards]) -> float:
        """The heads `card` takes on average if each of the `others` plays any of its possible cards at random."""
        home = self.home(card)
        if home is None:
            room, heads = 0, min(self.heads)
        elif self.rows[home][-1] == card:
            return 0.0
        else:
            room = FULL - len(set(self.rows[home]))
            heads = self.heads[home] + room * HEADS_OF_A_CARD
        before = {id(cards): self.share_before(card, cards) for cards in others}  # most others share one list
        # Only exactly `room` cards before it are bad: if there are more, one of them takes the row, and `card` follows safely.
        return heads * exactly(room, [before[id(cards)] for cards in others])

    def share_before(self, card: int, cards: Cards) -> float:
        """The share of `cards` that go to the same row as `card`, before it."""
        home = self.home(card)
        return sum([other < card and self.home(other) == home for other in cards]) / len(cards)


def exactly(wanted: int, chances: list[float]) -> float:
    """The probability that exactly `wanted` of some independent events happen."""
    likely = [1.0] + [0.0] * wanted  # by number of events
    for chance in chances:
        for number in range(wanted, 0, -1):
            likely[number] += chance * (likely[number - 1] - likely[number])
        likely[0] *= 1 - chance
    return likely[wanted]

"""Four rows, reduced to what a playout needs. Nearly all the time is spent here."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Self

from hidden import HEADS, Message

FULL = 5


class Table:
    """The last card, the number of places and the heads of each row, sorted by last card.

    The order of the rows does not matter to the game, and in this order a row is found by bisection.
    """

    def __init__(self, view: Message) -> None:
        rows = sorted(zip(view["rows"], view["row_heads"], strict=True), key=lambda row: row[0][-1:])
        self.ends = [row[-1] for row, _ in rows]
        self.sizes = [len(set(row)) for row, _ in rows]
        self.heads = [heads for _, heads in rows]

    def copy(self) -> Self:
        """A copy to play on."""
        new = self.__class__.__new__(self.__class__)
        new.ends, new.sizes, new.heads = self.ends.copy(), self.sizes.copy(), self.heads.copy()
        return new

    def lay(self, cards: Sequence[int], mine: int) -> int:
        """Place `cards` in this order. Returns the heads `mine` takes."""
        ends, sizes, heads = self.ends, self.sizes, self.heads
        taken = 0
        for card in cards:
            at = bisect_right(ends, card) - 1
            if at < 0:
                cost = self.begin(heads.index(min(heads)), card)
                if card == mine:
                    taken = cost
            elif ends[at] == card:  # on its twin
                heads[at] += HEADS[card]
                if card == mine and taken:
                    taken = (taken + 1) // 2  # both were played in this turn and share the heads taken
            elif sizes[at] == FULL:
                if card == mine:
                    taken = heads[at]
                ends[at], sizes[at], heads[at] = card, 1, HEADS[card]
            else:
                ends[at] = card
                sizes[at] += 1
                heads[at] += HEADS[card]
        return taken

    def cost(self, card: int) -> int:
        """The heads `card` takes if it is laid now."""
        at = bisect_right(self.ends, card) - 1
        if at < 0:
            return min(self.heads)
        return self.heads[at] if self.sizes[at] == FULL else 0

    def begin(self, at: int, low: int) -> int:
        """Begin a row anew with `low`, which is now the lowest end. Returns the heads of the old row."""
        del self.ends[at], self.sizes[at]
        taken = self.heads.pop(at)
        self.ends.insert(0, low)
        self.sizes.insert(0, 1)
        self.heads.insert(0, HEADS[low])
        return taken

    def choose(self, end: int, card: int, kind: str) -> int:
        """Place `card` in the row with this last card. Returns the heads it takes."""
        return self.begin(self.ends.index(end), card)


class BothEnds(Table):
    """Rows that grow at both ends, in the order of the view."""

    def __init__(self, view: Message) -> None:
        self.lefts = [row[0] for row in view["rows"]]
        self.ends = [row[-1] for row in view["rows"]]
        self.sizes = [len(row) for row in view["rows"]]
        self.heads = list(view["row_heads"])

    def copy(self) -> Self:
        """A copy to play on."""
        new = super().copy()
        new.lefts = self.lefts.copy()
        return new

    def lay(self, cards: Sequence[int], mine: int) -> int:
        """Place `cards` in this order. Returns the heads `mine` takes."""
        lefts, ends = self.lefts, self.ends
        taken = 0
        for card in cards:
            nearest, at = 200, -1
            for index in range(4):
                distance = card - ends[index]
                if distance < 0:
                    distance = lefts[index] - card
                if 0 < distance < nearest:
                    nearest, at = distance, index
            cost = self.begin(self.heads.index(min(self.heads)), card) if at < 0 else self.put(at, card)
            if card == mine:
                taken = cost
        return taken

    def put(self, at: int, card: int) -> int:
        """Place `card` at an end of a row, or take the row if it is full. Returns the heads it takes."""
        if self.sizes[at] == FULL:
            return self.begin(at, card)
        if card < self.lefts[at]:
            self.lefts[at] = card
        else:
            self.ends[at] = card
        self.sizes[at] += 1
        self.heads[at] += HEADS[card]
        return 0

    def begin(self, at: int, low: int) -> int:
        """Begin a row anew with `low`. Returns the heads of the old row."""
        taken = self.heads[at]
        self.lefts[at] = self.ends[at] = low
        self.sizes[at], self.heads[at] = 1, HEADS[low]
        return taken

    def choose(self, end: int, card: int, kind: str) -> int:
        """Place `card` in the row with this last card. Returns the heads it takes."""
        at = self.ends.index(end)
        return self.begin(at, card) if kind == "row" else self.put(at, card)

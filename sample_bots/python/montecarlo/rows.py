"""The games of four rows in which all seats play at the same time, or nearly so.

In the playouts everybody plays at random, and a low card takes the cheapest row. Wiser policies were tried: they allowed fewer
playouts, and the bot did not get better.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from hidden import Message, unseen
from tables import BothEnds, Table

PAIR_TURNS, LATE = 2, 0.04
"""In the nifty game random play soon tells little: PAIR_TURNS turns are played, then each card left costs LATE heads times its
number."""


class RowPlayouts:
    """The rest of a deal, in which everybody plays at random."""

    KINDS = ("draft", "card", "cards", "order", "row", "side")

    def __init__(self, match: Message, kind: str, view: Message) -> None:
        self.kind, self.seat, self.rows, self.played = kind, view["seat"], view["rows"], view["played"]
        self.table = BothEnds(view) if match["game"] == "professional" else Table(view)
        self.in_pairs = match["game"] == "nifty"
        self.mine: list[int] = view["hand"].copy()
        others = [seat for seat in range(match["seats"]) if seat != self.seat]
        # A seat that has shown its card while I am still asked for mine begins with that card.
        shown = dict(self.played) if kind == "card" else {}
        self.begin = [[shown[seat]] if seat in shown else [] for seat in others]
        self.hands = [view["hands"][seat] for seat in others] if "hands" in view else None
        self.unseen = unseen(match, view)

    def guess(self, random: Random) -> None:
        """Shuffle my hand, and let the others play random cards that they may have."""
        random.shuffle(self.mine)
        size = len(self.mine)
        if self.hands is not None:
            orders = [random.sample(hand, size) for hand in self.hands]
        else:
            hidden = random.sample(self.unseen, size * len(self.begin))
            orders = [begin + hidden[at * size : (at + 1) * size - len(begin)] for at, begin in enumerate(self.begin)]
        self.turns = list(zip(*orders, strict=True))
        """The cards of the others, by turn."""

    def heads(self, option: Any) -> float:
        """The heads I take until the end of the playout."""
        table, mine, taken = self.table.copy(), self.mine, 0
        if self.kind in ("card", "cards"):
            first = [option] if self.kind == "card" else option
            mine = mine.copy()
            for card in first:
                mine.remove(card)
            mine[:0] = first
        else:
            taken = self.finish_turn(table, option)
        if self.in_pairs:
            return taken + self.play_pairs(table, mine)
        for card, others in zip(mine, self.turns, strict=True):
            taken += table.lay(sorted((card, *others)), card)
        return taken

    def turn(self, option: Any) -> int:
        """The heads I take in this turn."""
        table = self.table.copy()
        if self.kind == "cards":
            return self.play_pair(table, sorted(option), 0)
        if self.kind != "card":
            return self.finish_turn(table, option)
        others = self.turns[0] if self.turns else ()
        return table.lay(sorted((option, *others)), option)

    def play_pairs(self, table: Table, mine: Sequence[int]) -> float:
        """Play the nifty turns: two cards of each seat, beginning with the seat that has the lowest one."""
        taken = LATE * sum(mine[2 * PAIR_TURNS :])
        for at in range(0, min(len(mine), 2 * PAIR_TURNS), 2):
            taken += self.play_pair(table, sorted(mine[at : at + 2]), at)
        return taken

    def play_pair(self, table: Table, own: Sequence[int], at: int) -> int:
        """Play such a turn: `own`, the lower card first, and the cards of the others from `at` on. Returns the heads I take."""
        taken = 0
        for pair in sorted([own, *map(sorted, zip(*self.turns[at : at + 2], strict=True))]):
            if pair is own:
                taken = table.lay(own[:1], own[0]) + table.lay(own[1:], own[1])
            else:
                table.lay(pair, 0)
        return taken

    def finish_turn(self, table: Table, option: int) -> int:
        """Place the open cards if I choose this row, side or order."""
        queue, taken = self.played, 0
        if self.kind == "order":
            queue = sorted(queue, key=lambda played: played[1] != option)
        else:
            (_, card), *queue = queue
            taken = table.choose(self.rows[option - 1][-1], card, self.kind)
        lowest = dict(sorted(queue, key=lambda played: -played[1]))
        # I go on; then the seats in the order of their lowest cards.
        for seat, card in sorted(queue, key=lambda played: (played[0] != self.seat, lowest[played[0]])):
            taken += table.lay((card,), card if seat == self.seat else 0)
        return taken

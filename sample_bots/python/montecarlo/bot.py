"""Deals the cards it cannot see to the others by chance, plays the rest of the deal, and does so a few thousand times.

In these playouts everybody plays by chance, and a low card takes the cheapest row. Wiser policies were tried: the playouts
became fewer, and the bot no better.
"""

from bisect import bisect
from random import Random
from time import monotonic

from bullring_bot import Bot, Message, Option, run

FULL = 5
GAMES = {"standard", "tactics", "online"}
HEADS = [7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1 for c in range(105)]

SHARE, MOST, MARGIN = 0.4, 2.0, 0.01
"""How much of a limit is used, how many seconds at most, and how many are always left: other programs want to run, too."""

Table = tuple[list[int], list[int], list[int]]
"""Of each row its last card, its number of cards and its heads, in the order of the last cards."""


class MonteCarlo(Bot):
    """Plays what took the fewest heads until the end of the deal, on average of all playouts."""

    name = "montecarlo"

    def welcome(self, message: Message) -> None:
        """Note what the hidden cards depend on."""
        self.random = Random(message["seed"])
        self.knows_the_game = message["game"] in GAMES
        self.others = message["seats"] - 1
        all_dealt = message["game"] == "tactics" or message["options"].get("tactics")
        self.deck = range(1, 10 * message["seats"] + 5 if all_dealt else 105)

    def decide(self, message: Message) -> Option:
        """The best option of a card or row decision; in games it does not know the first one, which is always safe."""
        options = message["options"]
        if not self.knows_the_game or message["kind"] not in ("card", "row") or len(options) == 1:
            return options[0]
        view, limit = message["view"], message["time"]["limit_us"] / 1e6
        # After a fault the clock of this question may have run for long before it was read: catch up first.
        budget = 0 if message.get("fault") else min(SHARE * limit, limit - MARGIN, MOST)
        deadline = monotonic() + budget
        table = sorted_table(view)
        if message["kind"] == "card":
            return self.best({card: (0, table, card) for card in options}, view, deadline)
        return self.best({row: (*after_taking(table, row, view), None) for row in options}, view, deadline)

    def best(self, lines: dict[int, tuple[int, Table, int | None]], view: Message, deadline: float) -> int:
        """The best of `lines`, which give for each option the heads it takes now, the table after it and the card to play."""
        hand, others = view["hand"], self.others
        seen = set(hand).union(*view["rows"], *view["piles"], (card for _, card in view["played"]))
        unseen = [card for card in self.deck if card not in seen]
        totals = dict.fromkeys(lines, 0)
        while True:
            # All options meet the same hidden cards, so that their differences owe less to luck.
            hidden = self.random.sample(unseen, others * len(hand))
            self.random.shuffle(hand)
            for option, (heads, table, first) in lines.items():
                mine = [first, *(card for card in hand if card != first)] if first else hand
                totals[option] += heads + playout(table, mine, hidden, others)
            if monotonic() >= deadline or not hand:
                return min(totals, key=totals.__getitem__)


def sorted_table(view: Message) -> Table:
    """The rows of a view. Their places do not matter to the cards, and in this order a row is found by bisection."""
    rows = sorted(zip(view["rows"], view["row_heads"], strict=True), key=lambda row: row[0][-1])
    return [row[-1] for row, _ in rows], [len(row) for row, _ in rows], [heads for _, heads in rows]


def after_taking(table: Table, row: int, view: Message) -> tuple[int, Table]:
    """The heads of `row` (1..4), and the table when my card has begun it anew and the others of the turn are placed."""
    ends, sizes, heads = (column.copy() for column in table)
    (_, low), *later = view["played"]
    taken = begin_anew(ends, sizes, heads, ends.index(view["rows"][row - 1][-1]), low)
    place(ends, sizes, heads, [card for _, card in later], low)
    return taken, (ends, sizes, heads)


def playout(table: Table, mine: list[int], hidden: list[int], others: int) -> int:
    """The heads I take if my cards come in the order of `mine`, and in each turn the next `others` of `hidden`."""
    ends, sizes, heads = table[0].copy(), table[1].copy(), table[2].copy()
    taken = at = 0
    for card in mine:
        taken += place(ends, sizes, heads, [card, *hidden[at : at + others]], card)
        at += others
    return taken


def place(ends: list[int], sizes: list[int], heads: list[int], cards: list[int], mine: int) -> int:
    """Place the cards of a turn. Returns the heads that `mine` takes. Nearly all the time is spent here."""
    taken = 0
    for card in sorted(cards):
        at = bisect(ends, card) - 1
        if at < 0:
            cost = begin_anew(ends, sizes, heads, heads.index(min(heads)), card)
            if card == mine:
                taken = cost
        elif sizes[at] == FULL:
            if card == mine:
                taken = heads[at]
            ends[at], sizes[at], heads[at] = card, 1, HEADS[card]
        else:
            ends[at] = card
            sizes[at] += 1
            heads[at] += HEADS[card]
    return taken


def begin_anew(ends: list[int], sizes: list[int], heads: list[int], at: int, low: int) -> int:
    """Replace a row by `low`, which is now the lowest end. Returns the heads of the old row."""
    del ends[at], sizes[at]
    taken = heads.pop(at)
    ends.insert(0, low)
    sizes.insert(0, 1)
    heads.insert(0, HEADS[low])
    return taken


if __name__ == "__main__":
    run(MonteCarlo())

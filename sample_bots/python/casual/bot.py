"""Plays as if its card were placed at once: looks at the rows, and forgets that the others play a card as well."""

from bullring_bot import Message, run
from greedy import Greedy
from rows import Rows

GAP = 0.05
"""Heads for each number between the card and the end of its row: a near card looks safe."""


class Casual(Greedy):
    """Counts no cards. Decides everything but cards as greedy does."""

    name = "casual"

    def prices(self, view: Message) -> dict[int, float]:
        """For each card in the hand, the heads it would take now, and a little for the gap to its row."""
        rows = Rows(view, both_ends=self.game == "professional")
        prices = {}
        for card in view["hand"]:
            cost, _, gap = rows.price_at_once(card)
            prices[card] = cost + GAP * gap
        return prices


if __name__ == "__main__":
    run(Casual())

"""Plays the card that a small network likes best. It was trained by playing against itself and greedy; see README.md.

Copies of greedy's files decide what the network was not trained for.
"""

import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads would cost more than they gain, and count as processes

import numpy as np
from bullring_bot import Message, run
from greedy import Greedy
from network import HIGHEST, Hands, load, look

GAMES = ("standard", "tactics", "logic", "tournament", "online")
"""The games whose cards are chosen by the network. Where hands are known, it is told no more than which cards are in them."""


class Quick(Greedy):
    """One look at the table and one pass through the network. Decides everything but cards of these games as greedy does."""

    name = "quick"

    def __init__(self) -> None:
        self.networks = load(Path(__file__).with_name("weights.npz"))

    def on_card(self, view: Message, options: list[int]) -> int:
        """The card for which the network expects the fewest heads, less those of the others, to the end of the deal."""
        if self.game not in GAMES:
            return super().on_card(view, options)
        state, cards = look(self.hands(view))
        return view["hand"][int(self.networks[self.seats].values(state, cards).argmin())]

    def hands(self, view: Message) -> Hands:
        """The inputs of the network for a view: one hand."""
        unseen = np.zeros((1, HIGHEST + 1), dtype=bool)
        unseen[0, list(self.deck)] = True
        for cards in (view["hand"], *view["rows"], *view["piles"]):
            unseen[0, cards] = False
        rows = sorted(zip(view["rows"], view["row_heads"], strict=True), key=lambda row: row[0][-1])
        figures = [[row[-1] for row, _ in rows], [len(row) for row, _ in rows], [heads for _, heads in rows]]
        return Hands(self.seats, np.array([view["hand"]]), unseen, *np.array(figures)[:, None])


if __name__ == "__main__":
    run(Quick())

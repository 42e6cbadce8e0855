"""Plays like greedy with a vague idea of how dangerous its cards are."""

from random import Random

from bullring_bot import Message, run
from greedy import Greedy

BLUR = 3.0
"""Standard deviation of a misjudgement, in heads: about as much as a row holds."""


class Beginner(Greedy):
    """Misjudges each card anew in each turn. Decides everything but cards as greedy does."""

    name = "beginner"

    def welcome(self, message: Message) -> None:
        """Seed the misjudgements from the match, so that the same match can be played again."""
        super().welcome(message)
        self.random = Random(message["seed"])

    def prices(self, view: Message) -> dict[int, float]:
        """For each card in the hand, the heads it is expected to take, misjudged."""
        return {card: self.random.gauss(price, BLUR) for card, price in super().prices(view).items()}


if __name__ == "__main__":
    run(Beginner())

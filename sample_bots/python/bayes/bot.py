"""Flat Monte-Carlo with an opponent model: the hidden cards are dealt by what the rivals have played so far.

Whoever plays a dangerous card probably has no safe one. So each card that a rival plays says something of the others in its
hand. By Bayes' rule, and taking each card by itself (naive Bayes), a card x is the less likely in the hand of a rival the
surer it would have been preferred to the card y that was played:

    P(plays y | has x and y) = 1 / (1 + exp((price(y) - price(x)) / TEMPERATURE))

where prices are those of greedy, in heads. The product over all turns weighs x when the rival's hand is dealt. Everything
else is as in the bot prior, of which prior.py is a copy.
"""

from math import exp, log

import numpy as np
from bullring_bot import Message, Option, run
from playouts import RowPlayouts
from prior import Prior

TEMPERATURE = 1.5
"""Heads that a rival is taken to misjudge: the lower, the more its cards are believed."""


class Bayes(Prior):
    """Believes that its rivals avoid heads, more or less."""

    name = "bayes"

    def welcome(self, message: Message) -> None:
        """Begin without any opinion."""
        super().welcome(message)
        self.prices_then: dict[int, float] = {}
        self.opinions: list[dict[int, float]] = [{} for _ in range(self.seats)]
        """By seat, the logarithm of the weight of each hidden card."""

    def decide(self, message: Message) -> Option:
        """Learn from what has happened, and decide."""
        for event in message["events"]:
            if event["type"] == "deal":
                self.opinions = [{} for _ in range(self.seats)]
            elif event["type"] == "play":
                self.learn(event["cards"])
        return super().decide(message)

    def learn(self, played: list[int]) -> None:
        """Weigh all hidden cards by the cards that were played, by seat."""
        then, self.prices_then = self.prices_then, {}
        for card, weights in zip(played, self.opinions, strict=True):
            for other, price in then.items():
                if card in then:
                    doubt = 1 / (1 + exp((then[card] - price) / TEMPERATURE))
                    weights[other] = weights.get(other, 0.0) + log(doubt)

    def judged(self, view: Message, cards: list[int]) -> dict[int, float]:
        """As in prior; the prices are kept until it is known what was played."""
        found = super().judged(view, cards)
        self.prices_then = {card: -log(chance) for card, chance in found.items()}
        return found

    def weights(self, rival: int, playouts: RowPlayouts) -> np.ndarray:
        """By what it has played so far."""
        seat = rival + (rival >= playouts.seat)  # rivals are counted without me
        return np.array([self.opinions[seat].get(card, 0.0) for card in playouts.unseen])


if __name__ == "__main__":
    run(Bayes())

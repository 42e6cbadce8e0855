"""Flat Monte-Carlo with a prior: playouts go where a rough judgement expects the best card, and correct it where it errs.

A playout deals the hidden cards at random and plays the deal to its end, by chance. Which option is played out next is decided
by the rule PUCT (Rosin, "Multi-armed bandits with episode context", 2011), as in AlphaZero, but without a tree: a good mean so
far, and a good judgement that few playouts have tested yet. The judgement is greedy's price of a card. It serves twice: the card
that each rival plays next is drawn by it, too. Later cards are drawn by chance.

The time goes into playouts, so what stands between them is done for many at once: the deals (by numpy) and the choice of options.
"""

import os
from math import exp, sqrt
from time import monotonic, process_time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads would cost more than they gain, and count as processes

import numpy as np
from bullring_bot import Message, Option, run
from greedy import Greedy
from playouts import RowPlayouts
from rows import Rows

GAMES = {"standard", "tactics", "logic", "tournament", "professional", "open", "double", "online"}
"""The games whose cards are searched for. Everything else is decided as greedy does."""

SHARE, MOST, MARGIN = 0.4, 2.0, 0.01
"""Share of the limit to use, most seconds to use, and seconds always left as a margin for other programs."""

TEMPERATURE = 1.0
"""Heads by which a card must be better to be e times as likely."""

CURIOSITY = 8.0
"""Heads that the judgement is worth before the first playouts."""

DEALS, IN_A_ROW = 64, 4
"""Deals made at once, and playouts of an option before the next one is chosen."""


Deal = tuple[list[int], list[list[int]]]
"""My hand and the cards of the rivals by turn, in the order in which they are played."""


class Prior(Greedy):
    """Searches for the card to play."""

    name = "prior"

    def welcome(self, message: Message) -> None:
        """Remember the match."""
        super().welcome(message)
        self.match = message
        self.random = np.random.default_rng(message["seed"])
        # Processor time shows what the referee's clock shows: it stands while this bot is frozen and while others have its core.
        self.time = process_time if message.get("clock") == "core" else monotonic

    def decide(self, message: Message) -> Option:
        """Set the time aside, and decide."""
        self.begin, limit = self.time(), message["time"]["limit_us"] / 1e6
        # After a fault, the clock of this question may have run for a long time before it was read: answer at once.
        self.budget = 0 if message.get("fault") else max(0, min(SHARE * limit, limit - MARGIN, MOST))
        return super().decide(message)

    def on_card(self, view: Message, options: list[int]) -> int:
        """The card that was played out most often."""
        if self.game not in GAMES or len(options) == 1 or not self.budget:
            return super().on_card(view, options)
        playouts = RowPlayouts(self.match, "card", view)
        known = [card for hand in playouts.hands or [] for card in hand]
        judged = self.judged(view, [*options, *playouts.unseen, *known])
        total = sum(judged[card] for card in options)
        prior = [judged[card] / total for card in options]
        visits, heads = [0] * len(options), [0.0] * len(options)
        deals: list[Deal] = []
        while self.time() - self.begin < self.budget:
            played = sum(visits)
            mean = sum(heads) / max(played, 1)
            reach = CURIOSITY * sqrt(played + 1)

            def hope(at: int, mean: float = mean, reach: float = reach) -> float:
                """The fewest heads that this option may still turn out to take."""
                return (heads[at] / visits[at] if visits[at] else mean) - reach * prior[at] / (1 + visits[at])

            at = min(range(len(options)), key=hope)
            if visits[at] == len(deals):
                deals += self.deals(playouts, judged)
            # The nth playouts of all options share the nth deal, so they share their luck.
            for playouts.mine, playouts.turns in deals[visits[at] : visits[at] + IN_A_ROW]:
                heads[at] += playouts.heads(options[at])
            visits[at] += IN_A_ROW
        return options[max(range(len(options)), key=lambda at: (visits[at], prior[at]))]

    def judged(self, view: Message, cards: list[int]) -> dict[int, float]:
        """The likelihood that each card is played next by its owner, up to a factor."""
        rows, others = Rows(view, both_ends=self.game == "professional"), self.others(view)
        return {card: exp(-rows.expected_heads(card, others) / TEMPERATURE) for card in set(cards)}

    def deals(self, playouts: RowPlayouts, judged: dict[int, float]) -> list[Deal]:
        """Deal the hidden cards many times. Each rival begins with a card drawn by the prior unless it has shown its card."""
        chances = np.zeros(max(judged) + 1)
        chances[list(judged)] = list(judged.values())
        unseen, size = np.array(playouts.unseen), len(playouts.mine)
        free = np.zeros((DEALS, len(unseen)))  # minus infinity for cards that are dealt
        orders = np.empty((DEALS, size, len(playouts.begin)), dtype=np.int64)
        for at in self.random.permutation(len(playouts.begin)):  # the first one gets more of what suits it
            shown = playouts.begin[at]
            if playouts.hands is None:
                count = size - len(shown)
                # The cards with the highest keys are a sample without replacement (Efraimidis and Spirakis, 2006).
                keys = free + self.weights(at, playouts) + self.random.gumbel(size=free.shape)
                dealt = keys.argpartition(-count, axis=1)[:, -count:]
                np.put_along_axis(free, dealt, -np.inf, axis=1)
                hands = unseen[dealt]
            else:
                hands = np.tile(playouts.hands[at], (DEALS, 1))
            order = self.random.random(hands.shape)
            if not shown:
                first = (np.log(chances[hands]) + self.random.gumbel(size=hands.shape)).argmax(axis=1)
                order[np.arange(DEALS), first] = -1
            orders[:, : len(shown), at] = shown
            orders[:, len(shown) :, at] = np.take_along_axis(hands, order.argsort(axis=1), axis=1)
        mine = self.random.permuted(np.tile(playouts.mine, (DEALS, 1)), axis=1)
        return list(zip(mine.tolist(), orders.tolist(), strict=True))

    def weights(self, rival: int, playouts: RowPlayouts) -> float | np.ndarray:
        """The logarithm of how likely a rival is to have each unseen card, up to a constant: here they are all alike."""
        return 0.0


if __name__ == "__main__":
    run(Prior())

"""Flat Monte-Carlo with a prior: playouts go where a rough judgement expects the best card, and correct it where it errs.

A playout deals the hidden cards at random and plays the deal to its end, by chance. Which option is played out next is decided
by the rule PUCT (Rosin, "Multi-armed bandits with episode context", 2011), as in AlphaZero, but without a tree: a good mean so
far, and a good judgement that few playouts have tested yet. The judgement is greedy's price of a card. It serves twice: the card
that each rival plays next is drawn by it, too. Later cards are drawn by chance.
"""

from math import exp, sqrt
from random import Random
from time import monotonic, process_time

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


class Guess:
    """Hidden cards as one guess dealt them. The nth playouts of all options share the nth guess, so they share their luck."""

    def __init__(self, playouts: RowPlayouts) -> None:
        self.mine, self.turns = playouts.mine.copy(), playouts.turns

    def heads(self, playouts: RowPlayouts, option: Option) -> float:
        """The heads I take to the end of the deal with this option."""
        playouts.mine, playouts.turns = self.mine, self.turns
        return playouts.heads(option)


class Prior(Greedy):
    """Searches for the card to play."""

    name = "prior"

    def welcome(self, message: Message) -> None:
        """Remember the match."""
        super().welcome(message)
        self.match = message
        self.random = Random(message["seed"])
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
        judged = self.judged(
            view, [*options, *playouts.unseen, *(card for hand in playouts.hands or [] for card in hand)]
        )
        total = sum(judged[card] for card in options)
        prior = [judged[card] / total for card in options]
        visits, heads = [0] * len(options), [0.0] * len(options)
        guesses: list[Guess] = []
        while self.time() - self.begin < self.budget:
            played = sum(visits)
            mean = sum(heads) / max(played, 1)
            reach = CURIOSITY * sqrt(played + 1)

            def hope(at: int, mean: float = mean, reach: float = reach) -> float:
                """The fewest heads that this option may still turn out to take."""
                return (heads[at] / visits[at] if visits[at] else mean) - reach * prior[at] / (1 + visits[at])

            at = min(range(len(options)), key=hope)
            if visits[at] == len(guesses):
                self.guess(playouts, judged)
                guesses.append(Guess(playouts))
            heads[at] += guesses[visits[at]].heads(playouts, options[at])
            visits[at] += 1
        return options[max(range(len(options)), key=lambda at: (visits[at], prior[at]))]

    def judged(self, view: Message, cards: list[int]) -> dict[int, float]:
        """How likely cards are to be played next by whoever has them, up to a factor."""
        rows, others = Rows(view, both_ends=self.game == "professional"), self.others(view)
        return {card: exp(-rows.expected_heads(card, others) / TEMPERATURE) for card in set(cards)}

    def guess(self, playouts: RowPlayouts, judged: dict[int, float]) -> None:
        """Deal the hidden cards, and let each rival begin with a card drawn by the prior unless it has shown its card."""
        self.deal(playouts)
        begin = []
        for shown, hand in zip(playouts.begin, zip(*playouts.turns, strict=True), strict=True):
            cards = list(hand)
            if not shown:
                (first,) = self.random.choices(range(len(cards)), [judged[card] for card in cards])
                cards[0], cards[first] = cards[first], cards[0]
            begin.append(cards)
        playouts.turns = list(zip(*begin, strict=True))

    def deal(self, playouts: RowPlayouts) -> None:
        """Deal the hidden cards by chance."""
        playouts.guess(self.random)


if __name__ == "__main__":
    run(Prior())

"""Deals the cards it cannot see to the others at random and plays the rest of the deal, a few thousand times."""

from collections.abc import Sequence
from random import Random
from time import monotonic, process_time
from typing import Protocol

from bullring_bot import Bot, Message, Option, run
from eleven import ElevenPlayouts
from hand import HandPlayouts
from rows import RowPlayouts

GAMES = dict.fromkeys(
    ("standard", "tactics", "logic", "tournament", "professional", "open", "nifty", "double", "online"), RowPlayouts
) | {"hand": HandPlayouts, "eleven": ElevenPlayouts}

SHARE, MOST, MARGIN = 0.4, 2.0, 0.01
"""Share of the limit to use, most seconds to use, and seconds always left as a margin for other programs."""


class Playouts(Protocol):
    """The playouts for one question, in any of the games."""

    def guess(self, random: Random) -> None:
        """Deal the hidden cards at random."""

    def heads(self, option: Option) -> float:
        """The heads I take until the end of the deal if the cards are as guessed and I choose `option`."""


class MonteCarlo(Bot):
    """Plays the option that took the fewest heads until the end of the deal, averaged over all playouts."""

    name = "montecarlo"

    def welcome(self, message: Message) -> None:
        """Remember the match."""
        self.match = message
        self.random = Random(message["seed"])
        # Processor time shows what the referee's clock shows: it stands while this bot is frozen and while others have its core.
        self.time = process_time if message.get("clock") == "core" else monotonic

    def decide(self, message: Message) -> Option:
        """Return the best option; in unknown games and kinds the first one, which is always legal."""
        options, kind, limit = message["options"], message["kind"], message["time"]["limit_us"] / 1e6
        game = GAMES.get(self.match["game"])
        if game is None or kind not in game.KINDS or len(options) == 1:
            return options[0]
        if kind == "draft":
            return max(options)  # random playouts tell little about later choices; high cards do well in every deal
        # After a fault, the clock of this question may have run for a long time before it was read: answer at once.
        budget = 0 if message.get("fault") else max(0, min(SHARE * limit, limit - MARGIN, MOST))
        playouts = game(self.match, kind, message["view"])
        if kind == "cards":  # far too many pairs: first find the better half of the cards, then try their pairs
            budget /= 2
            singles = [[card] for card in message["view"]["hand"]]
            good = {card for (card,) in self.best(singles, playouts, budget, len(singles) // 2)}
            options = [pair for pair in options if good.issuperset(pair)]
        return self.best(options, playouts, budget, 1)[0]

    def best(self, options: Sequence[Option], playouts: Playouts, budget: float, wanted: int) -> list[Option]:
        """The `wanted` options with the fewest heads. After each part of the time, the worse half is dropped."""
        begin, totals = self.time(), dict.fromkeys(range(len(options)), 0.0)
        parts = max(1, (len(options) // wanted - 1).bit_length())
        for part in range(1, parts + 1):
            while True:
                # All options are tried against the same hidden cards, so that their differences owe less to luck.
                playouts.guess(self.random)
                for index in totals:
                    totals[index] += playouts.heads(options[index])
                if self.time() - begin >= budget * part / parts:
                    break
            ranking = sorted(totals, key=totals.__getitem__)
            left = wanted if part == parts else max(wanted, (len(ranking) + 1) // 2)
            totals = {index: totals[index] for index in ranking[:left]}
        return [options[index] for index in totals]


if __name__ == "__main__":
    run(MonteCarlo())

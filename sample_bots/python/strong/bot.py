"""Plays the deal to its end for every option, with compiled playouts, and spends its time where the decision is hard.

* ``python bot.py``: as many playouts as the time allows;
* ``python bot.py --playouts 1000``: 1000 for each option, and the same answers to the same questions on every machine.
"""

import argparse
import math
from time import monotonic, process_time

import kernels  # noqa: F401  # before whatever is compiled
from bullring_bot import Bot, Message, Option, run
from games import GAMES, warm_up
from search import best
from simulator.chance import streams

SHARE, SHARE_OF_WALL = 0.6, 0.5
"""Share of the limit to use at most: by processor time, and by a clock that also runs while others have the core."""

MARGIN, MOST = 0.01, 5.0
"""Seconds always left as a margin, and most seconds to use."""


class Strong(Bot):
    """Plays the option with which it takes the fewest heads until the end of the deal, measured against its rivals."""

    name = "strong"

    def __init__(self, playouts: int = 0) -> None:
        self.fixed = playouts

    def welcome(self, message: Message) -> None:
        """Remember the match."""
        self.match = message
        self.chance = streams(message["seed"], 0, 1)
        # Processor time shows what the referee's clock shows: it stands while this bot is frozen and while others have its core.
        on_core = message.get("clock") == "core"
        self.time, self.share = (process_time, SHARE) if on_core else (monotonic, SHARE_OF_WALL)

    def decide(self, message: Message) -> Option:
        """Return the best option; in unknown games and kinds the first one, which is always legal."""
        begin = self.time()
        options, kind = message["options"], message["kind"]
        kinds, question = GAMES.get(self.match["game"], ((), None))
        if kind == "draft":
            return max(options)  # playouts tell little about later choices; high cards do well in every deal
        if question is None or kind not in kinds or len(options) == 1:
            return options[0]
        limit = message["time"]["limit_us"] / 1e6
        # After a fault, the clock of this question may have run for a long time before it was read: answer at once.
        budget = 0 if message.get("fault") else min(self.share * limit, limit - MARGIN, MOST)

        def spent(playouts: int) -> float:
            if self.fixed:
                return playouts / self.fixed / len(options)
            return (self.time() - begin) / budget if budget > 0 else math.inf

        return options[best(question(self.match, kind, message["view"], options), len(options), self.chance, spent)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The bot strong.")
    parser.add_argument("--playouts", type=int, default=0, metavar="N", help="playouts an option, instead of time")
    fixed = parser.parse_args().playouts
    warm_up()  # before the hello, so that it is on no clock
    run(Strong(fixed))

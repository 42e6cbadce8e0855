"""Plays against players that were watched: in its playouts the others play as these did, by the weights in response.npz."""

import math
from pathlib import Path
from time import monotonic, process_time

import kernels  # noqa: F401  # before whatever is compiled
import numpy as np
import search
from bullring_bot import Bot, Message, Option, run
from simulator import GAMES, playouts, position
from simulator.chance import below, streams

PLAYOUTS = 400
"""Playouts of each option, on average; so the same questions have the same answers wherever there is time for them."""

KINDS = ("card", "row", "side")

SHARE, MARGIN = 0.5, 0.01
"""Share of the limit to use at most, and seconds always left."""

VIEW = {
    "seat": 0,
    "turn": 9,
    "hand": [5, 6],
    "rows": [[1], [2], [3], [4]],
    "row_heads": [1] * 4,
    "played": [],
    "piles": [[], []],
}

search.RIVALS = 1.0  # a head of theirs is worth as much as one of mine


class Question:
    """A decision, for the search."""

    def __init__(self, match: Message, message: Message, weights: np.ndarray) -> None:
        view, seats = message["view"], match["seats"]
        self.seat = view["seat"]
        self._position = position(match["game"], match["options"], seats, view, message["kind"])
        self._options = message["options"]
        self._weights = weights
        # I go on as well as I can without a search, the others as they were seen to play.
        self._policies = ["sharp" if seat == self.seat else "fitted" for seat in range(seats)]

    def playouts(self, options: np.ndarray, count: int, chance: np.ndarray) -> np.ndarray:
        """The heads that everybody takes, by playout, by place in `options` and by seat."""
        chosen, seed = [self._options[at] for at in options], below(chance, 1 << 30)
        return playouts(self._position, chosen, self._policies, count, seed, weights=self._weights)


class Response(Bot):
    """A best response, as far as playouts find it."""

    def __init__(self) -> None:
        with np.load(Path(__file__).with_name("response.npz"), allow_pickle=False) as kept:
            self.name = str(kept["name"])
            self.weights = kept["weights"]

    def welcome(self, message: Message) -> None:
        """Remember the match."""
        self.match = message
        self.chance = streams(message["seed"], 0, 1)
        self.time = process_time if message.get("clock") == "core" else monotonic

    def decide(self, message: Message) -> Option:
        """Return the best option; in games and kinds that playouts do not cover the first one, which is always legal."""
        begin = self.time()
        options, kind = message["options"], message["kind"]
        if self.match["game"] not in GAMES or kind not in KINDS or len(options) == 1:
            return options[0]
        question = Question(self.match, message, self.weights)
        limit = message["time"]["limit_us"] / 1e6
        budget = 0 if message.get("fault") else min(SHARE * limit, limit - MARGIN)

        def spent(count: int) -> float:
            over = (self.time() - begin) / budget if budget > 0 else math.inf
            return max(count / PLAYOUTS / len(options), over)

        return options[search.best(question, len(options), self.chance, spent)]


if __name__ == "__main__":
    response = Response()
    response.welcome({"game": "standard", "options": {}, "seats": 2, "seed": 0})
    response.decide({"kind": "card", "options": [5, 6], "view": VIEW, "time": {"limit_us": 1000000}})
    run(response)  # and the kernels are loaded before the hello, so that this is on no clock

"""The games of four rows that the simulator covers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hidden import Message
from numpy.typing import NDArray
from simulator import playouts, position
from simulator.chance import below

KINDS = ("card", "row", "side")

NOISE = 6.0
"""Temperature of the policy that everybody plays by in playouts, in heads: sensible on the whole, with much left to chance, for
what others do is anybody's guess."""


class Rows:
    """A question of these games."""

    def __init__(self, match: Message, kind: str, view: Message, options: Sequence[Any]) -> None:
        self.position = position(match["game"], match["options"], match["seats"], view, kind)
        self.seat = view["seat"]
        self.options = np.array(options)
        # Where all hands lie open, play by chance tells more.
        self.policy = "random" if self.position.known.any() else "noisy"

    def playouts(self, options: NDArray[np.int64], count: int, chance: NDArray[np.int64]) -> NDArray[np.int64]:
        """The heads that everybody takes, by playout, by place in `options` and by seat."""
        seed = below(chance, 1 << 30)
        return playouts(self.position, self.options[options].tolist(), self.policy, count, seed, noise=NOISE)

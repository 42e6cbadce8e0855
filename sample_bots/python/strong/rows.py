"""The games of four rows that the simulator covers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from bullring_bot import Message
from numpy.typing import NDArray
from simulator import playouts, position
from simulator.chance import below

KINDS = ("card", "row", "side")


class Rows:
    """A question of these games."""

    def __init__(self, match: Message, kind: str, view: Message, options: Sequence[Any]) -> None:
        self.position = position(match["game"], match["options"], match["seats"], view, kind)
        self.seat = view["seat"]
        self.options = np.array(options)
        # I go on as well as I can, the others as a search like mine would.
        self.policies = ["sharp" if seat == self.seat else "trained" for seat in range(match["seats"])]
        if self.position.known.any():
            self.policies = ["random"] * match["seats"]  # where all hands lie open, play by chance tells more

    def playouts(self, options: NDArray[np.int64], count: int, chance: NDArray[np.int64]) -> NDArray[np.int64]:
        """The heads that everybody takes, by playout, by place in `options` and by seat."""
        seed = below(chance, 1 << 30)
        return playouts(self.position, self.options[options].tolist(), self.policies, count, seed)

    def takes(self, count: int, chance: NDArray[np.int64]) -> list[float]:
        """By option, the share of playouts in which I take heads in this turn."""
        seed = below(chance, 1 << 30)
        heads = playouts(self.position, self.options.tolist(), self.policies, count, seed, turn_only=True)
        return (heads[:, :, self.seat] > 0).mean(0).tolist()

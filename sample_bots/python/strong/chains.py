"""The games whose moves are chains of choices, hand, nifty and eleven, by the playouts of the simulator."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from bullring_bot import Message
from numpy.typing import NDArray
from simulator.chains import chain, follow, kinds
from simulator.chance import below

KINDS = {game: kinds(game) for game in ("hand", "nifty", "eleven")}
"""By game, the kinds of its questions."""


class Chains:
    """A question of these games."""

    def __init__(self, match: Message, kind: str, view: Message, options: Sequence[Any]) -> None:
        self.seat, self.options = view["seat"], range(len(options))
        self.position = chain(match["game"], match["options"], match["seats"], view, kind, self.seat)

    def playouts(self, options: NDArray[np.int64], count: int, chance: NDArray[np.int64]) -> NDArray[np.int16]:
        """The heads that everybody takes, by playout, by place in `options` and by seat."""
        return follow(self.position, options.tolist(), "skilled", np.arange(count), below(chance, 1 << 30))

    def takes(self, count: int, chance: NDArray[np.int64]) -> Sequence[float | None]:
        """By option, the share of playouts in which I take heads in this turn; None in games without turns of all seats."""
        if self.position.game != "nifty":
            return [None] * len(self.options)
        seed = below(chance, 1 << 30)
        heads = follow(self.position, self.options, "skilled", np.arange(count), seed, turn_only=True)
        return (heads[:, :, self.seat] > 0).mean(0).tolist()

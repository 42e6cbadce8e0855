"""What chains of choices have in common: the first places of a state, and how a policy chooses."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chance import fraction, shuffle
from .jit import helper, inlined
from .table import copy

Numbers = NDArray[np.int64]

KIND, MOVER, SEATS = range(3)
"""The first places of a state: the kind of decision that is pending, the seat that makes it, and the number of seats."""

RANDOM, CHEAPEST, NOISY, SKILLED = range(4)
"""The policies."""

NOISE = 0.15
"""The share of random choices in the policy noisy."""


class Luck(NamedTuple):
    """What a kernel draws from."""

    pool: Numbers
    """As many numbers as there are hidden cards."""
    chance: Numbers
    """The stream, and nothing else."""


def player(kernel: Callable[..., None], length: int, table: int = 0) -> Callable[..., None]:
    """What fills in `chains.Course` by the kernel of a game, whose states have this length. It may need a table of its own, too."""

    def play(
        position: Any,
        policy: int,
        of_rows: int,
        picks: Numbers,
        starts: Numbers,
        luck: Luck,
        heads: NDArray[np.int16],
        cards: NDArray[np.int16],
        choices: NDArray[np.int16],
    ) -> None:
        spare = np.zeros((2, length), np.int64), np.zeros(table, np.int64)
        given = position.state, position.hidden, position.gaps, position.drawn, position.seat
        kernel(*given, policy, picks, starts, luck, spare, heads, cards, choices)

    return play


@inlined
def draw(hidden: Numbers, drawn: int, luck: Luck) -> None:
    """Fill the pool with the hidden cards, of which so many are drawn."""
    copy(luck.pool, hidden)
    shuffle(luck.chance, luck.pool, drawn)


@inlined
def at_random(policy: int, chance: Numbers) -> bool:
    """Whether the policy chooses any option this time, and not what the referee would play."""
    return bool(policy == RANDOM or (policy == NOISY and fraction(chance) < NOISE))


@helper
def note(choices: NDArray[np.int16], step: int, count: int, pick: int) -> None:
    """Tell a choice, if it is asked for and there is room."""
    if step < len(choices):
        choices[step, 0] = count
        choices[step, 1] = pick

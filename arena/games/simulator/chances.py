"""The probabilities of a policy's choices in a position."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .games import BOTH_ENDS, policy_numbers
from .jit import kernel
from .policies import GREEDY, RANDOM, SHARP, SHARPER, choose, count_lower
from .positions import Position
from .table import Table, cheapest, goes_to, new_table


@kernel
def _costs(
    policy: int, rule: int, table: Table, seat: int, left: int, shown: int, others: int, chance: NDArray[np.int64]
) -> int:
    """Fill in the costs of all cards by the policy's estimate. Returns the place of the card with the lowest cost."""
    count_lower(table)
    return choose(policy, 0.0, rule, table, seat, left, shown, others, chance)


def chances(position: Position, options: Sequence[int], policy: str, *, noise: float = 1.0) -> NDArray[np.float64]:
    """The probabilities with which the policy chooses each of `options`, which are all that are legal.

    `noise` is the temperature of the policies that leave something to chance, in heads. Raises `ValueError` for an unknown policy.
    """
    number = int(policy_numbers(policy, 1)[0])
    if position.kind != "card":
        return np.array([option == _row(position) for option in options], np.float64)
    hand = position.hand
    if number == RANDOM:
        found = np.full(len(hand), 1 / len(hand))
    else:
        table = new_table(position.spec.seats, len(hand))
        table.rows[:] = position.rows.ravel()
        table.hands[position.seat] = hand
        table.queue[: len(position.queue)] = position.queue
        table.unseen[:] = position.unseen
        shown = len(position.queue)
        others = position.spec.seats - 1 - shown
        chance = np.zeros(1, np.int64)  # not drawn from
        best = _costs(number, position.spec.rule, table, position.seat, len(hand), shown, others, chance)
        if number <= GREEDY or noise <= 0.0:
            found = (np.arange(len(hand)) == best).astype(np.float64)
        else:
            found = np.exp((table.costs.min() - table.costs) / (noise * SHARPER if number == SHARP else noise))
            found /= found.sum()
    return np.array([found[hand == option].sum() for option in options])


def _row(position: Position) -> int:
    """The row (1..4) that every policy chooses."""
    rows = position.rows.ravel()
    if position.kind == "row":
        return 1 + int(cheapest(rows))
    return 1 + int(goes_to(BOTH_ENDS, rows, int(position.queue[0]) >> 8))

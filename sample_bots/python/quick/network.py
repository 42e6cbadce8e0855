"""What the network looks at, and the network: numpy only, for one hand or for thousands of them at once.

The same code serves the bot, which asks about one hand, and the training (`train.py`), which asks about all hands of many tables.
"""

from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Cards = NDArray[np.int64]

CARD, STATE = 31, 58
"""The number of figures for each card, and for each table."""

HIGHEST, FULL, BUCKETS = 104, 5, 13
HEADS = np.array(
    [7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1 for c in range(105)]
)
HEADS[0] = 0
HEADS_OF_A_CARD = 171 / 104


@dataclass
class Hands:
    """Hands of equal size and what they can see. The first axis of all arrays are the hands."""

    seats: int
    cards: Cards
    """(hands, size): the cards in the hand, ascending."""
    unseen: NDArray[np.bool_]
    """(hands, 105): whether the card of this number may be in another hand."""
    ends: Cards
    """(hands, 4): the last cards of the rows, ascending."""
    lengths: Cards
    """(hands, 4): the number of cards in these rows, 1-5."""
    heads: Cards
    """(hands, 4): the heads in these rows."""


@cache
def chances(others: int) -> Array:
    """The chances that exactly `room` of the `others` play one of `gap` cards of `unseen`, and that more do.

    By (room, gap, unseen, exactly or more), if each of the others plays any unseen card.
    """
    share = np.arange(105)[:, None] / np.maximum(np.arange(105), 1)
    share = np.minimum(share, 1)
    exactly = np.array(
        [comb(others, k) * share**k * (1 - share) ** max(others - k, 0) for k in range(max(others, 4) + 1)]
    )
    more = np.array([exactly[room + 1 :].sum(axis=0) for room in range(FULL)])
    return np.stack([exactly[:FULL], more], axis=-1).astype(np.float32)


def prices(chance: Array, room: Cards, heads: Cards) -> Array:
    """The heads that cards are expected to take in this turn: those of the row when exactly `room` cards came before."""
    price: Array = (chance * (heads + room * HEADS_OF_A_CARD)).astype(np.float32)
    return price


def look(hands: Hands) -> tuple[Array, Array, Array]:
    """What the network is told: (hands, STATE) of the table, (hands, size, CARD) of each card; and the prices (hands, size)."""
    cards, ends, (count, size) = hands.cards, hands.ends, hands.cards.shape
    below = np.cumsum(hands.unseen, axis=1)
    total = below[:, -1:]
    home = (cards[:, :, None] > ends[:, None, :]).sum(axis=2)  # 0 fits nowhere, otherwise the row, counted from 1
    zeros = np.zeros((count, 1), dtype=np.int64)
    cheapest = hands.heads.min(axis=1, keepdims=True)
    feet = np.concatenate([zeros, ends], axis=1)
    tops = np.concatenate([ends, zeros + HIGHEST + 1], axis=1)
    lengths = np.concatenate(
        [zeros + FULL, hands.lengths], axis=1
    )  # a card that fits nowhere finds the cheapest row full
    heads = np.concatenate([cheapest, hands.heads], axis=1)
    at = np.arange(count)[:, None]

    foot, top, room, row_heads = feet[at, home], tops[at, home], FULL - lengths[at, home], heads[at, home]
    under, at_foot = below[at, cards], below[at, feet]
    gap = under - at_foot[at, home]
    chance = chances(hands.seats - 1)[room, gap, total]
    price = prices(chance[:, :, 0], room, row_heads)
    order = np.arange(size)
    own = np.zeros((count, 5), dtype=np.float32)
    for row in range(5):
        own[:, row] = (home == row).sum(axis=1)
    first = np.cumsum(own, axis=1) - own  # own cards below each gap
    rank_in_gap = order - first[at, home]
    share = 1 / np.maximum(total, 1)
    padded = np.concatenate([zeros, cards, zeros + HIGHEST + 1], axis=1)
    rest = (price.sum(axis=1, keepdims=True) - price) / max(size - 1, 1)

    card = np.empty((count, size, CARD), dtype=np.float32)
    column = iter(range(CARD))
    for value in (
        cards / HIGHEST,
        HEADS[cards] / 7,
        (cards - foot) / HIGHEST,
        np.minimum(cards - foot, 16) / 16,
        (top - cards) / HIGHEST,
        gap * share,
        gap * share * (hands.seats - 1),
        row_heads / 10,
        chance[:, :, 0],
        chance[:, :, 1],
        price / 5,
        rest / 2,
        rank_in_gap / 3,
        (own[at, home] - 1 - rank_in_gap) / 3,
        order / 10,
        (size - 1 - order) / 10,
        (cards - padded[:, :-2]) / 30,
        (padded[:, 2:] - cards) / 30,
        1 - under * share,
        (lengths[at, np.minimum(home + 1, 4)] == FULL) * (home < 4),
        (room == 0) & (gap == 0),
        *(home == row for row in range(5)),
        *(room == free for free in range(FULL)),
    ):
        card[:, :, next(column)] = value

    state = np.empty((count, STATE), dtype=np.float32)
    state[:, 0:5] = own / 3
    state[:, 5:10] = (np.concatenate([at_foot[:, 1:], total], axis=1) - at_foot) * share * 3
    state[:, 10:14] = ends / HIGHEST
    state[:, 14:18] = hands.heads / 10
    state[:, 18:22] = hands.lengths / FULL
    state[:, 22:26] = hands.lengths == FULL
    state[:, 26:30] = [size / 10, hands.seats / 10, 1 / (hands.seats - 1), size == 1]
    state[:, 30] = total[:, 0] / HIGHEST
    state[:, 31] = cheapest[:, 0] / 5
    buckets = (np.arange(1, 105) - 1) * BUCKETS // HIGHEST
    edges = np.searchsorted(buckets, np.arange(BUCKETS + 1))
    cumulative = below[:, edges]
    state[:, 32:45] = np.diff(cumulative, axis=1) * share * BUCKETS / 2
    held = (cards - 1) * BUCKETS // HIGHEST
    for bucket in range(BUCKETS):
        state[:, 45 + bucket] = (held == bucket).sum(axis=1)
    return state, card, price


class Network:
    """Two hidden layers. The first one adds what the table says, once for all cards of a hand, to what each card says."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights

    @classmethod
    def load(cls, path: Path) -> "Network":
        """Read the weights, which are kept in half precision."""
        with np.load(path) as kept:
            return cls({name: kept[name].astype(np.float32) for name in kept.files})

    def save(self, path: Path) -> None:
        """Write the weights."""
        np.savez_compressed(path, **{name: weight.astype(np.float16) for name, weight in self.weights.items()})

    def values(self, state: Array, card: Array) -> Array:
        """(hands, size): the heads that each card is expected to cost to the end of the deal, less the mean of the others."""
        w = self.weights
        table = state @ w["state"] + w["first"]
        hidden = np.maximum(card @ w["card"] + table[:, None, :], 0)
        hidden = np.maximum(hidden @ w["middle"] + w["second"], 0)
        value: Array = (hidden @ w["last"])[:, :, 0] + w["third"]
        return value

"""The network and its inputs: numpy only, for one hand or for thousands of them at once.

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

TABLES = {"small": (2, 3), "middle": (4, 5), "large": (6, 7), "full": (8, 9, 10)}
"""Table sizes by the network that plays them."""

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


@dataclass
class Places:
    """The rows to which the cards of hands go. By hand and card unless said otherwise."""

    below: Cards
    """(hands, 105): the number of unseen cards up to the card of this number."""
    home: Cards
    """0 if the card fits nowhere, otherwise its row, counted from 1."""
    foot: Cards
    """The last card of the row; 0 if the card fits nowhere."""
    room: Cards
    """Free places in the row; 0 if the card fits nowhere."""
    heads: Cards
    """The heads of the row; if the card fits nowhere, of the cheapest row."""
    gap: Cards
    """The number of unseen cards between the row and the card."""
    chance: Array
    """(hands, size, 2): that exactly as many cards come before it as there is room, and that more do."""
    price: Array
    """The heads that the card is expected to take in this turn."""


def places(hands: Hands) -> Places:
    """Look where the cards go."""
    cards, ends = hands.cards, hands.ends
    below = np.cumsum(hands.unseen, axis=1)
    home = (cards[:, :, None] > ends[:, None, :]).sum(axis=2)
    zeros = np.zeros((len(cards), 1), dtype=np.int64)
    at = np.arange(len(cards))[:, None]
    foot = np.concatenate([zeros, ends], axis=1)[at, home]
    room = FULL - np.concatenate([zeros + FULL, hands.lengths], axis=1)[at, home]
    heads = np.concatenate([hands.heads.min(axis=1, keepdims=True), hands.heads], axis=1)[at, home]
    gap = below[at, cards] - below[at, foot]
    chance = chances(hands.seats - 1)[room, gap, below[:, -1:]]
    price = (chance[:, :, 0] * (heads + room * HEADS_OF_A_CARD)).astype(np.float32)
    return Places(below, home, foot, room, heads, gap, chance, price)


def look(hands: Hands) -> tuple[Array, Array]:
    """The inputs of the network: (hands, STATE) of the table, and (hands, size, CARD) of each card."""
    cards, ends, (count, size) = hands.cards, hands.ends, hands.cards.shape
    found = places(hands)
    below, home, foot, room, gap, chance, price = (
        found.below,
        found.home,
        found.foot,
        found.room,
        found.gap,
        found.chance,
        found.price,
    )
    total = below[:, -1:]
    zeros = np.zeros((count, 1), dtype=np.int64)
    at = np.arange(count)[:, None]
    top = np.concatenate([ends, zeros + HIGHEST + 1], axis=1)[at, home]
    lengths = np.concatenate([zeros, hands.lengths], axis=1)
    under, at_foot = below[at, cards], below[at, np.concatenate([zeros, ends], axis=1)]
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
        found.heads / 10,
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
    state[:, 31] = hands.heads.min(axis=1) / 5
    buckets = (np.arange(1, 105) - 1) * BUCKETS // HIGHEST
    edges = np.searchsorted(buckets, np.arange(BUCKETS + 1))
    cumulative = below[:, edges]
    state[:, 32:45] = np.diff(cumulative, axis=1) * share * BUCKETS / 2
    held = (cards - 1) * BUCKETS // HIGHEST
    for bucket in range(BUCKETS):
        state[:, 45 + bucket] = (held == bucket).sum(axis=1)
    return state, card


class Network:
    """Two hidden layers. The first one adds what the table says, once for all cards of a hand, to what each card says."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights

    def values(self, state: Array, card: Array) -> Array:
        """(hands, size): the heads that each card is expected to cost to the end of the deal, less the mean of the others."""
        w = self.weights
        table = state @ w["state"] + w["first"]
        hidden = np.maximum(card @ w["card"] + table[:, None, :], 0)
        hidden = np.maximum(hidden @ w["middle"] + w["second"], 0)
        value: Array = (hidden @ w["last"])[:, :, 0] + w["third"]
        return value


def load(path: Path) -> dict[int, Network]:
    """Read the networks, by number of seats. Their weights are kept in half precision."""
    networks = {}
    with np.load(path) as kept:
        for name, sizes in TABLES.items():
            own = {file: kept[file].astype(np.float32) for file in kept.files if file.startswith(name)}
            network = Network({file.removeprefix(f"{name} "): weight for file, weight in own.items()})
            networks.update(dict.fromkeys(sizes, network))
    return networks


def save(path: Path, networks: dict[int, Network]) -> None:
    """Write the networks, given by number of seats."""
    kept = {
        f"{name} {layer}": weight.astype(np.float16)
        for name, sizes in TABLES.items()
        for layer, weight in networks[sizes[0]].weights.items()
    }
    np.savez_compressed(path, **kept)

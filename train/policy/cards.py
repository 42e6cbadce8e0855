"""The inputs of a network for "cards": a few numbers of each card that could be played, instead of the whole table.

For games whose rows grow at their right end. A network scores each card by its numbers, and the best is played; so it plays with
any number of seats and any hand. The same function serves one question and many tables at once.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

HIGHEST = 104
HEADS: NDArray[np.int64] = np.array(
    [0] + [7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1 for c in range(1, 105)]
)
FULL = 5
"""Cards in a full row."""
MEAN = 171 / 104
"""Heads of an average card."""

LEFT, RIGHT, PLACES, WORTH = range(4)
"""The figures of a row: first card, last card, number of cards, heads. As in `bullring.arena.games.simulator`."""

NAMES = (
    "it fits in no row",
    "expected heads in this turn, if the others play random unseen cards; divided by 10",
    "probability that it is the sixth card of its row",
    "probability that its row is taken before it comes",
    "how many cards are expected to come between the row's end and it; divided by 5",
    "share of the hidden cards between the row's end and it",
    "free places in its row, divided by 5",
    "its row is full",
    "heads of its row (of the cheapest if it fits nowhere), divided by 10",
    "heads of the cheapest row, divided by 10",
    "heads of all rows, divided by 30",
    "share of the rows that are full",
    "the card, divided by 104",
    "its own heads, divided by 7",
    "distance from its row's end, divided by 30",
    "its place in the hand, from 0 to 1",
    "cards in the hand, divided by 10",
    "distance to the next lower card in the hand, divided by 20, at most 1",
    "distance to the next higher card in the hand, divided by 20, at most 1",
    "lower cards in the hand that go to the same row, divided by 5",
    "share of the hidden cards that are higher",
    "share of the hidden cards that fit in no row",
    "expected heads in this turn of the best card in the hand, divided by 10",
    "expected heads in this turn of an average card in the hand, divided by 10",
    "other seats, divided by 9",
)
"""The numbers, in order."""

SIZE = len(NAMES)

_WAYS: NDArray[np.float64] = np.array([[math.comb(m, k) for k in range(FULL)] for m in range(21)], np.float64)
"""Ways to choose k of m."""


def card_features(rows: NDArray[Any], hands: NDArray[Any], unseen: NDArray[Any], others: int) -> NDArray[np.float32]:
    """The numbers of each card in many hands, as float32 of shape (tables, seats, cards, `SIZE`).

    * `rows`: (tables, 4, 4), for each row `LEFT`, `RIGHT`, `PLACES`, `WORTH`.
    * `hands`: (tables, seats, cards), each ascending, without played cards.
    * `unseen`: (tables, 106), by card how many of it lie neither open nor in a pile; the hands are among them.
    * `others`: how many cards of others are still to come in this turn.
    """
    cards = hands.astype(np.int64)
    tables, _, size = cards.shape
    here = np.arange(tables)[:, None, None]
    ends, places, worth = rows[:, :, RIGHT], rows[:, :, PLACES], rows[:, :, WORTH]
    fits = np.where(ends[:, None, None, :] <= cards[..., None], ends[:, None, None, :], -1)
    row = fits.argmax(-1)
    low = fits.max(-1) < 0
    cheapest = worth.argmin(-1)
    row = np.where(low, cheapest[:, None, None], row)
    end = np.where(low, 0, ends[here, row])
    room = np.where(low, 0, FULL - places[here, row])
    heads = worth[here, row].astype(np.float64)

    lower = np.zeros((tables, HIGHEST + 3), np.int64)
    np.cumsum(unseen[:, : HIGHEST + 2], axis=1, out=lower[:, 1:])
    hidden = np.maximum(1, lower[:, -1] - size)[:, None, None].astype(np.float64)
    at = np.arange(size)[None, None, :]
    own = at - (cards[..., None, :] <= end[..., :, None]).sum(-1)  # own cards between the row's end and the card
    between = lower[here, cards] - lower[here, end + 1] - own
    share = np.clip(between / hidden, 0.0, 1.0)
    exactly, more = _chances(room, share, others)
    grown = np.where(low, 0.0, room * MEAN)
    expected = (heads + grown) * exactly
    steps = np.diff(cards, axis=2)
    wide = np.full((*cards.shape[:2], 1), 20)
    down = np.concatenate([wide, steps], 2)
    up = np.concatenate([steps, wide], 2)
    least = ends.min(1)
    below = (lower[np.arange(tables), least][:, None] - (cards < least[:, None, None]).sum(2))[..., None]
    numbers = np.empty((*cards.shape, SIZE), np.float32)
    for place, values in enumerate(
        (
            low,
            expected / 10,
            exactly,
            more,
            share * others / 5,
            share,
            room / 5,
            (room == 0) & ~low,
            heads / 10,
            worth.min(1)[:, None, None] / 10,
            worth.sum(1)[:, None, None] / 30,
            (places == FULL).mean(1)[:, None, None],
            cards / HIGHEST,
            HEADS[cards] / 7,
            (cards - end) / 30,
            (at / max(1, size - 1)) if size > 1 else 0.5,
            size / 10,
            np.minimum(down, 20) / 20,
            np.minimum(up, 20) / 20,
            own / 5,
            np.clip((lower[:, -1][:, None, None] - lower[here, cards + 1] - (size - 1 - at)) / hidden, 0, 1),
            np.clip(below / hidden, 0, 1),
            expected.min(2, keepdims=True) / 10,
            expected.mean(2, keepdims=True) / 10,
            others / 9,
        )
    ):
        numbers[..., place] = values
    return numbers


def _chances(room: NDArray[Any], share: NDArray[Any], others: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The probabilities that exactly `room`, and that more, of `others` random cards are of a `share` of all cards."""
    exactly, fewer = np.zeros(share.shape), np.zeros(share.shape)
    rest = [np.ones(share.shape)]
    for _ in range(others):
        rest.append(rest[-1] * (1.0 - share))
    power = rest[0]
    for count in range(min(FULL, others + 1)):
        chance = _WAYS[others, count] * power * rest[others - count]
        exactly += (room == count) * chance
        fewer += (room > count) * chance
        power = power * share
    return exactly, np.clip(1.0 - exactly - fewer, 0.0, 1.0)


def asked(view: Mapping[str, Any], deck: Iterable[int], seats: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """What `card_features` reads of the view at a `card` decision: `rows`, `unseen` and `others`, without the first axis.

    `deck` has all cards of the game.
    """
    unseen = np.zeros(HIGHEST + 2, np.int64)
    np.add.at(unseen, np.array([*deck], np.int64), 1)
    shared = [cards for _, _, cards in view.get("shared", ())]
    shown = [card for _, card in view["played"]]
    for cards in (*view["rows"], *view["piles"], *shared, shown):
        for card in cards:
            unseen[card] -= 1
    rows = [[row[0], row[-1], len(set(row)), heads] for row, heads in zip(view["rows"], view["row_heads"], strict=True)]
    return np.array(rows), unseen, seats - 1 - len(shown)


def of_view(view: Mapping[str, Any], options: Sequence[int], deck: Iterable[int], seats: int) -> NDArray[np.float32]:
    """The numbers of each option of a `card` decision, as (options, `SIZE`). `deck` has all cards of the game."""
    rows, unseen, others = asked(view, deck, seats)
    numbers = card_features(rows[None], np.array([[sorted(options)]]), unseen[None], others)[0, 0]
    order = np.argsort(np.argsort(options))
    ordered: NDArray[np.float32] = numbers[order]
    return ordered

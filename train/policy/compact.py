"""The inputs of a network for a whole hand: 149 dense numbers, whatever the number of seats.

The network has `PLACES` outputs, one for each place of the hand, lowest card first; the highest of a place that holds a card is
played. For games whose rows grow at their right end. `bullring.train.vector_env` has the same numbers for thousands of deals,
made by the simulator; this function serves one question.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import cards

PLACES = 10
"""Places of a hand."""

OF_CARD = (0, 1, 2, 3, 5, 6, 8, 12, 13, 14, 19, 20)
"""The numbers of a card, of `cards.NAMES`. All are 0 at places without a card."""

MOST_SEATS = 10

FIELDS = {
    "cards": (PLACES, len(OF_CARD)),
    "rows": (4, 3),
    "hidden": (5,),
    "heads": (MOST_SEATS,),
    "others": (1,),
    "left": (1,),
}
"""The shapes of the parts, in order.

* `cards`: for each place of the hand the numbers `OF_CARD`.
* `rows`: by ascending ends, each row's end divided by 104, its places divided by 5, and its heads divided by 10.
* `hidden`: the shares of the cards that the seat has not seen below the lowest end, between two ends, and above the highest.
* `heads`: the heads that each seat took in this deal, the own seat first, divided by 30; 0 for seats that there are not.
* `others`: the other seats, divided by 9.
* `left`: the cards in the hand, divided by 10.
"""

SIZE = sum(int(np.prod(shape)) for shape in FIELDS.values())


def of_view(view: Mapping[str, Any], deck: Iterable[int], seats: int) -> tuple[NDArray[np.float32], list[int]]:
    """The numbers at a `card` decision, and the hand in the order of its places. `deck` has all cards of the game."""
    hand = sorted(view["hand"])  # where a card is there twice, the options name it once
    rows, unseen, others = cards.asked(view, deck, seats)
    numbers = np.zeros((PLACES, len(OF_CARD)), np.float32)
    numbers[: len(hand)] = cards.card_features(rows[None], np.array([[hand]]), unseen[None], others)[0, 0][:, OF_CARD]
    order = np.argsort(rows[:, cards.RIGHT], kind="stable")
    ordered = rows[order][:, [cards.RIGHT, cards.PLACES, cards.WORTH]] / (104.0, 5.0, 10.0)
    ends = rows[order, cards.RIGHT]
    hidden = unseen.copy()
    np.subtract.at(hidden, hand, 1)
    lower = np.concatenate([[0], np.cumsum(hidden)])
    cuts = np.array([0, *lower[ends + 1], lower[-1]])
    shares = np.diff(cuts) / max(1, lower[-1])
    heads = np.zeros(MOST_SEATS)
    heads[:seats] = np.roll(view["heads"], -view["seat"])
    rest = (shares, heads / 30, [(seats - 1) / 9, len(hand) / 10])
    return np.concatenate([numbers.ravel(), ordered.ravel(), *rest]).astype(np.float32), hand

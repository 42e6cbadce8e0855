"""The probability of each option of the house, from what its seat is told and nothing else; and the player that draws by it.

=========================== ==========================================================================================
a card in four rows         probability proportional to exp(-h / `TEMPERATURE`), where h are the heads that the card is
                            expected to take in this turn against random unseen cards: the policy "noisy" of playouts
a row, a side of a row      the one with the fewest heads, the first of equals
a draft, anything else      all options are equally likely
=========================== ==========================================================================================

This is all there is to know about the house. It is the same on every machine, with and without `bullring[fast]`, and anyone with a
record can compute the probabilities again. `VERSION` counts its changes, because a rating is one against this house.
"""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import SystemRandom
from typing import Any

from bullring.arena.games.rules.game import Game, Option
from bullring.arena.games.rules.table import ROW_LIMIT

VERSION = 1
"""Ratings against different versions of the house are not compared."""

TEMPERATURE = 0.5
"""In heads: a card that is expected to take this much more is e times less likely."""

SECRET = SystemRandom().random
"""Random numbers of the operating system."""


def chances(game: Game[Any], view: Mapping[str, Any], kind: str, options: Sequence[Option]) -> list[float]:
    """The probability of each option. They add up to 1."""
    if len(options) == 1:
        return [1.0]
    if kind in ("row", "side") and "row_heads" in view:
        return _surely(options, [view["row_heads"][row - 1] for row in options if isinstance(row, int)])
    if kind == "card" and view.get("rows"):
        costs = _expected(game, view, [card for card in options if isinstance(card, int)])
        least = min(costs)
        weights = [math.exp((least - cost) / TEMPERATURE) for cost in costs]
        total = sum(weights)
        return [weight / total for weight in weights]
    return [1 / len(options)] * len(options)


def house_player(game: Game[Any], random: Callable[[], float] = SECRET) -> Callable[[Any], Option]:
    """A function that answers `decide` messages with a draw from `chances`.

    `random` gives numbers of [0, 1). By default they are the operating system's, so that neither the seed of the deal nor anything
    else that a bot may learn says what the house is going to play.
    """

    def house(message: Any) -> Option:
        options = message["options"]
        left = random()
        for option, chance in zip(options, chances(game, message["view"], message["kind"], options), strict=True):
            left -= chance
            if left < 0:
                return option  # type: ignore[no-any-return]
        return options[-1]  # type: ignore[no-any-return]

    return house


def _surely(options: Sequence[Option], costs: Sequence[int]) -> list[float]:
    best = costs.index(min(costs))
    return [float(at == best) for at in range(len(options))]


def _expected(game: Game[Any], view: Mapping[str, Any], cards: Sequence[int]) -> list[float]:
    """The heads that each card is expected to take in this turn.

    Each of the other seats still to play holds a random unseen card, so the number of cards that come between the end of a row and
    mine is binomial. My card takes the row if exactly as many come between as there is room; a card that fits nowhere takes the
    cheapest row unless somebody plays a lower one.
    """
    open_ = [card for _, card in view["played"]]
    seen = Counter(card for part in (view["hand"], open_, *view["rows"], *view["piles"]) for card in part)
    unseen = sorted((Counter(game.shuffle.deck) - seen).elements())
    mean = sum(game.heads[card] for card in unseen) / max(len(unseen), 1)
    others = game.seats - 1 - len(open_)
    costs = []
    for card in cards:
        ends = [row[-1] for row in view["rows"] if row[-1] < card]
        if ends:
            end = max(ends)
            row = [row[-1] for row in view["rows"]].index(end)
            room = ROW_LIMIT - len(view["rows"][row])
            heads = view["row_heads"][row] + room * mean
        else:
            end, room, heads = 0, 0, float(min(view["row_heads"]))
        room -= sum(end < other < card for other in open_)
        share = (bisect_left(unseen, card) - bisect_right(unseen, end)) / max(len(unseen), 1)
        costs.append(heads * _exactly(room, others, share))
    return costs


def _exactly(wanted: int, others: int, share: float) -> float:
    """The probability that exactly `wanted` of `others` random cards are of a `share` of all cards."""
    if not 0 <= wanted <= others:
        return 0.0
    return math.comb(others, wanted) * share**wanted * (1 - share) ** (others - wanted)

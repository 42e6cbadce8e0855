"""Intervals of ranks: the places that a bot may have, given all that is known of the differences of the bots of a list.

A bot is called better than another if the results reject that it is not. All these claims of a list are made together by the
procedure of Holm (1979), so with 95 % probability none of them is wrong, however results depend on each other. A bot's rank is then
at least 1 plus the number of those that are better, and at most the number of all less those that are worse: the confidence sets
for ranks of Mogstad, Romano, Shaikh and Wilhelm (2024). So all intervals of a list hold together in 95 % of lists, also where bots
are equal: then they hold every order in which equals may be put.
"""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.connected import Marks
from bullring.ladder.rating.estimate import Estimate
from bullring.ladder.rating.scales import as_normal, below

WRONG = 0.05
"""The probability that any claim about a list is wrong."""


def better(estimate: Estimate, bots: NDArray[np.intp]) -> Marks:
    """(P, P): whether the first is better than the second beyond doubt, of these bots (P,)."""
    at = np.ix_(bots, bots)
    errors = estimate.errors[at]
    known = (errors > 0) & np.isfinite(errors) & (estimate.freedom[at] > 0)
    known &= (estimate.finite | estimate.scored)[at]  # else nothing bounds it from below
    deviates = as_normal(
        np.where(known, estimate.differences[at], 0.0) / np.where(known, errors, 1.0), estimate.freedom[at]
    )
    chances = np.where(known, below(-deviates), 1.0).ravel()
    claims = claims_of(len(bots))
    order = np.argsort(chances, kind="stable")
    # The diagonal is the last: nobody is better than itself.
    passed = chances[order[:claims]] <= WRONG / (claims - np.arange(claims))
    found = np.zeros(len(bots) ** 2, dtype=bool)
    found[order[: claims if passed.all() else passed.argmin()]] = True
    return found.reshape(len(bots), len(bots))


def claims_of(bots: int) -> int:
    """The number of claims about this many bots: which one of each pair is better."""
    return bots * (bots - 1)


def ranks(better: Marks) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(P,) twice: the best and the worst rank that each bot may have, from 1."""
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)


def decisive(bots: int) -> float:
    """The difference in standard errors from which on the last two neighbours count as told apart, when all others are."""
    return NormalDist().inv_cdf(1 - WRONG / (claims_of(bots) // 2 + 1))

"""Cycles: bots of which each beats the next and the last beats the first, so that no order of the list is right for all of them.

Each pair is judged by the matches in which both sat, by the sign test with groups as observations: under Plackett-Luce a result of
two does not depend on the others at the table. Whatever order the bots have in truth, a cycle has a result against it, and
each pair has only one result that would be. So if each is claimed at 5 % divided by the number of pairs (Bonferroni), a list
without a cycle shows one with a probability of at most 5 %, however results depend on each other. For each cycle by itself this is
an intersection-union test (Berger, 1982): it is as sure as the least sure of its results.
"""

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.ranks import WRONG
from bullring.ladder.rating.sums import Sums

Cycle = tuple[int, int, int]
"""Three bots by their numbers: the first beats the second, the second the third, the third the first."""


def cycles(sums: Sums, bots: NDArray[np.intp], most: int) -> tuple[Sequence[Cycle], int]:
    """The cycles of three among these bots (P,): at most so many, the surest one first, and the number of all."""
    at = np.ix_(bots, bots)
    squares = (sums.pairs(4) + sums.pairs(4).T)[at]
    pairs = np.count_nonzero(squares) // 2
    if pairs < 3:
        return [], 0
    # A single result moves the balance by two: the correction for continuity.
    deviates = (sums.met()[1][at] - 1) / np.sqrt(np.maximum(squares, 1.0))
    sure = np.where(deviates >= NormalDist().inv_cdf(1 - WRONG / pairs), deviates, 0.0)
    beaten = (sure > 0).astype(np.float32)
    if not (beaten @ beaten * beaten.T).any():
        return [], 0
    found: list[tuple[float, Cycle]] = []
    count = 0
    for one in range(len(bots)):  # the cycles of which it is the first
        rest = slice(one + 1, None)
        least = np.minimum(np.minimum(sure[one, rest, None], sure[rest, rest]), sure[None, rest, one])
        count += int(np.count_nonzero(least))
        for place in np.argsort(-least, axis=None, kind="stable")[:most]:
            two, three = divmod(int(place), len(least))
            if least[two, three]:
                others = (int(bots[one + 1 + two]), int(bots[one + 1 + three]))
                found.append((float(least[two, three]), (int(bots[one]), *others)))
    found.sort(key=lambda cycle: -cycle[0])
    return [cycle for _, cycle in found[:most]], count

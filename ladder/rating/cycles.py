"""Cycles: bots of which each beats the next and the last beats the first, so that no order of the list is right for all of them.

Each pair is judged by the matches in which both sat, by the sign test with groups as observations: under Plackett-Luce a result of
two does not depend on the others at the table. A cycle is as sure as the least sure of its results, however the others came
about: an intersection-union test (Berger, 1982).

Whatever order the bots have in truth, a cycle has a result against it. Only results that would close a circle with two others are
tested, and which those are is decided by other pairs, so each is tested at 5 % divided by their number: Bonferroni after a filter
(AdaFilter: Wang et al., 2022). Of a pair, the bot that is ahead is tested, at half of that, because one of the two is ahead in any
case. So a list without a cycle shows one with a probability of at most 5 %, and with less, as those of a cycle count.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.ranks import WRONG
from bullring.ladder.rating.scales import below
from bullring.ladder.rating.sums import Sums

Cycle = tuple[int, int, int]
"""Three bots by their numbers: the first beats the second, the second the third, the third the first."""


def cycles(sums: Sums, bots: NDArray[np.intp], most: int) -> tuple[Sequence[Cycle], int]:
    """The cycles of three among these bots (P,): at most so many, the surest one first, and the number of all."""
    at = np.ix_(bots, bots)
    squares = (sums.pairs(4) + sums.pairs(4).T)[at]
    # A single result moves the balance by two: the correction for continuity.
    deviates = (sums.met()[1][at] - 1) / np.sqrt(np.maximum(squares, 1.0))
    chances = below(-deviates)

    def closing(number: int) -> int:
        """The number of results that would close a circle with two others, at the level of so many."""
        beaten = (chances <= WRONG / (2 * number)).astype(np.float32)
        return int(np.count_nonzero((beaten @ beaten).T * (chances <= 0.5)))

    low, high = 1, max(1, len(bots) * (len(bots) - 1) // 2)
    while low < high:
        number = (low + high) // 2
        low, high = (low, number) if closing(number) <= number else (number + 1, high)
    sure = np.where(chances <= WRONG / (2 * low), deviates, 0.0)
    found: list[tuple[float, Cycle]] = []
    count = 0
    for one in range(len(bots) if closing(low) else 0):  # the cycles of which it is the first
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

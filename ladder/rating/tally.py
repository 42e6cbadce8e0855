"""A list as often as it has to be gone through, a part at a time: one of millions is never in memory as a whole."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.part import Part, part_of
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import Floats
from bullring.ladder.rating.sums import Sums

CHUNK = 1 << 14
"""Groups of a part, chosen so that their arrays stay in the cache."""


class Tally:
    """The results of a list, for as many passes as are wanted."""

    def __init__(self, bots: int, seats: int, source: Callable[[], Iterable[Results]]) -> None:
        """`source` goes through the results of all groups in blocks of any size, the same ones each time it is called."""
        self.bots = bots
        self.seats = seats
        self._source = source

    def parts(self) -> Iterator[Part]:
        """All groups in order."""
        # Each part is added into tables of bots by bots.
        step = max(CHUNK, self.bots * self.bots)
        for results in self._source():
            for start in range(0, results.groups, step):
                yield part_of(results, start, min(start + step, results.groups))

    def numbered_of(self, bot: int) -> Iterator[tuple[NDArray[np.int64], Part]]:
        """The groups in which a bot played, and their numbers (G,) in the list."""
        before = 0
        for results in self._source():
            for start in range(0, results.groups, CHUNK):
                here = start + np.flatnonzero((results.lineups[start : start + CHUNK] == bot).any(axis=1))
                if len(here):
                    yield before + here, part_of(results.chosen(here))
            before += results.groups

    def parts_of(self, bot: int) -> Iterator[Part]:
        """The groups in which a bot played."""
        for _, part in self.numbered_of(bot):
            yield part

    def blocks(self) -> Iterator[Results]:
        """The results as they come."""
        yield from self._source()

    def chosen(self, groups: NDArray[np.bool_]) -> "Tally":
        """Some of the groups, by marks (G,)."""

        def some() -> Iterator[Results]:
            before = 0
            for results in self._source():
                yield results.chosen(groups[before : before + results.groups])
                before += results.groups

        return Tally(self.bots, self.seats, some)

    @cached_property
    def sums(self) -> Sums:
        """Over all groups."""
        total = Sums(self.bots, self.seats)
        for part in self.parts():
            total.add(part)
        return total

    def met(self) -> tuple[Floats, Floats]:
        """(K, K) twice, whole numbers: matches of each pair, and matches won by the first minus those won by the second."""
        return self.sums.met()

    @property
    def groups(self) -> int:
        """The number of groups."""
        return self.sums.groups


def tally(results: Results) -> Tally:
    """The results of a list that are in memory."""
    return Tally(results.bots, results.seats, lambda: (results,))

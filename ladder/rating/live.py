"""The ratings of a list that grows: a match costs the same at the hundredth and at the ten-millionth, and takes no memory.

All sums but one are exact. The one is the scatter of the groups' scores: scores depend on the strengths, which move with each
match. So a group is kept as it is until each of its bots has `YOUNG` groups: until then its scores are computed anew each time,
and widened as the batch estimate does it. Then it is added to a sum, with its scores at the strengths of that moment, and
forgotten. From then on a difference moves by about its error, 250 sqrt(2/300) = 20 Elo, d = .12 in natural units. A score is
the surprise of a result, whose square is p(1-p) on average; a move changes that by (d p(1-p))^2, which is d^2/4 = .4 % of it at
p = 1/2, and by surprise times move, which has no sign of its own and cancels over groups. So errors are within 1 % of those of
the batch estimate, and ratings within 1 % of the correction of their bias, which follows from the same scatter.
"""

from functools import cached_property

import numpy as np

from bullring.ladder.rating.elo import Walk
from bullring.ladder.rating.estimate import Estimate, Fit, estimated, fit, scatter_of
from bullring.ladder.rating.part import Part, part_of
from bullring.ladder.rating.points import Level, Points, levelled, pointed, spread_of
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import Floats
from bullring.ladder.rating.sums import Sums

YOUNG = 300
"""Groups of a bot until which they are kept one by one."""

WAITING = 1 << 14
"""Groups added before ripe ones are looked for, at least."""


class Live:
    """The sums of a list, to which blocks of results are added."""

    def __init__(self, seats: int, first: float = 0.0) -> None:
        """`first` is where the running Elo of a bot begins."""
        self.sums = Sums(0, seats)
        self._walk = Walk(first)
        self._young = part_of(Results.none(0, seats))
        self._fresh: list[Part] = []
        """Added since ripe groups were looked for."""
        self._waiting = 0
        self._scattered = np.zeros((0, 0))
        self._spread = np.zeros((0, 0))
        self._start = np.zeros(0)

    def add(self, results: Results) -> None:
        """Count more groups. Bots may have become more; their numbers stay."""
        self.count(part_of(results), results.bots)
        self._walk.add(results)

    def count(self, part: Part, bots: int) -> None:
        """Count more groups of a list with this number of bots, but not for the running Elo."""
        self.grow(bots)
        self.sums.add(part)
        self._fresh.append(part)
        self._waiting += part.groups
        for name in ("_fit", "_level"):
            self.__dict__.pop(name, None)
        if self._waiting > WAITING:
            self._ripen()

    def estimate(self, anchor: int | None = None, rating: float = 0.0) -> Estimate:
        """The ratings, so that the anchor, or without one the mean, has the given rating."""
        self._ripen()
        scattered = self._scattered + scatter_of(self._young, self._fit)
        return estimated(self.sums, self._fit, scattered, anchor, rating)

    def points(self) -> Points:
        """The heads per deal."""
        self._ripen()
        return pointed(self.sums, self._level, self._spread + spread_of(self._young, self._level))

    @property
    def kept(self) -> int:
        """Groups that are kept one by one: at most `YOUNG` of each bot, and what was added since ratings were made."""
        return self._young.groups + self._waiting

    @property
    def running(self) -> Floats:
        """(K,): the running Elo, over the groups in the order in which they were added; nan for bots that never played."""
        return np.pad(self._walk.ratings, (0, self.sums.bots - len(self._walk.ratings)), constant_values=np.nan)

    @cached_property
    def _fit(self) -> Fit:
        found = fit(self.sums, self._start)
        self._start = found.strengths
        return found

    @cached_property
    def _level(self) -> Level:
        return levelled(self.sums)

    def grow(self, bots: int) -> None:
        """Make room for this many bots."""
        more = bots - self.sums.bots
        if more > 0:
            self.sums.grow(bots)
            self._scattered = np.pad(self._scattered, (0, more))
            self._spread = np.pad(self._spread, (0, more))
            self._start = np.pad(self._start, (0, more))

    def _ripen(self) -> None:
        """Add the groups whose bots are all known to the sums."""
        if not self._fresh:
            return
        whole = Part.joined([self._young, *self._fresh])
        ripe = self.sums.groups_of[whole.lineups].min(axis=0, initial=YOUNG) >= YOUNG
        self._fresh, self._waiting = [], 0
        self._young = whole
        if ripe.any():
            part, self._young = whole.chosen(ripe), whole.chosen(~ripe)
            self._scattered += scatter_of(part, self._fit, wide=False)
            self._spread = self._spread + spread_of(part, self._level, wide=False)

"""The schedule of a ladder: the table with most information for its cost.

From a dozen tables drawn by chance it takes the one with the greatest expected reduction of the intervals that will be printed, for
each second of machine time. It depends on who met whom, hardly on results (`design`), so that ratings stay unbiased under it:
docs/ratings.md has the measurements.
"""

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.pairing.design import ENOUGH, VAGUE, Design, told, weights
from bullring.ladder.pairing.known import Known
from bullring.ladder.pairing.schedule import Lineup
from bullring.ladder.rating.scales import ELO, Floats

CANDIDATES = 12
"""Tables drawn for each one that is played."""

SOUGHT = 6
"""Candidates whose first bot is drawn by the information in its matches; in the others all bots are drawn alike."""

BLOCK = 32
"""Tables after which the covariance is computed anew, at least; in between only its diagonal."""

MOST = 512
"""The same, at most."""

PARTS = 8
"""Parts of a block: in each of them, tables are chosen by what those of earlier parts leave."""

BASE = 0.0005
"""Seconds that a match costs whatever its bots take."""

Numbers = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _View:
    """The bots of a table that is asked for."""

    numbers: Numbers
    first: Numbers
    """Bots of which one has to be at the table."""
    needs: Floats
    """(first,): running sums of what the matches of these tell for their cost."""
    drawn: deque[tuple[Numbers, Floats]] = field(default_factory=deque)
    """Tables drawn by chance for a block, in the parts that are chosen from together, and by pair what they tell for their cost."""
    ready: deque[list[int]] = field(default_factory=deque)
    """Line-ups chosen in advance, as numbers."""


class Informed:
    """Draws line-ups. Never ends by itself."""

    def __init__(self, seats: int, random: np.random.Generator, size: int = 1) -> None:
        """Each line-up plays `size` matches."""
        self.seats = seats
        self.size = size
        self._random = random
        self._places = np.array(list(combinations(range(seats), 2))).T
        self._known = Known.nothing()
        self._active: frozenset[int] = frozenset()
        self._number: dict[int, int] = {}
        """The number of each bot by id, in the order in which they became known."""
        self._ids: list[int] = []
        self._met = np.zeros((0, 0))
        """(K, K): matches of each pair in what is known."""
        self._pending = np.zeros((0, 0))
        """(K, K): those planned that are not in what is known."""
        self._ratings = np.zeros(0)
        self._say = 0.0
        self._expected = np.zeros(0)
        """(K,): width expected by what is known; 0 for bots that it does not have."""
        self._scale = np.zeros(0)
        """(K,): width printed / width expected, where both are known."""
        self._planned: list[list[int]] = []
        """The line-ups since the covariance was computed."""
        self._left = 0
        self._views: dict[tuple[frozenset[int], frozenset[int] | None], _View] = {}
        self._costs: Mapping[int, float] = {}
        self._design: Design

    def learn(self, known: Known, active: Iterable[int]) -> None:
        """Go on from newer ratings. `active` are the bots of the run: those whose intervals are to become narrower."""
        self._settle()
        first = not self._known.bots
        before = self._met
        self._known = known
        self._active = frozenset(active)
        self._grow([*known.bots, *sorted(self._active)])
        at = np.array([self._number[bot] for bot in known.bots], dtype=np.intp)
        self._met = np.zeros_like(self._pending)
        self._met[np.ix_(at, at)] = known.met
        if not first:
            came = self._met.copy()
            came[: len(before), : len(before)] -= before
            self._pending = np.maximum(self._pending - came, 0.0)
        self._ratings = np.full(len(self._ids), np.nan)
        self._ratings[at] = known.ratings
        self._left = 0
        mean = self._mean
        vague = float(np.median(Design(self._met, told(self._ratings, self.seats), mean).widths))
        self._say = max(1 - vague / VAGUE, 0.0)
        expected = Design(self._met, told(self._ratings, self.seats, self._say), mean).widths
        self._expected = expected
        printed = np.full(len(self._ids), np.nan)
        printed[at] = known.widths
        good = np.isfinite(printed) & (printed > 0) & (expected > 0)
        self._scale = np.where(good, printed, 1.0) / np.where(good, expected, 1.0)
        usual = float(np.median(self._scale[good])) if good.any() else 1.0
        self._scale = np.where(good, self._scale, usual)

    @property
    def _tables(self) -> int:
        return int(self._met.sum()) // (self.seats * (self.seats - 1) * self.size)

    @property
    def block(self) -> int:
        """Tables after which the covariance is computed anew: more where there are many bots, or where one tells little."""
        return min(max(BLOCK, len(self._ids) // 2, self._tables // 256), MOST)

    @property
    def _mean(self) -> Floats:
        """(K,): by what share each bot counts in the mean; before the first ratings all alike."""
        if not self._known.weights.any():
            return np.full(len(self._ids), 1 / max(1, len(self._ids)))
        found = np.zeros(len(self._ids))
        found[[self._number[bot] for bot in self._known.bots]] = self._known.weights
        return found

    def next(
        self, able: Collection[int], among: Collection[int] | None = None, costs: Mapping[int, float] | None = None
    ) -> Lineup | None:
        """The next line-up of bots in `able`, one of them in `among`, in random order; None if there is none.

        `costs` are the machine seconds of a match of each bot; one that is not in it costs as much as the others usually do.
        """
        if len(able) < self.seats:
            return None
        if costs is not None:
            self._costs = costs
        if self._left <= 0:
            self._compute(())
        view = self._view(able, among)
        if not len(view.first):
            return None
        if not view.ready:
            view.ready.extend(self._best(view))
        best = view.ready.popleft()
        self._left -= 1
        self._planned.append(best)
        return tuple(self._ids[number] for number in best)

    def _best(self, view: _View) -> list[list[int]]:
        """Some line-ups, each the one of `CANDIDATES` that tells most for its cost."""
        one, other = self._places
        if not view.drawn:  # for a block at once, because most of the time goes by calls of numpy
            each = self.block // PARTS
            drawn = self._drawn(view, PARTS * each)
            pairs = self._gains.take(drawn[..., one] * len(self._ids) + drawn[..., other])
            pairs /= (BASE + self._prices[drawn].sum(axis=-1))[..., None]
            shape = PARTS, each, CANDIDATES, -1
            view.drawn.extend(zip(drawn.reshape(shape), pairs.reshape(shape), strict=True))
        drawn, pairs = view.drawn.popleft()
        fade = self._fade[drawn]
        chosen = (pairs * (fade[..., one] * fade[..., other])).sum(axis=-1).argmax(axis=1)
        best = drawn[np.arange(len(drawn)), chosen]
        np.multiply.at(self._fade, best.ravel(), self._fading[best.ravel()])
        found: list[list[int]] = best.tolist()
        return found

    def wants(self, able: Collection[int], among: Collection[int]) -> bool:
        """Whether tables of bots in `able`, one of them in `among`, tell anything worth their time, whatever they cost.

        They do not if all of them are known well enough, as in `design.weights`: what a match tells of a bot goes by the fourth
        power of the width of its interval, and is nothing for those under the target.
        """
        if self._left <= 0 or not self._number.keys() >= set(able):
            self._compute(able)
        ones, others = (np.array([self._number[bot] for bot in bots], dtype=np.intp) for bots in (among, able))
        best = float(self._gains[np.ix_(ones, others)].max(initial=0.0))
        return best > 0 and best >= ENOUGH**4 * float(self._gains.max())

    def cancel(self, lineup: Sequence[int]) -> None:
        """Forget a line-up that will not be played."""
        self._settle()
        at = np.array([self._number[bot] for bot in lineup], dtype=np.intp)
        self._pending[np.ix_(at, at)] -= self.size
        np.maximum(self._pending, 0.0, out=self._pending)
        self._left = 0

    def widths(self) -> dict[int, float]:
        """Half of the interval to be expected of each active bot once all that is planned is played, in Elo.

        An interval that came out wider than usual for its matches, or narrower, did so partly by chance. The share of this that is
        left is the share that the matches until now will have in all information about the bot.
        """
        if self._planned or not self._left:
            self._compute(())
        usual = float(np.median(self._scale))
        expected = self._width / self._scale
        before = np.where(self._expected > 0, self._expected, np.inf)
        share = np.minimum(expected / before, 1.0) ** 2
        found = expected * usual * (self._scale / usual) ** share
        return {bot: float(found[self._number[bot]]) for bot in self._active}

    def errors(self, pairs: Sequence[tuple[int, int]]) -> Floats:
        """(N,): standard errors to be expected of the differences of pairs of bots once all that is planned is played, in Elo."""
        if self._planned or not self._left:
            self._compute(())
        ones, others = np.array([(self._number[one], self._number[other]) for one, other in pairs], dtype=np.intp).T
        found = self._design.covariance
        return np.asarray(ELO * np.sqrt(found[ones, ones] + found[others, others] - 2 * found[ones, others]))

    def _grow(self, bots: Iterable[int]) -> None:
        new = [bot for bot in dict.fromkeys(bots) if bot not in self._number]
        if new:
            self._ids += new
            self._number |= {bot: at for at, bot in enumerate(self._ids)}
            more = len(self._ids) - len(self._met)
            self._met, self._pending = (np.pad(array, (0, more)) for array in (self._met, self._pending))
            self._expected = np.pad(self._expected, (0, more))
            self._scale = np.pad(
                self._scale, (0, more), constant_values=float(np.median(self._scale)) if len(self._scale) else 1.0
            )
            self._ratings = np.full(len(self._ids), np.nan)

    def _settle(self) -> None:
        """Count the line-ups since the covariance was computed."""
        if self._planned:
            ones, others = np.array(self._planned)[:, self._places].swapaxes(0, 1)
            np.add.at(self._pending, (ones, others), self.size)
            np.add.at(self._pending, (others, ones), self.size)
            self._planned.clear()

    def _compute(self, able: Iterable[int]) -> None:
        self._grow(able)
        self._settle()
        design = self._design = Design(
            self._met + self._pending, told(self._ratings, self.seats, self._say), self._mean
        )
        self._width = design.widths * self._scale
        wanted = np.array([bot in self._active for bot in self._ids], dtype=bool)
        scale = self._scale ** (2 * self._say)
        gains = design.gains(scale * weights(self._width, scale * design.variances, wanted, self._known.target))
        np.fill_diagonal(gains, -np.inf)  # a bot sits at a table once
        self._gains = gains
        self._fade = np.ones(len(gains))
        # After one match the variance of a bot is about this part of what it was.
        alone = design.variances * design.told.mean() * (self.seats - 1) * self.size
        self._fading = 1 / (1 + alone) ** 2
        known = [cost for bot in self._ids if (cost := self._costs.get(bot)) is not None]
        usual = float(np.median(known)) if known else 1.0
        self._prices = np.array([self._costs.get(bot, usual) for bot in self._ids])
        self._views.clear()
        self._left = self.block

    def _view(self, able: Collection[int], among: Collection[int] | None) -> _View:
        some = None if among is None else frozenset(among)
        key = (frozenset(able), some)
        view = self._views.get(key)
        if view is None:
            if not self._number.keys() >= key[0]:
                self._compute(able)
            numbers = np.array([self._number[bot] for bot in key[0]], dtype=np.intp)
            first = np.array([self._number[bot] for bot in key[0] if some is None or bot in some], dtype=np.intp)
            # Squared, because a rival of a bot that is needed is needed a little for that.
            needs = np.maximum(self._gains[np.ix_(first, numbers)], 0.0).sum(axis=1) ** 2 / (BASE + self._prices[first])
            view = self._views[key] = _View(numbers, first, np.cumsum(needs + 1e-9 * needs.max(initial=0.0) + 1e-300))
        return view

    def _drawn(self, view: _View, count: int) -> Numbers:
        """(count, `CANDIDATES`, n): numbers of bots at as many tables. A bot that is twice at a table has a gain of -inf there."""
        drawn = view.numbers[self._places_of(len(view.numbers), count)]
        sought = SOUGHT if len(view.first) == len(view.numbers) else CANDIDATES
        points = self._random.random((count, sought, 1)) * view.needs[-1]
        first = view.first[np.minimum(view.needs.searchsorted(points, side="right"), len(view.first) - 1)]
        rows = drawn[:, :sought]
        # If it sits there already, it changes places with the first one.
        rows[..., 1:] = np.where(rows[..., 1:] == first, rows[..., :1], rows[..., 1:])
        rows[..., :1] = first
        return drawn

    def _places_of(self, bots: int, count: int) -> Numbers:
        """(count, `CANDIDATES`, n): numbers below `bots`, all equally likely; different ones, but for one table in a few."""
        shape = (count, CANDIDATES, self.seats)
        if bots > 2 * self.seats**2:
            return self._random.integers(0, bots, shape)
        keys = self._random.random((count, CANDIDATES, bots))
        if bots == self.seats:
            return keys.argsort(axis=-1)
        return keys.argpartition(self.seats - 1, axis=-1)[..., : self.seats]

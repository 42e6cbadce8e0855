"""Bots that are rated together: their rows, their places, and how they compare."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from bullring.errors import LadderError
from bullring.ladder.rating.connected import Marks, components
from bullring.ladder.rating.estimate import Estimate
from bullring.ladder.rating.points import Points
from bullring.ladder.rating.ranks import better, ranks
from bullring.ladder.rating.scales import Floats, finite
from bullring.ladder.rating.superiority import Superiority
from bullring.ladder.standings.columns import Row, settled
from bullring.ladder.standings.conduct import Conduct, Conducts
from bullring.ladder.standings.difference import Difference, differences
from bullring.ladder.standings.outlook import Outlook
from bullring.ladder.standings.places import Places, places
from bullring.ladder.standings.zero import BASE_RATING, Zero
from bullring.ladder.store.measures import quantile
from bullring.ladder.store.rows import BotRow
from bullring.ladder.store.store import Store


class Ranking:
    """Bots that are rated together."""

    title: str
    """What they are rated by."""

    def __init__(self, store: Store, anchor: str | None = None) -> None:
        """Load the bots; those who derive from this rate them. Raises `LadderError` if there is no such anchor."""
        self._store = store
        self._anchor_name = anchor
        self._anchor: int | None = None
        self._conducts = Conducts()
        self._estimate: Estimate | None = None
        self._superiority: Superiority | None = None
        self._points: Points | None = None
        self._elos: Floats = np.zeros(0)
        """(K,): the running Elo."""
        self._load_bots()
        if anchor is not None:
            self._anchor_name = self._named(anchor)
            if all(row.name != self._anchor_name for row in self._bots):
                known = ", ".join(row.name for row in self._bots) or "none yet"
                raise LadderError(f"there is no bot {anchor[:64]!r} on this ladder to be the anchor; its bots: {known}")

    def _load_bots(self) -> None:
        self._bots: list[BotRow] = self._store.bots()
        self._index = {row.id: index for index, row in enumerate(self._bots)}

    def _named(self, name: str) -> str:
        """The label of the bot with this name: that of "mine v1" is "mine"."""
        return next((row.name for row in self._bots if name == f"{row.bot} v{row.version}"), name)

    @property
    def bots(self) -> Sequence[BotRow]:
        """All bots of the ladder, as they were when it was rated."""
        return self._bots

    @property
    def anchor(self) -> int | None:
        """The index of the anchor: the bot named here, else the one stored for the list; None: there is none."""
        if self._anchor_name is not None:
            return next(index for index, row in enumerate(self._bots) if row.name == self._anchor_name)
        return None if self._anchor is None else self._index[self._anchor]

    @property
    def zero(self) -> Zero:
        """The point from which ratings are counted."""
        name = None if self.anchor is None else self._bots[self.anchor].name
        found = self._estimate
        if found is None:
            return Zero(BASE_RATING, name, moved=False)
        apart = bool((found.groups > 0)[~found.comparable].any())
        return Zero(found.mean, name, moved=found.anchor is not None, apart=apart)

    def rating(self, bot: int) -> float | None:
        """The rating of the bot with this id; None if it has none."""
        if self._estimate is None or bot not in self._index or self._index[bot] >= len(self._estimate.ratings):
            return None
        return finite(self._estimate.ratings[self._index[bot]])

    def _error(self, index: int) -> float | None:
        if self._estimate is None or index >= len(self._estimate.ratings):
            return None
        return finite((self._estimate.high[index] - self._estimate.low[index]) / 2)

    def rows(self) -> list[Row]:
        """The standings: active bots by rating, then those that nothing connects with the mean, those without one, the others."""
        estimate_, part = self._estimate, self._parts()
        known, placed = self._order(part)
        los = self._likelihoods(placed)
        ranked = dict(zip(placed, zip(*map(np.ndarray.tolist, ranks(self._better(placed))), strict=True), strict=True))
        rows = []
        for row in known:
            index, own = self._index[row.id], self._conducts.of.get(row.id, Conduct())
            place = placed.index(row.id) + 1 if row.id in los else None
            median, p99 = (quantile(own.times, share) for share in (0.5, 0.99))
            rating = self.rating(row.id)
            anchor = index == self.anchor and rating is not None
            ends = estimate_ is not None and index < len(estimate_.ratings)
            heads, above, above_error, elo = self._of_points(index)
            rows.append(
                Row(
                    place=place,
                    bot=row.name,
                    state=row.state,
                    anchor=anchor,
                    rating=rating,
                    error=self._error(index),
                    low=finite(estimate_.low[index]) if estimate_ is not None and ends else None,
                    high=finite(estimate_.high[index]) if estimate_ is not None and ends else None,
                    connected=part.get(row.id) == 0,
                    heads=heads,
                    heads_v_average=above,
                    heads_v_average_error=above_error,
                    matches=own.matches,
                    wins=own.share,
                    los=los.get(row.id),
                    rank_low=ranked.get(row.id, (None, None))[0],
                    rank_high=ranked.get(row.id, (None, None))[1],
                    faults=own.sums["faults"],
                    median_ms=None if median is None else median / 1e3,
                    p99_ms=None if p99 is None else p99 / 1e3,
                    wall_s=own.mean("wall_us", 1e6),
                    cpu_s=own.mean("cpu_us", 1e6),
                    starts=own.mean("starts"),
                    elo=elo,
                    metrics=own.metrics,
                    hash=row.contents.hash,
                    reproducible=row.contents.whole,
                    name=row.bot,
                    version=row.version,
                    sums=dict(own.sums),
                )
            )
        return settled(rows)

    def _order(self, part: Mapping[int, int]) -> tuple[list[BotRow], list[int]]:
        """The bots that have a row, in order, and the ids of those that have a place."""
        rated = {row.id: self.rating(row.id) for row in self._bots}
        known = [row for row in self._bots if rated[row.id] is not None or row.state == "active"]

        def key(row: BotRow) -> tuple[bool, bool, bool, int, float]:
            rating, own = rated[row.id], part.get(row.id, -1)
            return row.state != "active", rating is None, own > 0, own, -(rating or 0.0)

        known.sort(key=key)
        placed = [row.id for row in known if row.state == "active" and rated[row.id] is not None and not part[row.id]]
        return known, placed

    @property
    def placed(self) -> list[int]:
        """The ids of the bots that have a place, best first."""
        return self._order(self._parts())[1]

    def places(self) -> Places:
        """The places that are decided, and those that are open."""
        return places(self._better(self.placed))

    def outlook(self) -> Outlook:
        """The sentences below the standings."""
        return Outlook(self.zero, places=self.places(), confinements=self._conducts.confinements)

    def _better(self, placed: Sequence[int]) -> Marks:
        """(P, P): whether the first of these bots is better than the second beyond doubt."""
        if self._estimate is None:
            return np.zeros((0, 0), dtype=bool)
        return better(self._estimate, np.array([self._index[bot] for bot in placed], dtype=np.intp))

    def _parts(self) -> dict[int, int]:
        """The part of each rated bot by its id: 0 is that of the mean, no chain of matches leads from one to another."""
        estimate_ = self._estimate
        if estimate_ is None:
            return {}
        numbered = components(estimate_.met) + 1
        return {
            row.id: 0 if estimate_.comparable[at] else int(numbered[at])
            for at, row in enumerate(self._bots[: len(numbered)])
            if estimate_.groups[at]
        }

    def _likelihoods(self, placed: Sequence[int]) -> dict[int, float | None]:
        """By bot, how likely it is better than the next of those that have a place, best first; None for the last one."""
        if not placed or self._superiority is None:
            return dict.fromkeys(placed)
        numbers = np.array([self._index[bot] for bot in placed], dtype=np.intp)
        found = self._superiority.over(numbers[:-1], numbers[1:])
        return dict(zip(placed, [*map(finite, found), None], strict=True))

    def _of_points(self, index: int) -> tuple[float | None, float | None, float | None, float | None]:
        """Heads per deal, how far they are from average ones with half of the interval, and the running Elo."""
        if self._points is None or index >= len(self._points.mean):
            return None, None, None, None
        low, high = self._points.bounds
        half = finite((high[index] - low[index]) / 2)
        # The result of a single match says nothing of how it compares.
        above = None if half is None else finite(self._points.above[index])
        return (
            finite(self._points.mean[index]),
            above,
            half,
            finite(self._elos[index]) if index < len(self._elos) else None,
        )

    def compare(self, bots: Sequence[str]) -> list[Difference]:
        """The differences of each of the named bots to those named after it; of a single one to all others, by rating.

        By all matches of the list, not only those in which the two met. Raises `LadderError` if one of them has not played.
        """
        bots, rows = [self._named(bot) for bot in bots], [row.bot for row in self.rows() if row.rating is not None]
        if missing := [bot for bot in bots if bot not in rows]:
            known = ", ".join(rows) or "none yet"
            raise LadderError(f"{missing[0][:64]!r} has not played on this list; the bots that have: {known}")
        chosen = list(dict.fromkeys(bots))
        alone = len(chosen) == 1
        pairs = ((chosen[0], bot) for bot in rows if bot != chosen[0]) if alone else combinations(chosen, 2)
        return self.differences(pairs)

    def differences(self, pairs: Iterable[tuple[str, str]]) -> list[Difference]:
        """The differences of pairs of bots that have a rating, given by their labels."""
        if self._estimate is None or self._superiority is None:
            return []
        number = {row.name: at for at, row in enumerate(self._bots)}
        return differences(
            self._estimate, self._superiority, list(number), [(number[one], number[other]) for one, other in pairs]
        )

"""The standings of one list: its matches as arrays, rated from time to time, and rows for people."""

import math
import time
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import accumulate, combinations, pairwise
from typing import Any

import numpy as np

from bullring.errors import LadderError
from bullring.ladder.pairing.forecast import Forecast, forecast, until_apart
from bullring.ladder.pairing.known import Known
from bullring.ladder.rating.company import company, telling
from bullring.ladder.rating.connected import Marks, components
from bullring.ladder.rating.cycles import cycles
from bullring.ladder.rating.elo import Walk
from bullring.ladder.rating.estimate import Estimate, estimate
from bullring.ladder.rating.history import history
from bullring.ladder.rating.live import Live
from bullring.ladder.rating.pairs import pairs
from bullring.ladder.rating.points import Points, points
from bullring.ladder.rating.ranks import better, decisive, ranks
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import Floats, finite
from bullring.ladder.rating.style import unusual
from bullring.ladder.rating.sums import Sums
from bullring.ladder.rating.superiority import Superiority, superiority
from bullring.ladder.rating.tally import Tally
from bullring.ladder.standings.blocks import blocks, remembered
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.conduct import EVERY, Conduct, Conducts, Stored
from bullring.ladder.standings.cycles import NAMED, Cycles
from bullring.ladder.standings.difference import Difference, differences
from bullring.ladder.standings.history import Point
from bullring.ladder.standings.matches_needed import LAST, More, Tempo, costs, more
from bullring.ladder.standings.outlook import Outlook
from bullring.ladder.standings.places import Deciding, Places, places
from bullring.ladder.standings.zero import BASE_RATING, Zero
from bullring.ladder.store.measures import quantile
from bullring.ladder.store.rows import BotRow, ListRow
from bullring.ladder.store.store import CountedMatch, Store

SHARE = 0.05
"""Share of a run's time that may be spent on ratings."""


class Standings:
    """All matches of a list that count."""

    def __init__(
        self,
        store: Store,
        list_: ListRow,
        anchor: str | None = None,
        until_error: float | None = None,
        only: Set[int] | None = None,
        *,
        live: bool = False,
    ) -> None:
        """Read the matches from the store. A run may end when no interval is wider than ± `until_error` Elo.

        If matches are given as the `only` ones, no others are rated. With `live`, each rating goes on from the last one
        (`rating.live`), so it costs as much as there is new, and pairs, histories and company are not known. Otherwise the list is
        gone through anew, so nothing depends on the order of its matches.

        Raises `LadderError` if there is no such anchor.
        """
        self._until_error = until_error
        self._only = only
        self.list = list_
        self._store = store
        self._anchor_name = anchor
        self._live = Live(list_.seats, BASE_RATING) if live else None
        self._conducts = Conducts()
        self._anchor = store.anchor(list_.id)
        self._load_bots()
        if anchor is not None and all(row.name != anchor for row in self._bots):
            known = ", ".join(row.name for row in self._bots) or "none yet"
            raise LadderError(f"there is no bot {anchor[:64]!r} on this ladder to be the anchor; its bots: {known}")
        self._number = 0
        """The number of the last match that was read (`Store.last_number`)."""
        self._rated = -1
        """The number of the last match that is rated."""
        self._next_rating = 0.0
        self._estimate: Estimate | None = None
        self._sums = Sums(0, list_.seats)
        self._superiority: Superiority | None = None
        self._forecast: Forecast | None = None
        self._foreseen = -1
        """The number of matches that it goes by."""
        self._tempo = Tempo(None, 0.0, {})
        """The pace when it was made: reading the last matches takes as long as a rating."""
        self._next_forecast = 0.0
        self._points: Points | None = None
        self._known: Known | None = None
        self._elos: Floats = np.zeros(0)
        """(K,): the running Elo."""
        self.rate()

    def _load_bots(self) -> None:
        self._bots: list[BotRow] = self._store.bots()
        self._index = {row.id: index for index, row in enumerate(self._bots)}

    def catch_up(self) -> None:
        """Read what was stored since the last time."""
        store, list_ = self._store, self.list.id
        last = store.last_number()
        if not self._number and self._only is None:
            self._conducts = Conducts.stored(store, list_)
        if self._live is not None:
            for block in self._blocks(store.counted(list_, self._number, last)):
                self._live.add(block)
            self._live.grow(len(self._bots))
        for match in store.counted_whole(list_, max(self._number, self._conducts.upto), last):
            if self._only is None or match.id in self._only:
                self._conducts.add(match)
        self._number = last

    def _results(self) -> Iterator[Results]:
        """All matches that were read, by id, whatever the order in which they ended: running Elo and history depend on it."""
        only = self._only
        rows = self._store.counted(self.list.id, 0, self._number, by_id=True)
        chosen = rows if only is None else (row for row in rows if row.first in only)
        return self._blocks(chosen)

    def _blocks(self, matches: Iterable[CountedMatch]) -> Iterator[Results]:
        with self._store.decoding():
            yield from blocks(matches, list(self._index), self.list.seats)

    @property
    def _tally(self) -> Tally:
        """All matches, for as many passes as are wanted."""
        return Tally(len(self._bots), self.list.seats, remembered(self._results))

    def unwritten(self, least: int = EVERY) -> Stored | None:
        """The conduct that is to be stored (`Conducts.unwritten`)."""
        return self._conducts.unwritten(self._number, least)

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
        return Zero(found.mean, name, moved=found.anchor is not None)

    def refresh(self, *, now: bool = False) -> bool:
        """Rate again; unless `now`, only a small share of the time is spent on it. Returns whether there was anything new."""
        before = self._rated
        if now or time.monotonic() >= self._next_rating:
            began = time.monotonic()
            self.rate()
            ended = time.monotonic()
            self._next_rating = ended + max(0.5, (ended - began) / SHARE)
        return self._rated != before

    def rate(self) -> None:
        """Rate all bots by all that is stored; reload them first, as some may have been benched meanwhile."""
        self._load_bots()
        with self._store.snapshot():
            self.catch_up()
            if self._rated != self._number:
                self._rated = self._number
                self._known = None
                self._rate()

    def _rate(self) -> None:
        live = self._live
        if live is None:
            tallied = self._tally
            self._sums = tallied.sums
        else:
            self._sums = live.sums
        if not self._sums.groups:
            return
        if live is None:
            self._estimate = estimate(tallied, self.anchor, BASE_RATING)
            self._points = points(tallied)
            walk = Walk(BASE_RATING)
            for results in tallied.blocks():
                walk.add(results)
            self._elos = walk.ratings
        else:
            self._estimate = live.estimate(self.anchor, BASE_RATING)
            self._points = live.points()
            self._elos = live.running
        self._superiority = superiority(*self._sums.met(), self.list.seats, self._estimate)

    @property
    def rated(self) -> int:
        """The number of matches in the ratings, which are made anew a moment after a match has ended."""
        return int(self._sums.matches_of.sum()) // self.list.seats

    def rating(self, bot: int) -> float | None:
        """The rating of the bot with this id; None if it has none."""
        if self._estimate is None or bot not in self._index or self._index[bot] >= len(self._estimate.ratings):
            return None
        return finite(self._estimate.ratings[self._index[bot]])

    def matches(self, bot: int) -> int:
        """The number of the bot's matches."""
        index = self._index.get(bot, -1)
        if self._estimate is None or not 0 <= index < len(self._estimate.matches):
            return 0
        return int(self._estimate.matches[index])

    def known(self) -> Known:
        """The ratings as a schedule needs them; the same value until the next rating."""
        if self._known is None:
            found = self._estimate
            if found is None:
                self._known = Known.nothing(self._until_error)
            else:  # bots that were added since are not in it
                ids = [row.id for row in self._bots[: len(found.ratings)]]
                self._known = Known.of(found, ids, self._until_error)
        return self._known

    def enough(self, bots: Sequence[int]) -> str | None:
        """The reason to stop a run: all intervals are narrow enough. None if they are not."""
        if self._until_error is None:
            return None
        if any(bot not in self._index for bot in bots):  # added meanwhile
            self._load_bots()
        errors = [self._error(self._index[bot]) for bot in bots]
        if all(error is not None and error <= self._until_error for error in errors):
            return f"no interval is wider than ± {self._until_error:g} Elo"
        return None

    def _error(self, index: int) -> float | None:
        if self._estimate is None or index >= len(self._estimate.ratings):
            return None
        return finite((self._estimate.high[index] - self._estimate.low[index]) / 2)

    def rows(self) -> list[Row]:
        """The standings: active bots by rating, then those that nothing connects with the mean, those without one, the others."""
        estimate_ = self._estimate
        rated = {row.id: self.rating(row.id) for row in self._bots}
        known = [row for row in self._bots if rated[row.id] is not None or row.state == "active"]
        part = self._parts()

        def key(row: BotRow) -> tuple[bool, bool, bool, int, float]:
            rating, own = rated[row.id], part.get(row.id, -1)
            return row.state != "active", rating is None, own > 0, own, -(rating or 0.0)

        known.sort(key=key)
        placed = [row.id for row in known if row.state == "active" and rated[row.id] is not None and not part[row.id]]
        los = self._likelihoods(placed)
        ranked = dict(zip(placed, zip(*map(np.ndarray.tolist, ranks(self._better(placed))), strict=True), strict=True))
        rows = []
        for row in known:
            index, own = self._index[row.id], self._conducts.of.get(row.id, Conduct())
            place = placed.index(row.id) + 1 if row.id in los else None
            median, p99 = (quantile(own.times, share) for share in (0.5, 0.99))
            anchor = index == self.anchor and rated[row.id] is not None
            ends = estimate_ is not None and index < len(estimate_.ratings)
            heads, above, above_error, elo = self._of_points(index)
            rows.append(
                Row(
                    place=place,
                    bot=row.name,
                    state=row.state,
                    anchor=anchor,
                    rating=rated[row.id],
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
        return rows

    def more(self, speed: float | None = None) -> More | None:
        """Forecast the matches and the time for narrower intervals; without a `speed`, matches are as fast as the last ones.

        None if there is too little to tell, or nothing to gain.
        """
        if self._rated != self._foreseen and time.monotonic() >= self._next_forecast:
            began = time.monotonic()
            self._forecast, self._tempo, self._foreseen = self._foresee(), self._measured(), self._rated
            ended = time.monotonic()
            self._next_forecast = ended + (ended - began) / SHARE
        tempo = self._tempo if speed is None else replace(self._tempo, speed=speed)
        return more(self._forecast, self._until_error, tempo)

    def _measured(self) -> Tempo:
        """The pace of the last matches."""
        last = self._store.last_times(self.list.id, LAST)
        with self._store.decoding():
            return Tempo.of(self._conducts.of, self.list.seats, last)

    def _foresee(self) -> Forecast | None:
        """The matches that the schedule would play."""
        return forecast(self.known(), costs(self._conducts.of), self._until_error, **self._playing())

    def _playing(self) -> dict[str, Any]:
        """The bots and tables of a forecast."""
        active = [row.id for row in self._bots if row.state == "active"]
        size = self.list.seats if self.list.duplicate else 1
        return {"seats": self.list.seats, "active": active, "size": size}

    def places(self) -> Places:
        """The places that are decided, those that are open, and what deciding them takes."""
        estimate_ = self._estimate
        names = {row.name: row.id for row in self._bots}
        placed = [names[row.bot] for row in self.rows() if row.place is not None]
        found = places(self._better(placed))
        if estimate_ is None or not found.open:
            return found
        wanted, endless = {}, False
        for run in found.open:
            for one, other in pairwise(placed[run.first - 1 : run.last]):
                at = self._index[one], self._index[other]
                away = float(estimate_.differences[at] / estimate_.errors[at])
                # What is seen is the truth and an error, so the truth is as far away as both together on the average.
                wanted[one, other] = min(1.0, math.hypot(away, 1.0) / decisive(len(placed)))
                endless |= away < 1
        plan = until_apart(self.known(), costs(self._conducts.of), wanted, **self._playing())
        if plan is None or not plan.matches:
            return found
        return replace(found, deciding=Deciding(plan.matches, self._measured().seconds(plan), endless))

    def cycles(self) -> Cycles:
        """The bots that beat each other in a circle beyond doubt."""
        placed = {row.bot for row in self.rows() if row.place is not None}
        numbers = [at for at, row in enumerate(self._bots) if row.name in placed]
        found, count = cycles(self._sums, np.array(numbers, dtype=np.intp), NAMED)
        names = [row.name for row in self._bots]
        return Cycles([(names[one], names[two], names[three]) for one, two, three in found], count)

    def outlook(self) -> Outlook:
        """The sentences below the standings."""
        return Outlook(self.zero, self.more(), self.places(), self.cycles())

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

    def pairs(self) -> list[dict[str, Any]]:
        """Every pair that met: matches, share of points, and the Elo difference with its interval, from their matches alone."""
        if self._estimate is None:
            return []
        found = pairs(self._tally)
        return [
            {
                "bot": one.name,
                "other": other.name,
                "matches": int(found.matches[i, j]),
                "share": finite(found.share[i, j]),
                "elo": finite(found.elo[i, j]),
                "low": finite(found.low[i, j]),
                "high": finite(found.high[i, j]),
            }
            for i, one in enumerate(self._bots)
            for j, other in enumerate(self._bots)
            if i != j and found.matches[i, j]
        ]

    def compare(self, bots: Sequence[str]) -> list[Difference]:
        """The differences of each of the named bots to those named after it; of a single one to all others, by rating.

        By all matches of the list, not only those in which the two met. Raises `LadderError` if one of them has not played.
        """
        rows = [row.bot for row in self.rows() if row.rating is not None]
        if missing := [bot for bot in bots if bot not in rows]:
            known = ", ".join(rows) or "none yet"
            raise LadderError(f"{missing[0][:64]!r} has not played on this list; the bots that have: {known}")
        chosen = list(dict.fromkeys(bots))
        pairs = [(chosen[0], bot) for bot in rows if bot != chosen[0]] if len(chosen) == 1 else combinations(chosen, 2)
        if self._estimate is None or self._superiority is None:
            return []
        number = {row.name: at for at, row in enumerate(self._bots)}
        return differences(
            self._estimate, self._superiority, list(number), [(number[one], number[other]) for one, other in pairs]
        )

    def company(self, telling_matches: int = 3) -> list[dict[str, Any]]:
        """Effects of each bot's presence on the results of others, the most unusual first: `rating.company`, `rating.style`.

        Only pairs with enough common matches. For an unusual effect, the numbers of the most telling matches are added.
        """
        if self._estimate is None:
            return []
        found = company(self._tally)
        judged = unusual(found, self.list.seats)
        firsts = [first for first, *_ in self._store.groups_of(self.list.id, self._number)]

        def facts(beside: int, bot: int) -> dict[str, Any]:
            marked = bool(judged.marked[beside, bot])
            worst = bool(judged.beyond[beside, bot] < 0)
            groups = telling(self._tally, beside, bot, telling_matches, worst=worst) if marked else ()
            return {
                "bot": self._bots[bot].name,
                "beside": self._bots[beside].name,
                "matches": int(found.matches[beside, bot]),
                "points": float(found.points[beside, bot]),
                "points_error": float(found.points_errors[beside, bot]),
                "heads": float(found.heads[beside, bot]),
                "heads_error": float(found.heads_errors[beside, bot]),
                "style": float(judged.style[beside, bot]),
                "beyond": float(judged.beyond[beside, bot]),
                "least": float(judged.least[beside, bot]),
                "chance": float(judged.chances[beside, bot]),
                "unusual": marked,
                "look_at": [int(firsts[group]) for group in groups],
            }

        besides, bots = np.nonzero(np.isfinite(judged.chances))
        order = np.argsort(judged.chances[besides, bots], kind="stable")
        return [facts(besides[at], bots[at]) for at in order]

    def history(self, bot: int, points: int = 20) -> list[Point]:
        """The history of a bot's rating: about `points` values with 95 % intervals, each after a number of matches of the list."""
        return self._histories([self._index[bot]], points)[0]

    def histories(self, bots: Sequence[str], points: int = 20) -> list[list[Point]]:
        """The histories of several bots by their names, which cost no more than one."""
        indices = {row.name: index for index, row in enumerate(self._bots)}
        return self._histories([indices[bot] for bot in bots], points)

    def _histories(self, indices: Sequence[int], points: int) -> list[list[Point]]:
        if self._estimate is None:
            return [[] for _ in indices]
        groups = self._store.groups_of(self.list.id, self._number)
        total = len(groups)
        after = sorted({max(1, round(total * step / points)) for step in range(1, points + 1)})
        course = history(self._tally, after, self.anchor, BASE_RATING)
        played = np.cumsum([size for _, size, *_ in groups])
        ended = list(accumulate((end for *_, end in groups), max))
        return [
            [
                Point(
                    int(played[count - 1]),
                    groups[count - 1][2],
                    ended[count - 1],
                    finite(course.ratings[at, index]),
                    finite(course.low[at, index]),
                    finite(course.high[at, index]),
                )
                for at, count in enumerate(course.groups)
            ]
            for index in indices
        ]

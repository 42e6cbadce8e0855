"""The standings of one list: its matches as arrays, rated from time to time, and rows for people."""

import time
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from bullring.arena.cells.text.doing import doing
from bullring.arena.games.rulebook.language import say
from bullring.ladder.pairing.forecast import Forecast, forecast, until_apart
from bullring.ladder.pairing.known import Known
from bullring.ladder.rating.company import company, telling
from bullring.ladder.rating.cycles import cycles
from bullring.ladder.rating.elo import Walk
from bullring.ladder.rating.estimate import Estimate, estimate
from bullring.ladder.rating.history import history
from bullring.ladder.rating.live import Live
from bullring.ladder.rating.pairs import pairs
from bullring.ladder.rating.points import points
from bullring.ladder.rating.ranks import decisive
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.rings import Suspicion, judged
from bullring.ladder.rating.scales import finite
from bullring.ladder.rating.sums import Sums
from bullring.ladder.rating.superiority import superiority
from bullring.ladder.rating.tally import Tally
from bullring.ladder.standings.blocks import blocks, remembered
from bullring.ladder.standings.conduct import EVERY, Conducts, Stored
from bullring.ladder.standings.cycles import NAMED, Cycles
from bullring.ladder.standings.history import Point
from bullring.ladder.standings.matches_needed import LAST, More, Tempo, costs, more
from bullring.ladder.standings.meetings import MOST, Meetings
from bullring.ladder.standings.outlook import Outlook
from bullring.ladder.standings.places import Deciding, Places
from bullring.ladder.standings.ranking import Ranking
from bullring.ladder.standings.zero import BASE_RATING
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import CountedMatch, Store

SHARE = 0.05
"""Share of a run's time that may be spent on ratings."""

REST = 1.0
"""Seconds between two ratings, at least: quick bots play a hundred matches meanwhile, which move nothing that people see sooner."""

SHARE_AHEAD = 0.005
"""Share that may be spent on forecasts, which change little from one second to the next."""


class Standings(Ranking):
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
        upto: int | None = None,
    ) -> None:
        """Read the matches from the store. A run may end when no interval is wider than ± `until_error` Elo.

        If matches are given as the `only` ones, no others are rated. With `live`, each rating goes on from the last one
        (`rating.live`), so it costs as much as there is new, and pairs, histories and company are not known. Otherwise the list is
        gone through anew, so nothing depends on the order of its matches. None after the number `upto` is read.

        Raises `LadderError` if there is no such anchor.
        """
        super().__init__(store, anchor)
        self._until_error = until_error
        self._only = only
        self._upto = upto
        self.list, self.title = list_, list_.title
        self._live = Live(list_.seats, BASE_RATING) if live else None
        self._anchor = store.anchor(list_.id)
        self._number = 0
        """The number of the last match that was read (`Store.last_number`)."""
        self._rated = -1
        """The number of the last match that is rated."""
        self._next_rating = 0.0
        self._sums = Sums(0, list_.seats)
        self._forecast: Forecast | None = None
        self._foreseen = -1
        """The number of matches that it goes by."""
        self._tempo = Tempo(None)
        """The pace when it was made: reading the last matches takes as long as a rating."""
        self._deciding: Deciding | None = None
        self._next_forecast = 0.0
        self._known: Known | None = None
        self.rate()

    def catch_up(self) -> None:
        """Read what was stored since the last time."""
        store, list_ = self._store, self.list.id
        last = store.last_number() if self._upto is None else self._upto
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
    def conducts(self) -> Conducts:
        """The conduct of the bots."""
        return self._conducts

    @property
    def estimate(self) -> Estimate | None:
        """The ratings as they were found; None before the first match that counts."""
        return self._estimate

    def refresh(self, *, now: bool = False) -> bool:
        """Rate again; unless `now`, only a small share of the time is spent on it. Returns whether there was anything new."""
        before = self._rated
        if now or time.monotonic() >= self._next_rating:
            began = time.monotonic()
            self.rate()
            ended = time.monotonic()
            self._next_rating = ended + max(REST, (ended - began) / SHARE)
        return self._rated != before

    def rate(self) -> None:
        """Rate all bots by all that is stored; reload them first, as some may have been benched meanwhile."""
        self._load_bots()
        with self._store.snapshot():
            with doing(f"reading {self.title}"):
                self.catch_up()
            if self._rated != self._number:
                self._rated = self._number
                self._known = None
                with doing(f"rating {self.title}"):
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
    def number(self) -> int:
        """The number of the last match in the ratings (`Store.last_number`)."""
        return self._rated

    @property
    def rated(self) -> int:
        """The number of matches in the ratings, which are made anew a moment after a match has ended."""
        return int(self._sums.matches_of.sum()) // self.list.seats

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
            return say("run.narrow", error=self._until_error)
        return None

    def more(self, speed: float | None = None) -> More | None:
        """Forecast the matches and the time for narrower intervals; without a `speed`, matches are as fast as the last ones.

        None if there is too little to tell, or nothing to gain.
        """
        self._look_ahead()
        tempo = self._tempo if speed is None else replace(self._tempo, speed=speed)
        return more(self._forecast, self._until_error, tempo)

    def _look_ahead(self) -> None:
        """Forecast what is to be played, if there is anything new; only a small share of the time is spent on it."""
        if self._rated != self._foreseen and time.monotonic() >= self._next_forecast:
            began = time.monotonic()
            self._tempo = self._measured()
            self._forecast, self._foreseen = self._foresee(), self._rated
            self._deciding = self._decide()
            ended = time.monotonic()
            self._next_forecast = ended + (ended - began) / SHARE_AHEAD

    def _measured(self) -> Tempo:
        """The pace of the last matches."""
        last = self._store.last_times(self.list.id, LAST)
        with self._store.decoding():
            return Tempo.of(self._conducts.of, last)

    def _foresee(self) -> Forecast | None:
        """The matches that the schedule would play."""
        return forecast(self.known(), costs(self._conducts.of), self._until_error, **self._playing())

    def _playing(self) -> dict[str, Any]:
        """The bots and tables of a forecast."""
        active = [row.id for row in self._bots if row.state == "active"]
        size = self.list.seats if self.list.duplicate else 1
        return {"seats": self.list.seats, "active": active, "size": size, "mix": self._tempo.mix}

    def places(self) -> Places:
        """The places that are decided, those that are open, and what deciding them takes."""
        self._look_ahead()
        found = super().places()
        return replace(found, deciding=self._deciding) if found.open else found

    def _decide(self) -> Deciding | None:
        """The matches that decide the open places."""
        estimate_, placed = self._estimate, self.placed
        found = super().places()
        if estimate_ is None or not found.open:
            return None
        wanted, endless = {}, False
        for run in found.open:
            for one, other in pairwise(placed[run.first - 1 : run.last]):
                at = self._index[one], self._index[other]
                away = float(estimate_.differences[at] / estimate_.errors[at])
                # As if what is seen were the truth. Of what is hardly seen, nothing is known but that it takes more than this.
                wanted[one, other] = min(1.0, max(away, 1.0) / decisive(len(placed)))
                endless |= away < 1
        matches = until_apart(self.known(), costs(self._conducts.of), wanted, **self._playing())
        return Deciding(matches, self._tempo.seconds(matches), endless) if matches else None

    def cycles(self) -> Cycles:
        """The bots that beat each other in a circle beyond doubt."""
        numbers = sorted(self._index[bot] for bot in self.placed)
        found, count = cycles(self._sums, np.array(numbers, dtype=np.intp), NAMED)
        names = [row.name for row in self._bots]
        return Cycles([(names[one], names[two], names[three]) for one, two, three in found], count)

    def outlook(self) -> Outlook:
        """The sentences below the standings."""
        return replace(super().outlook(), more=self.more(), cycles=self.cycles(), meetings=self.meetings())

    def meetings(self) -> Meetings:
        """The results of the first bots against each other."""
        first = [self._index[bot] for bot in self.placed[:MOST]]
        matches, balance = (array[np.ix_(first, first)].tolist() for array in self._sums.met())
        shares = [
            [0.5 + 0.5 * won / met if met else None for met, won in zip(*both, strict=True)]
            for both in zip(matches, balance, strict=True)
        ]
        return Meetings([self._bots[at].name for at in first], shares)

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

    def company(self, confirm: int | None = None, telling_matches: int = 3) -> dict[str, Any]:
        """Effects of each bot's presence on the results of others, the most unusual first, and rings: see `rating.rings`.

        Rings are looked for in one half of the matches and judged by the other; with `confirm`, they are looked for up to the match
        of that number and judged by later ones. Only pairs with enough common matches are told, for a ring also telling matches.
        """
        if self._estimate is None:
            return {"axes": 0, "least": None, "last": 0, "rings": [], "pairs": []}
        tallied = self._tally
        firsts = np.array([first for first, *_ in self._store.groups_of(self.list.id, self._number)])
        if self._only is not None:
            firsts = firsts[np.isin(firsts, list(self._only))]
        # A seed of its own: a match stays in its half when others are added.
        early = np.random.default_rng(25).random(len(firsts)) < 0.5 if confirm is None else firsts <= confirm
        found = company(tallied)
        verdict = judged(found, (company(tallied.chosen(early)), company(tallied.chosen(~early))), self.list.seats)
        names = [row.name for row in self._bots]
        unusual = np.zeros_like(found.points, dtype=bool)

        def ring(one: Suspicion) -> dict[str, Any]:
            marks = one.ring.marks(len(names))
            if one.confirmed:
                unusual[marks] = True
            beside, bot = divmod(int(np.where(marks, one.ring.sign * verdict.deviates, -np.inf).argmax()), len(names))
            groups = telling(tallied, beside, bot, telling_matches, worst=one.ring.sign < 0)
            return {
                "helpers": [names[number] for number in one.ring.helpers],
                "helped": [names[number] for number in one.ring.helped],
                "harm": one.ring.sign < 0,
                "found_points": one.first,
                "found_error": one.first_error,
                "points": one.effect,
                "points_error": one.error,
                "chance": one.chance,
                "confirmed": one.confirmed,
                "look_at": [int(firsts[group]) for group in groups],
            }

        def pair(beside: int, bot: int) -> dict[str, Any]:
            return {
                "bot": names[bot],
                "beside": names[beside],
                "matches": int(found.matches[beside, bot]),
                "points": float(found.points[beside, bot]),
                "points_error": float(found.points_errors[beside, bot]),
                "heads": float(found.heads[beside, bot]),
                "heads_error": float(found.heads_errors[beside, bot]),
                "style": float(verdict.style[beside, bot]),
                "beyond": float(found.points[beside, bot] - verdict.style[beside, bot]),
                "unusual": bool(unusual[beside, bot]),
            }

        rings = [ring(one) for one in verdict.suspicions]
        besides, bots = np.nonzero(np.isfinite(verdict.deviates))
        order = np.lexsort((-np.abs(verdict.deviates[besides, bots]), ~unusual[besides, bots]))
        pairs = [pair(int(besides[at]), int(bots[at])) for at in order]
        return {
            "axes": verdict.axes,
            "least": finite(verdict.least),
            "last": int(firsts[-1]),
            "rings": rings,
            "pairs": pairs,
        }

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

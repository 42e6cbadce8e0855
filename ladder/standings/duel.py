"""The score of a duel: swap groups, judged by a sequential test that stops as soon as it can decide."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.gain import Gain, gain
from bullring.ladder.rating.scales import finite
from bullring.ladder.rating.sequential import Believed, Judgement, Sequential, Verdict
from bullring.ladder.standings.scoreboard import Scoreboard
from bullring.ladder.store.packed_row import PackedRow, unpacked
from bullring.ladder.store.rows import ListRow, MatchRow
from bullring.ladder.store.store import Store

SAYS = {
    Verdict.BETTER: "the new bot is better",
    Verdict.NOT_BETTER: "the new bot is not better",
    Verdict.EQUAL: "the two bots are equal within ± {:g} Elo",
    Verdict.WORSE: "the new bot is worse",
    Verdict.OPEN: "not decided yet",
}

LEAST_AHEAD = 3
SHARE_AHEAD = 0.1
"""Groups given to a worker in advance: three, and to all together a tenth of those judged. So little is played after the verdict,
and no worker waits long in a long duel."""
LEAST_WAITING = 6
SHARE_WAITING = 0.15
"""Groups that may wait for an earlier one before others begin: six, or this part of those judged. Otherwise one long group would
let many begin that the verdict does not need."""


@dataclass(frozen=True)
class DuelResult:
    """The state of a duel, or its verdict: its fields are what JSON and the Python API have of it."""

    new: str
    old: str
    verdict: str
    """"better", "not better", "equal", "worse" or "open"."""
    text: str
    """The verdict in words."""
    groups: int
    """Judged groups, of two matches each."""
    matches: int
    played: int
    """Groups that have ended, judged or not."""
    spoiled: int
    """Judged groups that are not believed, because the machine has spoiled them before."""
    pending: int
    """Groups in progress that could still decide it."""
    llr: float
    """The logarithm of the likelihood ratio."""
    llr_opposite: float | None
    """That of the opposite, in a test for equality."""
    bounds: tuple[float, float]
    """A verdict is reached at one of these."""
    share: float
    """Points of the new bot per match, 0 to 1."""
    elo: float | None
    """How much stronger the new bot is, corrected for the moment of stopping; None where nothing bounds it."""
    low: float | None
    """The lower end of its 95 % interval."""
    high: float | None
    """The upper end."""
    superior: float
    """The likelihood that the new bot is the stronger one, 0 to 1."""
    normalised_elo: float
    """The difference in standard deviations of a match."""
    cells: tuple[int, ...]
    """Judged groups by the new bot's half points, 0 to 4."""
    gain: Gain | None
    """How many independent matches a match is worth; None if unknown."""

    def __str__(self) -> str:
        return f"{self.new} v {self.old}: {self.text}"

    def facts(self) -> dict[str, object]:
        """For JSON."""
        return {**vars(self), "gain": None if self.gain is None else vars(self.gain)}


class _Ended(NamedTuple):
    """A group that has ended."""

    points: tuple[int, ...] | None
    """The new bot's half points in its matches; None if the machine has spoiled it to the end."""
    spoiled: bool
    """Whether it was ever void: that may have been the doing of a bot, which would have lost it."""

    @property
    def believed(self) -> Believed:
        """The new bot's half points. A spoiled group speaks for no verdict, so that nobody gains by spoiling one."""
        points = sum(self.points or ())
        return (0, 4) if self.spoiled else (points, points)


class DuelScore(Scoreboard):
    """The groups of one duel, judged in the order in which they were begun: how long one takes must not decide on anything.

    They hold everything, so nothing else is stored.
    """

    def __init__(self, store: Store, list_: ListRow, new: int, old: int, test: Sequential) -> None:
        """Start from the groups already in the store."""
        self.test = test
        self._new, self._old = new, old
        self.decided = Verdict.OPEN
        self.counts = np.zeros((3, 3), dtype=np.int64)
        """Number of judged groups by the new bot's half points, 0 to 2, in the first and in the second match."""
        self.spoiled = 0
        """Number of judged groups that are not believed, because the machine has spoiled them before."""
        self.ended = 0
        """Number of groups that have ended, judged or not."""
        self._cells = np.zeros((2, 5), dtype=np.int64)
        """Number of judged groups by the new bot's half points, as far as they are believed for "better", and for "not better"."""
        self._waiting: dict[int, _Ended] = {}
        """Groups that have ended and are not judged, because one before them has not ended, or the verdict came before."""
        self.unfinished = [one for one in store.begun_groups(list_.id) if one[1][:2] == (new, old)]
        for matches in store.groups_in(list_.id, "duel"):
            self._take(matches)
        self.settle([id for id, _ in self.unfinished])

    def add(self, rows: Sequence[PackedRow]) -> None:
        """Take groups that have ended."""
        for _, matches in groupby(map(unpacked, rows), attrgetter("group")):
            self._take(list(matches))

    def _take(self, matches: Sequence[MatchRow]) -> None:
        """Take a group; ignore one left by another duel."""
        first = matches[0]
        if first.bots[:2] != (self._new, self._old):
            return
        self.ended += 1
        self._waiting[first.id] = _Ended(
            tuple(_half_points(match, self._new, self._old) for match in matches) if first.counted else None,
            not first.counted or first.spoiled > 0,
        )

    def settle(self, begun: Iterable[int]) -> None:
        """Judge the groups before the first one that was begun and has not ended, in their order, up to a verdict."""
        self._flying = list(begun)
        first = min(self._flying, default=sys.maxsize)
        ready = sorted(id for id in self._waiting if id < first)
        if not ready or self.decided is not Verdict.OPEN:
            return
        found = self.test.first(self._cells, [self._waiting[id].believed for id in ready])
        judged, self.decided = found or (len(ready), Verdict.OPEN)
        for id in ready[:judged]:
            group = self._waiting.pop(id)
            self.spoiled += group.spoiled
            if group.points is not None:
                self.counts[group.points] += 1
            self._cells[[0, 1], group.believed] += 1

    @property
    def pending(self) -> int:
        """Number of groups in progress that could still decide it together with those that have ended behind them; 0 if not."""
        if self.decided is not Verdict.OPEN or not self._flying:
            return 0
        begun = sorted({*self._flying, *self._waiting})
        later = [self._waiting[id].believed if id in self._waiting else None for id in begun]
        return len(self._flying) if self.test.could_decide(self._cells, later) else 0

    def ahead(self, workers: int) -> int:
        return 2 * max(LEAST_AHEAD, round(SHARE_AHEAD * int(self.counts.sum()) / max(1, workers)))

    @property
    def full(self) -> bool:
        return len(self._waiting) > max(LEAST_WAITING, SHARE_WAITING * int(self.counts.sum()))

    def judge(self) -> Judgement:
        """The state of the test at its verdict, or after the groups judged so far."""
        return replace(self.test.judge(self.cells), verdict=self.decided)

    def enough(self, bots: Sequence[int]) -> str | None:
        """The verdict in words, once a bound is reached."""
        return None if self.decided is Verdict.OPEN else self.says

    @property
    def says(self) -> str:
        """The state of the test in words."""
        return SAYS[self.decided].format(self.test.elo1)

    @property
    def cells(self) -> NDArray[np.int64]:
        """Number of judged groups by the new bot's half points, 0 to 4."""
        return np.array([np.trace(self.counts[::-1], half_points - 2) for half_points in range(5)])

    @property
    def gain(self) -> Gain | None:
        """The gain of swapping the two bots' hands, measured on the groups judged; None as long as that is unknown."""
        return gain(self.counts)

    def result(self, new: str, old: str) -> "DuelResult":
        """The state of the test, between bots of these names."""
        judged = self.judge()
        return DuelResult(
            new=new,
            old=old,
            verdict=judged.verdict.value,
            text=self.says,
            groups=judged.groups,
            matches=judged.matches,
            played=self.ended,
            spoiled=self.spoiled,
            pending=self.pending,
            llr=judged.llr,
            llr_opposite=judged.opposite,
            bounds=(judged.lower, judged.upper),
            share=judged.share,
            elo=finite(judged.elo),
            low=finite(judged.low),
            high=finite(judged.high),
            superior=judged.superior,
            normalised_elo=judged.normalised,
            cells=tuple(self.cells.tolist()),
            gain=self.gain,
        )


def _half_points(match: MatchRow, new: int, old: int) -> int:
    rank = {seat.bot: seat.rank for seat in match.seats}
    return 1 + (rank[new] < rank[old]) - (rank[new] > rank[old])

"""The score of a duel: swap groups, judged by a sequential test that stops as soon as it can decide."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.gain import Gain, gain
from bullring.ladder.rating.sequential import Judgement, Sequential, Verdict
from bullring.ladder.standings.scoreboard import Scoreboard
from bullring.ladder.store.packed_row import PackedRow, unpacked
from bullring.ladder.store.rows import ListRow, MatchRow
from bullring.ladder.store.store import Store

SAYS = {
    Verdict.BETTER: "the new bot is better",
    Verdict.NOT_BETTER: "the new bot is not better",
    Verdict.OPEN: "not decided yet",
}


class DuelScore(Scoreboard):
    """The groups of one duel. They hold everything, so nothing else is stored."""

    def __init__(self, store: Store, list_: ListRow, new: int, old: int, test: Sequential) -> None:
        """Start from the groups already in the store."""
        self.test = test
        self._new, self._old = new, old
        self.decided = Verdict.OPEN
        self.counts = np.zeros((3, 3), dtype=np.int64)
        """Number of groups by the new bot's half points, 0 to 2, in the first and in the second match."""
        # In the order in which they were stored, so that a test that was decided is decided by the same group again.
        for matches in store.groups_in(list_.id, "duel"):
            self._take(matches)

    def add(self, rows: Sequence[PackedRow]) -> None:
        """Add the groups that count."""
        counted = map(unpacked, [row for row in rows if row.counted])
        for _, matches in groupby(counted, attrgetter("group")):
            self._take(list(matches))

    def _take(self, matches: Sequence[MatchRow]) -> None:
        """Add the two matches of a group; ignore one left by another duel."""
        if matches[0].bots[:2] != (self._new, self._old):
            return
        first, second = (_half_points(match, self._new, self._old) for match in matches)
        self.counts[first, second] += 1
        if self.decided is Verdict.OPEN:
            self.decided = self.test.judge(self.cells).verdict

    def judge(self) -> Judgement:
        """The state of the test. The first verdict is kept even if matches still in progress change the ratio."""
        return replace(self.test.judge(self.cells), verdict=self.decided)

    def enough(self, bots: Sequence[int]) -> str | None:
        """The verdict in words, once a bound is reached."""
        judged = self.judge()
        return None if judged.verdict is Verdict.OPEN else SAYS[judged.verdict]

    @property
    def cells(self) -> NDArray[np.int64]:
        """Number of groups by the new bot's half points, 0 to 4."""
        return np.array([np.trace(self.counts[::-1], half_points - 2) for half_points in range(5)])

    @property
    def gain(self) -> Gain | None:
        """The gain of swapping the two bots' hands, measured on the groups played; None as long as that is unknown."""
        return gain(self.counts)

    def facts(self) -> dict[str, object]:
        """The state of the test for JSON."""
        judged = self.judge()
        return {
            "verdict": judged.verdict.value,
            "groups": judged.groups,
            "matches": judged.matches,
            "llr": judged.llr,
            "bounds": [judged.lower, judged.upper],
            "share": judged.share,
            "elo": judged.elo,
            "low": judged.low,
            "high": judged.high,
            "superior": judged.superior,
            "normalised_elo": judged.normalised,
            "cells": self.cells.tolist(),
            "gain": None if (gained := self.gain) is None else vars(gained),
        }


def _half_points(match: MatchRow, new: int, old: int) -> int:
    rank = {seat.bot: seat.rank for seat in match.seats}
    return 1 + (rank[new] < rank[old]) - (rank[new] > rank[old])

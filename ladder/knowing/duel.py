"""The score of a duel: swap groups, judged by a sequential test that stops as soon as it can decide."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bullring.ladder.keeping.rows import GroupRow, ListRow, MatchRow
from bullring.ladder.keeping.store import Store
from bullring.ladder.rating.sequential import Judgement, Sequential, Verdict

SAYS = {
    Verdict.BETTER: "the new bot is better",
    Verdict.NOT_BETTER: "the new bot is not better",
    Verdict.OPEN: "not decided yet",
}


class DuelScore:
    """The groups of one duel. A `Scoreboard`."""

    def __init__(self, store: Store, list_: ListRow, new: int, old: int, test: Sequential) -> None:
        """Start from the groups already in the store."""
        self.test = test
        self._new, self._old = new, old
        self.decided = Verdict.OPEN
        self.cells = np.zeros(5, dtype=np.int64)
        """Number of groups by the new bot's half points, 0 to 4."""
        for row in store.done_groups_in(list_.id, "duel"):
            if row.lineup[:2] == (new, old):
                self.add(row, store.matches_of(row.id))

    def add(self, group: GroupRow, matches: Sequence[MatchRow]) -> None:
        """Add a finished group; ignore one left open by another duel."""
        if group.lineup[:2] != (self._new, self._old):
            return
        half_points = 0
        for match in matches:
            rank = {seat.bot: seat.rank for seat in match.seats}
            half_points += 1 + (rank[self._new] < rank[self._old]) - (rank[self._new] > rank[self._old])
        self.cells[half_points] += 1
        if self.decided is Verdict.OPEN:
            self.decided = self.test.judge(self.cells).verdict

    def write(self) -> None:
        """Do nothing: the groups hold everything."""

    def judge(self) -> Judgement:
        """The state of the test. The first verdict is kept even if matches still in progress change the ratio."""
        return replace(self.test.judge(self.cells), verdict=self.decided)

    def rating(self, bot: int) -> float | None:
        """None: a duel rates nobody."""
        return None

    def groups(self, bot: int) -> int:
        """0: a duel does not use the counts."""
        return 0

    def enough(self, bots: Sequence[int]) -> str | None:
        """The verdict in words, once a bound is reached."""
        judged = self.judge()
        return None if judged.verdict is Verdict.OPEN else SAYS[judged.verdict]

    def refresh(self, *, now: bool = False) -> None:
        """Do nothing: the test is judged on demand."""

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
        }

"""Duels of simulated bots: wrong verdicts by the order of judging, groups played in vain, and whether intervals hold."""

import heapq
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bench.figures import table
from bullring.ladder.rating.scales import Floats, share, wilson
from bullring.ladder.rating.sequential import Equal, Sequential, Verdict
from bullring.ladder.standings.duel import LEAST_WAITING, SHARE_WAITING

TIE = 0.03
"""The share of matches without a winner."""
CHUNK = 128
"""Groups drawn at first; then as many as there are."""
MOST = 16 * CHUNK
"""Groups after which a duel that the machine spoils is left undecided."""
TICK = 0.1
"""The time between two looks at what has ended; a group takes 0.5 to 1.5."""

Cells = NDArray[np.int64]
"""Half points of the new bot in groups, 0 to 4."""


def drawn(random: np.random.Generator, elo: float, groups: int) -> Cells:
    """Groups of two independent matches of a bot that is `elo` stronger."""
    level = float(share(elo))
    return np.asarray(random.choice(3, p=[1 - level - TIE / 2, TIE, level - TIE / 2], size=(groups, 2)).sum(axis=1))


@dataclass(frozen=True)
class Spoiling:
    """Groups that the machine spoils, which are played again and speak for no verdict."""

    title: str
    chance: float = 0.0
    cells: tuple[int, ...] = (0, 1, 2, 3, 4)
    """The groups that may be spoiled, by half points: some of them only, as if a bot did it."""

    def believed(self, random: np.random.Generator, elo: float, groups: int) -> NDArray[np.int64]:
        """(groups, 2): half points as a duel believes them, for a higher and for a lower difference."""
        cells = drawn(random, elo, groups)
        spoiled = (random.random(groups) < self.chance) & np.isin(cells, self.cells)
        return np.stack([np.where(spoiled, 0, cells), np.where(spoiled, 4, cells)], axis=1)


NOTHING = Spoiling("nothing")
SPOILED = (
    NOTHING,
    Spoiling("1 %", 0.01),
    Spoiling("20 % of what the new bot loses", 0.2, (0, 1)),
    Spoiling("20 % of what it wins", 0.2, (3, 4)),
)


class Judged(NamedTuple):
    """A duel that has ended."""

    verdict: Verdict
    needed: int
    """The number of groups up to the one that decided it."""
    groups: Cells
    """(N, 2): all groups in the order of their start, some more than these."""

    @property
    def counts(self) -> Cells:
        """(5,): the number of groups that decided it, by half points."""
        return np.bincount(self.groups[: self.needed, 0], minlength=5)


def judged(random: np.random.Generator, test: Sequential, elo: float = 0.0, spoiling: Spoiling = NOTHING) -> Judged:
    """A duel whose groups are judged in the order of their start."""
    groups, counts = np.zeros((0, 2), dtype=np.int64), np.zeros((2, 5), dtype=np.int64)
    while True:
        later = spoiling.believed(random, elo, max(CHUNK, len(groups)))
        first = test.first(counts, [(higher, lower) for higher, lower in later.tolist()])
        if first is not None or (spoiling.chance and len(groups) >= MOST):
            needed, verdict = first or (len(later), Verdict.OPEN)
            return Judged(verdict, len(groups) + needed, np.concatenate([groups, later]))
        groups = np.concatenate([groups, later])
        counts = np.array([np.bincount(column, minlength=5) for column in groups.T])


@dataclass(frozen=True)
class Flight:
    """Groups that are played at the same time."""

    bounds: tuple[float, float]
    groups: int
    slower: float
    """How many times as long a group takes that the new bot loses."""

    def times(self, random: np.random.Generator, cells: Cells, *, ordered: bool = True) -> tuple[Floats, Floats]:
        """When each group begins and ends: one begins when one ends, unless too many wait for an earlier one."""
        took = random.uniform(0.5, 1.5, len(cells)) * np.where(cells < 2, self.slower, 1.0)
        flying: list[tuple[float, int]] = []
        waiting: set[int] = set()
        began, now, judged = np.empty(len(cells)), 0.0, 0
        for number, each in enumerate(took.tolist()):
            while len(flying) == self.groups or (ordered and len(waiting) > max(LEAST_WAITING, SHARE_WAITING * judged)):
                now, ended = heapq.heappop(flying)
                waiting.add(ended)
                while judged in waiting:
                    waiting.remove(judged)
                    judged += 1
            began[number] = now
            heapq.heappush(flying, (now + each, number))
        return began, began + took

    def played(self, random: np.random.Generator, duel: Judged) -> int:
        """The number of groups that have begun when the duel is decided."""
        cells = np.concatenate([duel.groups[:, 0], drawn(random, 0.0, 40 * self.groups)])
        began, ended = self.times(random, cells)
        return int((began < ended[: duel.needed].max()).sum())

    def by_end(self, random: np.random.Generator, test: Sequential) -> Verdict:
        """The verdict on equal bots if groups are judged in the order in which they end."""
        groups = 4 * CHUNK
        while True:
            cells = drawn(random, 0.0, groups)
            began, ended = self.times(random, cells, ordered=False)
            order = np.argsort(np.ceil(ended / TICK), kind="stable")
            seen = cells[order[ended[order] < began[-1]]]  # after that, others would have ended too
            first = test.first(np.zeros((2, 5), dtype=np.int64), [(cell, cell) for cell in seen.tolist()])
            if first is not None:
                return first[1]
            groups *= 2


FLIGHTS = (
    Flight((0.0, 20.0), 8, 1.0),
    Flight((0.0, 20.0), 8, 3.0),
    Flight((0.0, 20.0), 64, 1.5),
    Flight((0.0, 20.0), 64, 10.0),
    Flight((0.0, 80.0), 8, 3.0),
    Flight((0.0, 80.0), 32, 10.0),
    Flight((0.0, 80.0), 64, 3.0),
)

STOPPED = (
    (Sequential(0.0, 10.0), (-10.0, 0.0, 5.0, 10.0, 20.0)),
    (Sequential(0.0, 20.0), (-10.0, 0.0, 10.0, 20.0, 30.0)),
    (Sequential(0.0, 40.0), (-10.0, 0.0, 20.0, 40.0, 50.0)),
    (Sequential(0.0, 120.0), (-10.0, 0.0, 60.0, 120.0, 130.0)),
    (Equal(0.0, 40.0), (0.0, 20.0, 40.0, 50.0)),
)
"""Tests, and true differences."""


def percent(part: float, of: int) -> str:
    """A share with its standard error."""
    return f"{100 * part:.1f} ± {100 * (part * (1 - part) / of) ** 0.5:.1f}"


def orders(console: Console, duels: int) -> None:
    """Print how often one of two equal bots is called better."""
    shown = table(
        f"Equal bots judged in the order of the start, {duels} duels each: better, % (promised 5), groups needed on the average",
        *("bounds", "spoiled by the machine", "better", "at most", "no verdict", "groups"),
    )
    for high in (20.0, 80.0):
        for number, spoiling in enumerate(SPOILED):
            random = np.random.default_rng([25, int(high), number])
            found = [judged(random, Sequential(0.0, high), spoiling=spoiling) for _ in range(duels)]
            better = sum(duel.verdict is Verdict.BETTER for duel in found) / duels
            most, needed = float(wilson(better, duels)[1]), np.mean([duel.needed for duel in found])
            shown.add_row(
                f"0, {high:g}",
                spoiling.title,
                percent(better, duels),
                f"{100 * most:.1f}",
                f"{100 * sum(duel.verdict is Verdict.OPEN for duel in found) / duels:.1f}",
                f"{needed:.0f}",
            )
    console.print(shown)


def flights(console: Console, duels: int) -> None:
    """Print what groups in flight cost, and how often one of two equal bots would be called better if judged as groups end."""
    shown = table(
        f"The same with groups in flight, {duels} duels each; in the last column judged in the order of the end",
        *(
            "bounds",
            "in flight",
            "lost groups take",
            "better",
            "played / needed",
            "without those in flight",
            "better by end",
        ),
    )
    for flight in FLIGHTS:
        random = np.random.default_rng([26, int(flight.bounds[1]), flight.groups])
        test = Sequential(*flight.bounds)
        found = [judged(random, test) for _ in range(duels)]
        played, needed = (
            np.array(part) for part in zip(*((flight.played(random, duel), duel.needed) for duel in found), strict=True)
        )
        better = sum(duel.verdict is Verdict.BETTER for duel in found) / duels
        by_end = sum(flight.by_end(random, test) is Verdict.BETTER for _ in range(duels)) / duels
        shown.add_row(
            f"{flight.bounds[0]:g}, {flight.bounds[1]:g}",
            str(flight.groups),
            f"{flight.slower:g} times",
            percent(better, duels),
            f"{played.sum() / needed.sum():.2f}",
            f"{(played - flight.groups).sum() / needed.sum():.2f}",
            percent(by_end, duels),
        )
    console.print(shown)


def intervals(console: Console, duels: int = 150) -> None:
    """Print how often the interval of a stopped duel holds, and the estimate is too high."""
    shown = table(
        f"Stopped duels, {duels} each: intervals that hold, % (promised 95), estimates too high, % (promised 50)",
        *("test", "true", "hold", "too high", "plain estimate too high", "groups"),
    )
    for test, truths in STOPPED:
        for true in truths:
            random = np.random.default_rng([27, int(test.elo1), int(abs(true))])
            found = [test.judge(judged(random, test, true).counts) for _ in range(duels)]
            shown.add_row(
                f"{'equal within' if isinstance(test, Equal) else '0,'} {test.elo1:g}",
                f"{true:g}",
                percent(float(np.mean([one.low <= true <= one.high for one in found])), duels),
                percent(float(np.mean([one.elo > true for one in found])), duels),
                percent(float(np.mean([one.share > share(true) for one in found])), duels),
                f"{np.mean([one.groups for one in found]):.0f}",
            )
    console.print(shown)


def section(console: Console, duels: int = 2000) -> None:
    """Print wrong verdicts, and with a twentieth as many duels what groups in flight cost."""
    orders(console, duels)
    flights(console, max(1, duels // 20))

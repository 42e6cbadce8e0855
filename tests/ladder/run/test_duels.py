"""Many duels of equal bots as whole runs under a virtual clock: how long groups take, and what spoils them, bends no verdict."""

import heapq
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

import pytest
import trio

from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.games.rules.registry import find
from bullring.arena.match.seeds import Seed
from bullring.ladder.pairing.schedule import Duel
from bullring.ladder.rating.sequential import Sequential
from bullring.ladder.run.dispatch import Plays
from bullring.ladder.run.run import LadderRun, Stops
from bullring.ladder.run.workers.crew import Worker
from bullring.ladder.run.workers.failures import Failures
from bullring.ladder.run.workers.messages import Answer, Drop, Failed, Order, Play, Played, Setup, Spoiled
from bullring.ladder.standings.duel import DuelScore
from tests.ladder.homes import four
from tests.ladder.run.test_run import Ear, outcome
from tests.ladder.run.workers.told import block_of
from tests.support.processes import UNCONFINED

TEST = Sequential(0.0, 80.0)


class _Worker(Worker):
    def __init__(self, crew: "_Crew", number: int) -> None:
        super().__init__()
        self.name = f"worker {number}"
        self.crew = crew

    def say(self, order: Order) -> None:
        if isinstance(order, Play):
            self.crew.give(self, order)


class _Crew:
    """Eight workers that begin at once what they are given. Bot a is as good as bot b, but groups that it loses take longer."""

    def __init__(
        self,
        random: Random,
        slower: float,
        spoils: float,
        nursery: trio.Nursery,
        jobs: int,
        owner: Owner,
    ) -> None:
        self.workers = [_Worker(self, number) for number in range(8)]
        self.failures = Failures(8)
        self._random, self._slower, self._spoils = random, slower, spoils
        self._flying: list[tuple[float, int, _Worker, Play]] = []
        self._numbers = count()
        self._now = 0.0

    def begin(self, setup: Setup) -> None:
        self._setup = setup

    def give(self, worker: _Worker, order: Play) -> None:
        points = self._points(order, 0)
        took = self._random.uniform(0.5, 1.5) * (self._slower if points < 2 else 1.0)
        heapq.heappush(self._flying, (self._now + took, next(self._numbers), worker, order))

    def _points(self, order: Play, attempt: int) -> int:
        """Bot a's half points in a group: the same whenever its deal is played, unless bots of other attempts play it."""
        return sum(Random(f"{order.matches[0].seed.seed} {attempt}").choices((0, 2), k=2))

    async def flush(self) -> None:
        pass

    async def answers(self, wait: float, gather: float) -> Sequence[tuple[_Worker, Answer | None]]:
        await trio.lowlevel.checkpoint()
        if not self._flying:
            return []
        self._now, _, worker, order = heapq.heappop(self._flying)
        if self._random.random() < 0.02:
            return [(worker, Failed(order.id, "no cgroup can be created"))]
        points, spoiled = self._points(order, 0), order.spoiled
        if points < 2 and self._random.random() < self._spoils:
            # What it would lose becomes void, and its next try may be a better one.
            points, spoiled = self._points(order, 1), (*spoiled, Spoiled(True, "the machine stood still"))
        matches = []
        for match, won in zip(order.matches, [(0, 0), (0, 2), (2, 2)][points // 2], strict=True):
            matches.append(outcome(match, [(1 if (bot.name == "a") == (won == 2) else 2) for bot in match.bots]))
        return [(worker, block_of(order, Played(order.id, matches, spoiled), self._setup))]

    def say(self, order: Order) -> None:
        assert isinstance(order, Drop)

    def wake(self) -> None:
        pass

    def lost(self, worker: Worker) -> str:
        raise AssertionError("nobody dies here")

    async def close(self) -> None:
        pass


def better(folder: Path, monkeypatch: pytest.MonkeyPatch, duels: int, slower: float, spoils: float) -> int:
    """The number of duels after which bot a is called better."""
    found = 0
    home, random = four(folder / "home"), Random(f"{slower} {spoils}")
    monkeypatch.setattr(Seed, "draw", staticmethod(lambda: Seed(str(random.random()), str(random.random()))))
    monkeypatch.setattr("bullring.ladder.run.run.LocalCrew", partial(_Crew, random, slower, spoils))
    with closing(home.store()) as store:
        for number in range(duels):
            game = find("standard")(2, {"deals": number + 1})  # each duel has a list of its own
            list_ = store.list_of(game.id, game.options, 2)
            score = DuelScore(store, list_, 1, 2, TEST)
            plays = Plays(list_, "duel", "swap", Duel(2, 1, 2, ()))
            run = LadderRun(home, store, plays, score, Stops(400), 8, Ear())
            trio.run(run.run, home.settings(), UNCONFINED)
            found += score.decided.value == "better"
            judged = score.judge().groups
            # A tenth is given ahead to each of eight workers, or three groups; 15 % wait, or six; and a few fail meanwhile.
            assert score.ended <= 1.15 * judged + 8 * max(3, 0.1 * judged / 8) + 12
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("slower", "spoils"), [(1.0, 0.0), (10.0, 0.0), (3.0, 0.3)])
def test_no_timing_and_no_spoiling_wins_a_duel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slower: float, spoils: float
) -> None:
    """Equal bots: 5 % of duels end with "better", and of 100 more than 14 in one of ten thousand."""
    assert better(tmp_path, monkeypatch, 100, slower, spoils) <= 14

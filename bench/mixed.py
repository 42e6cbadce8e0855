"""Ladders of bots that compute, wait, or answer at once, in virtual time: who gets the machine, how soon, and what is forecast.

Everything is a ladder's own, from the schedule to the tables of its referee processes and its store. Only bots and processors are
made up: each referee process has a core, which its bots share, and whoever thinks takes turns as in `arena.match.clock.waves`. So
the figures are those of a machine of one's own, however busy this one is.

`python -m bench.mixed` prints all tables; with `demo`, `slow`, `waiting` or `forecast` only one of them.
"""

import argparse
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from heapq import heappop, heappush
from pathlib import Path
from statistics import fmean
from unittest.mock import patch

import numpy as np
import trio
from rich.console import Console
from trio.testing import MockClock

from bench.figures import Target, show_targets, table, wide_console
from bench.ladders import WISH, new_home
from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.match.cost import Spent
from bullring.arena.match.seats.player import Player
from bullring.arena.match.seats.pool import open_pool, share_of_machine
from bullring.arena.settings.limits import MICRO, Limits
from bullring.ladder.pairing.informed import Informed
from bullring.ladder.rating.scales import ELO
from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.run.progress import Happening, Progress
from bullring.ladder.run.run import LadderRun, Plays, Stops
from bullring.ladder.run.workers.crew import AnyCrew, Worker
from bullring.ladder.run.workers.failures import Failures
from bullring.ladder.run.workers.lanes import Tables
from bullring.ladder.run.workers.messages import Drop, Order, Play, Played, Setup, Told
from bullring.ladder.run.workers.outbox import GATHER, CarriedOut
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.rows import SeatRow
from tests.arena.match.seats.test_pool import Machine
from tests.ladder.run.workers.told import block_of, outcome_of

TURNS = 11
"""Decisions of a seat in a match of one deal."""

REFEREE, MATCH = 60e-6, 600e-6
"""Seconds of a referee process for a decision and for a match."""

QUICK = 2e-3
"""A turn is slow after this: from then on its bots think one after another."""

SLICE = 0.05

START = 0.1
"""Seconds until a process says hello."""

JOBS = 2


@dataclass(frozen=True)
class Kind:
    """What a bot does for a decision."""

    computes: float = 150e-6
    waits: float = 0.0


GREEDY, THINKER, HEAVY = Kind(), Kind(0.05), Kind(0.1)
"""A bot in Python that answers at once, one that thinks, and one that thinks for long."""

NETWORK = Kind(200e-6, 1.0)
"""A bot that waits for something elsewhere."""


class Core:
    """A processor that all who compute share alike."""

    def __init__(self) -> None:
        self._served = self._since = 0.0
        self._ends: list[tuple[float, int]] = []
        self._events: dict[int, trio.Event] = {}
        self._count = 0
        self._changed = trio.Event()
        self.thinking = trio.Lock()

    def _pass(self) -> None:
        now = trio.current_time()
        if self._ends:
            self._served += (now - self._since) / len(self._ends)
        self._since = now

    async def use(self, seconds: float) -> None:
        """Compute."""
        self._pass()
        self._count += 1
        own = self._events[self._count] = trio.Event()
        heappush(self._ends, (self._served + seconds, self._count))
        self._changed.set()
        await own.wait()

    async def think(self, seconds: float) -> None:
        """Compute for long, in turns with others who do."""
        while seconds > 0:
            async with self.thinking:
                await self.use(min(seconds, SLICE))
            seconds -= SLICE

    async def serve(self) -> None:
        """Let time pass. Never returns."""
        while True:
            self._changed = trio.Event()
            left = (self._ends[0][0] - self._served) * len(self._ends) if self._ends else float("inf")
            with trio.move_on_after(max(left, 0.0)):
                await self._changed.wait()
            self._pass()
            while self._ends and self._ends[0][0] <= self._served + 1e-9:
                self._events.pop(heappop(self._ends)[1]).set()


@dataclass(eq=False)
class Referee(Worker):
    """A referee process that plays made-up bots."""

    kinds: Mapping[str, Kind]
    told: Callable[["Referee", CarriedOut | Told], None]
    strengths: Mapping[str, float]
    random: np.random.Generator
    used: defaultdict[str, float]
    core: Core = field(default_factory=Core)
    unweighed: defaultdict[Player, float] = field(default_factory=lambda: defaultdict(float))
    weighed: dict[Player, float] = field(default_factory=dict)
    matches: Counter[Player] = field(default_factory=Counter)
    name: str = "referee process"

    def __post_init__(self) -> None:
        super().__init__()
        self.orders: list[Order] = []

    def say(self, order: Order) -> None:
        self.orders.append(order)

    async def work(self) -> None:
        """Play. Never returns."""
        machine = Machine(START, 0.01)
        machine.freeze = False
        async with trio.open_nursery() as nursery:
            machine.nursery = nursery
            nursery.start_soon(self.core.serve)
            async with open_pool(Limits(), machine, replace(share_of_machine(JOBS), memory=0)) as self._pool:
                self._tables = Tables(nursery, self._pool, self._play, lambda answer: self.told(self, answer))
                nursery.start_soon(self._tables.look)
                self.flush()
                await trio.sleep_forever()

    def flush(self) -> None:
        """Take the orders that were said."""
        if hasattr(self, "_tables"):
            orders, self.orders = self.orders, []
            for order in orders:
                match order:
                    case Play():
                        self._tables.take(order)
                    case Drop(bots):
                        self._tables.drop(bots)

    async def _play(self, order: Play) -> CarriedOut | Told:
        (match,) = order.matches
        began = trio.current_time()
        players = [player for player in await self._pool.seat(match.bots) if isinstance(player, Player)]
        await self.core.use(MATCH)
        for _ in range(TURNS):
            await self._turn([bot.name for bot in match.bots], players)
        spent = [self._spent(bot, player) for bot, player in zip(match.bots, players, strict=True)]
        await self._pool.release(players)
        names = [bot.name for bot in match.bots]
        luck = [self.strengths[name] / ELO + self.random.gumbel() for name in names]
        ranks = [1 + sum(other > own for other in luck) for own in luck]
        seats = [
            SeatRow(bot, 5 * rank, rank, [], False, {20: TURNS}, {}, cost)
            for bot, rank, cost in zip(match.ids, ranks, spent, strict=True)
        ]
        outcome = outcome_of(match, seats)
        row = outcome.row._replace(began=_told_at(began), ended=_told_at(trio.current_time()))
        outcome = outcome._replace(row=row)
        return CarriedOut(Played(order.id, [outcome]), [(order.id, b"")])

    async def _turn(self, names: Sequence[str], players: Sequence[Player]) -> None:
        """Quick bots answer one after another, the others side by side."""

        async def answer(name: str, player: Player) -> None:
            kind = self.kinds[name]
            player.connection.ask()
            await self.core.use(REFEREE + min(kind.computes, QUICK))
            await self.core.think(kind.computes - QUICK)
            if kind.waits:
                await trio.sleep(kind.waits)
            player.connection.give_up()
            self.used[name] += kind.computes
            self.unweighed[player] += kind.computes

        seats = list(zip(names, players, strict=True))
        slow = [seat for seat in seats if self.kinds[seat[0]].computes + self.kinds[seat[0]].waits > QUICK]
        async with trio.open_nursery() as nursery:
            for seat in slow:
                nursery.start_soon(answer, *seat)
            for seat in seats:
                if seat not in slow:
                    await answer(*seat)

    def _spent(self, bot: Bot, player: Player) -> Spent:
        """As a pool tells it: who uses little is seldom weighed, and the first time with its start."""
        kind, now = self.kinds[bot.name], trio.current_time()
        self.matches[player] += 1
        starts = int(self.matches[player] == 1)
        cpu = 0.0
        if starts or self.matches[player] % 16 == 1 or now - self.weighed.get(player, now) > 1.0:
            cpu = self.unweighed.pop(player, 0.0) + starts * START / 2
            self.weighed[player] = now
        return Spent(round(TURNS * (kind.computes + kind.waits) * MICRO), round(cpu * MICRO), starts)


def _told_at(seconds: float) -> str:
    return datetime.fromtimestamp(1_800_000_000 + seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Crew(AnyCrew[Referee]):
    """Such referee processes."""

    def __init__(self, sim: "Simulated", nursery: trio.Nursery, jobs: int, owner: Owner) -> None:
        super().__init__(Failures(jobs))
        self._sim, self._nursery = sim, nursery
        self.workers = [Referee(sim.kinds, self._told, sim.strengths, sim.random, sim.used) for _ in range(jobs)]

    def begin(self, setup: Setup) -> None:
        """Begin to play. No time has passed before."""
        self._setup = setup
        for worker in self.workers:
            self._nursery.start_soon(worker.work)

    def _told(self, worker: Referee, answer: CarriedOut | Told) -> None:
        self._nursery.start_soon(self._deliver, worker, answer)

    async def _deliver(self, worker: Referee, answer: CarriedOut | Told) -> None:
        if isinstance(answer, CarriedOut):
            self._sim.ended.append((trio.current_time(), worker.playing[answer.played.id].matches[0].bots))
            await trio.sleep(GATHER)
            await self.take(worker, block_of(worker.playing[answer.played.id], answer.played, self._setup))
        else:
            await self.take(worker, answer)

    async def flush(self) -> None:
        for worker in self.workers:
            worker.flush()

    def lost(self, worker: Worker) -> str:
        raise AssertionError

    async def close(self) -> None:
        pass


@dataclass
class Simulated:
    """A fresh home, played for some virtual seconds."""

    kinds: Mapping[str, Kind]
    seed: int = 1
    jobs: int = JOBS
    used: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """The processor time of each bot."""
    ended: list[tuple[float, Sequence[Bot]]] = field(default_factory=list)
    """When each match ended, and its bots."""
    widths: list[tuple[float, int, float]] = field(default_factory=list)
    """The time, the matches that were rated and the widest interval, again and again from the forecast on."""
    told: More | None = None
    """The forecast."""
    until: Callable[["Simulated"], bool] | None = None
    """When to end before its time; then there is a forecast."""
    wants_matches = False

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)
        self.strengths = dict(zip(self.kinds, self.random.normal(0.0, 150.0, len(self.kinds)), strict=True))

    def happened(self, happening: Happening) -> None:
        """Ignore what happens."""

    def tick(self, progress: Progress) -> None:
        """Note what people are told."""
        now = trio.current_time()
        if self.until is not None and now >= FORECAST_AT and self.standings.refresh():
            width = max(row.error for row in self.standings.rows() if row.error is not None)
            self.widths.append((now, self.standings.rated, width))
            if self.told is None and (more := self.standings.more()) is not None:
                self.told = more
        if trio.current_time() >= self.seconds or (self.until is not None and self.until(self)):
            self.run.stop("measured")

    def play(self, seconds: float) -> "Simulated":
        """Play."""
        self.seconds = seconds
        with tempfile.TemporaryDirectory(prefix="bullring-bench-") as name:
            home, store, list_ = new_home(Path(name), len(self.kinds), "true", names=list(self.kinds))
            with closing(store):
                self.standings = Standings(store, list_, None, None)
                plays = Plays(list_, "ladder", None, Informed(list_.seats, np.random.default_rng(self.seed)))
                with virtual(self):
                    rated = Rated(home, store, list_)
                    self.run = LadderRun(home, store, plays, rated, Stops(), self.jobs, self)
                    trio.run(self.run.run, home.settings(), WISH, clock=MockClock(autojump_threshold=0))
                self.standings.refresh(now=True)
        return self


@contextmanager
def virtual(sim: Simulated) -> Iterator[None]:
    """Inside, the coordinator has such a crew, its clock is trio's, and it rates by itself."""
    real = time.monotonic

    def now() -> float:
        try:
            return trio.current_time()
        except RuntimeError:
            return real()

    with (
        patch("bullring.ladder.run.run.LocalCrew", partial(Crew, sim)),
        patch("bullring.ladder.run.live_ratings.MANY", float("inf")),
        patch("time.monotonic", now),
    ):
        yield


DEMO = {"a": GREEDY, "b": GREEDY, "c": GREEDY, "d": GREEDY, "e": THINKER, "f": THINKER}


def demo(console: Console) -> list[Target]:
    """A fresh home of four quick and two thinking bots."""
    shown = table(
        "Fresh homes of 4 quick and 2 thinking bots: matches in each second", "run", *map(str, range(10)), "later"
    )
    shares = []
    for seed in range(1, 5):
        order = list(DEMO)
        np.random.default_rng(seed).shuffle(order)
        sim = Simulated({name: DEMO[name] for name in order}, seed).play(20.0)
        each = Counter(int(when) for when, _ in sim.ended)
        later = fmean(each[second] for second in range(10, 20))
        shown.add_row("".join(order), *(str(each[second]) for second in range(10)), f"{later:.0f}")
        shares.append(min(each[second] for second in range(2, 10)) / later)
    console.print(shown)
    return [
        Target("matches in each second from the third on v later, worst of four runs", min(shares), 0.6, at_least=True)
    ]


def slow(console: Console) -> list[Target]:
    """A bot that computes among five quick ones."""
    shown = table(
        "A bot that computes for 100 ms among five quick ones",
        *("referee processes", "its share of a core", "its matches", "all", "its interval", "widest other"),
    )
    targets = []
    for jobs in (1, 2):
        kinds = {**dict.fromkeys("abcde", GREEDY), "slow": HEAVY}
        sim = Simulated(kinds, jobs=jobs).play(60.0)
        share = sim.used["slow"] / sim.seconds
        shown.add_row(f"{jobs}", f"{share:.2f}", *_of(sim, ["slow"]))
        targets.append(Target(f"a bot that computes v its core, {jobs} referee processes", share, 0.9, at_least=True))
    console.print(shown)
    return targets


def waiting(console: Console) -> list[Target]:
    """Bots that wait among quick ones."""
    shown = table(
        "Bots that wait for 1 s among five quick ones",
        *(
            "waiting",
            "most of their tables at a time",
            "their matches",
            "all",
            "widest interval of theirs",
            "of others",
        ),
    )
    for count in (1, 2, 4):
        those = [f"w{number}" for number in range(count)]
        sim = Simulated({**dict.fromkeys("abcde", GREEDY), **dict.fromkeys(those, NETWORK)}, jobs=1).play(60.0)
        own = [when for when, bots in sim.ended if any(bot.name in those for bot in bots)]
        most = max(sum(when < other <= when + TURNS for other in own) for when in own)
        shown.add_row(f"{count}", f"{most}", *_of(sim, those))
    console.print(shown)
    return []


def _of(sim: Simulated, names: Sequence[str]) -> tuple[str, ...]:
    """The matches of these bots, all, and the widest intervals of these and of the others."""
    rows = {row.bot: row.error or 0.0 for row in sim.standings.rows()}
    own = sum(any(bot.name in names for bot in bots) for _, bots in sim.ended)
    ones, others = (max(rows[name] for name in rows if (name in names) is inside) for inside in (True, False))
    return f"{own}", f"{len(sim.ended)}", f"{ones:.0f}", f"{others:.0f}"


HOMES: dict[str, Mapping[str, Kind]] = {
    "6 quick": dict.fromkeys("abcdef", GREEDY),
    "12 quick, of 3 paces": {f"{n}": Kind(150e-6 * 2 ** (n % 3)) for n in range(12)},
    "4 quick, 2 thinking": DEMO,
    "5 quick, one of 100 ms": {**dict.fromkeys("abcde", GREEDY), "slow": HEAVY},
    "9 quick, one of 30 ms": {**dict.fromkeys("abcdefghi", GREEDY), "slow": Kind(0.03)},
    "5 quick, one that waits": {**dict.fromkeys("abcde", GREEDY), "waits": NETWORK},
}

FORECAST_AT = 30.0
"""Second of a run whose forecast is compared."""

RUNS, MANY = 5, 1000
"""Runs of a home, unless fewer take so many matches. A few dozen more or less are chance, so forecast and truth are summed."""


def forecast(console: Console) -> list[Target]:
    """The forecast of a running ladder, beside what came."""
    shown = table(
        f"The next 5 Elo, as forecast after {FORECAST_AT:g} s, beside the truth",
        *("home", "widest then", "matches", "truly", "factor", "seconds", "truly", "factor"),
    )
    worst = {"matches": 0.0, "seconds": 0.0}
    for title, kinds in HOMES.items():
        width, told, truth = 0.0, {"matches": 0.0, "seconds": 0.0}, {"matches": 0.0, "seconds": 0.0}
        for seed in range(1, RUNS + 1):
            if truth["matches"] >= MANY:
                break
            found = _came(Simulated(kinds, seed, until=lambda sim: _came(sim) is not None).play(600.0))
            if found is not None:
                more, width, matches, seconds = found
                told = {"matches": told["matches"] + more.matches, "seconds": told["seconds"] + (more.seconds or 0.0)}
                truth = {"matches": truth["matches"] + matches, "seconds": truth["seconds"] + seconds}
        cells = [f"{width:.0f}"]
        for what, ahead in told.items():
            factor = max(ahead / truth[what], truth[what] / ahead)
            worst[what] = max(worst[what], factor)
            cells += [f"{ahead:.3g}", f"{truth[what]:.3g}", f"{factor:.2f}"]
        shown.add_row(title, *cells)
    console.print(shown)
    return [Target(f"forecast of {what} v truth, worst of {len(HOMES)} homes", worst[what], 1.3) for what in worst]


def _came(sim: Simulated) -> tuple[More, float, int, float] | None:
    """The first forecast after the time, the widest interval then, and what it took; None while that is not known."""
    if sim.told is None:
        return None
    began, rated, now = sim.widths[0]
    came = next(((when, count) for when, count, width in sim.widths if width <= sim.told.width), None)
    return None if came is None else (sim.told, now, max(1, came[1] - rated), came[0] - began)


PARTS: Mapping[str, Callable[[Console], list[Target]]] = {
    "demo": demo,
    "slow": slow,
    "waiting": waiting,
    "forecast": forecast,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; default: all")
    given, console = parser.parse_args(), wide_console()
    targets: list[Target] = []
    for name in given.parts or PARTS:
        targets += PARTS[name](console)
    show_targets(console, targets)


if __name__ == "__main__":
    main()

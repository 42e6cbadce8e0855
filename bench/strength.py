"""The gauntlet: how strong bots are with the same processor time, without a referee, a sandbox or a clock that others disturb.

    python -m bench.strength [BOT[:LIMIT]...] [--game standard] [--seats 4] [--budget 100ms] [--minutes 20] [--jobs 2]

A bot is @NAME, a folder with a bot.toml or a command line; LIMIT is the limit it is told instead of the budget, so a bot can be
compared with itself. `seer` is a player that sees all hands: the ceiling. Bots of others take part by a bot.toml of their own.

Each job is a process with all bots, one of which thinks at a time. A deal is played once for each seat, and the line-up moves on
by a seat between, so that everybody plays every hand. All bots are told `"clock": "core"`, and those that measure wall-clock
time all the same are given processor time (`core_clock.c`; it needs gcc), so nothing depends on how busy the machine is. What
each of them really took is measured and printed.

A pair of seats is a result, a tie half a win for both. The strengths are those of Bradley and Terry, their intervals the spread
of such strengths in 300 draws of as many deals, with replacement (the bootstrap), so they know that matches of the same deal
depend on each other.
"""

import argparse
import json
import multiprocessing
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from random import Random
from typing import Any, Protocol

import msgpack
import numpy as np
import trio
from numpy.typing import NDArray
from rich.console import Console

from bench.figures import table, wide_console
from bench.programs import compiled
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.cache import built_here
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.program import OURS, PYTHON
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.game import Batch, Game, Option, Shuffle
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.games.simulator import playouts, position
from bullring.arena.settings.limits import parse_duration
from bullring.errors import BullringError, first_error

HOUSE = ("@strong", "@strong-cpp", "@montecarlo", "@quick", "@greedy")
SEER = "seer"
ANCHORS = ("@montecarlo", "@greedy")
"""The first of these that plays has 0 Elo; without one, the mean has."""
DRAWS, FEW = 300, 10
"""Draws of the bootstrap, and the number of deals below which it tells nothing."""
ELO = 400 / np.log(10)

Message = dict[str, Any]
Floats = NDArray[np.float64]


class Player(Protocol):
    """Whoever sits at the table."""

    def welcome(self, message: Message) -> None:
        """A match begins."""

    def decide(self, message: Message, hands: Sequence[Sequence[int]]) -> Any:
        """Answer a question. `hands` are those of all seats: a program is not told them."""

    def seconds(self) -> float:
        """The processor time since the start."""


class Program:
    """A bot in a process of its own, asked over its pipes. It ends when they are closed."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        words = [sys.executable if word in (PYTHON, OURS) else word for word in command]
        shim = compiled("core_clock", "-shared", "-fPIC")
        env = {**os.environ, "LD_PRELOAD": str(shim)} if shim else None
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(words, cwd=folder, env=env, stdin=pipe, stdout=pipe, stderr=nowhere)
        assert isinstance(self.process.stdout, BufferedReader)
        self._reader = self.process.stdout
        self._in_json = self._reader.peek(1)[:1] == b"{"
        self._unpacker = msgpack.Unpacker()
        self._clock = (~self.process.pid << 3) | 2  # the kernel's number of its CLOCK_PROCESS_CPUTIME_ID
        self._hear()

    def welcome(self, message: Message) -> None:
        """A match begins."""
        self._tell(message)

    def decide(self, message: Message, hands: Sequence[Sequence[int]]) -> Any:
        """Ask, and wait for the answer."""
        self._tell(message)
        said = self._hear()
        return said["option"] if "option" in said else message["options"][said["index"]]

    def seconds(self) -> float:
        """Its processor time, all threads together."""
        return time.clock_gettime(self._clock)

    def _tell(self, message: Message) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n" if self._in_json else msgpack.packb(message))
        self.process.stdin.flush()

    def _hear(self) -> Message:
        if self._in_json:
            found: Message = json.loads(self._reader.readline() or "{}")
            if not found:
                raise RuntimeError(f"{shlex.join(self.process.args)} has ended")  # type: ignore[arg-type]
            return found
        while True:
            for said in self._unpacker:
                return dict(said)
            data = self._reader.read1()
            if not data:
                raise RuntimeError(f"{shlex.join(self.process.args)} has ended")  # type: ignore[arg-type]
            self._unpacker.feed(data)


class Seer:
    """Plays each option to the end of the deal with everybody's true cards; what the others choose it does not know.

    In games that the simulator covers; elsewhere, and when asked for something else, it takes the first option.
    """

    PLAYOUTS = 600
    """Of each option: more change nothing."""

    def welcome(self, message: Message) -> None:
        """Remember the match."""
        self.match = message

    def decide(self, message: Message, hands: Sequence[Sequence[int]]) -> Any:
        """The option with the fewest heads, less a part of those of the others."""
        options, view, seats = message["options"], message["view"], self.match["seats"]
        if len(options) == 1:
            return options[0]
        try:
            here = position(self.match["game"], self.match["options"], seats, view, message["kind"])
        except ValueError:
            return options[0]
        given = np.zeros((seats, max(map(len, hands)) or 1), np.int64)
        for seat, hand in enumerate(hands):
            given[seat, : len(hand)] = sorted(hand)
        policies = ["sharp" if seat == view["seat"] else "trained" for seat in range(seats)]
        drawn = np.repeat(given[None], self.PLAYOUTS, axis=0)
        heads = playouts(here, options, policies, self.PLAYOUTS, Random(str(view)).getrandbits(60), hands=drawn).mean(0)
        own = heads[:, view["seat"]]
        return options[int((own - 0.3 * (heads.sum(1) - own) / (seats - 1)).argmin())]

    def seconds(self) -> float:
        """The processor time of this process."""
        return time.process_time()


@dataclass(frozen=True)
class Entry:
    """Who takes part."""

    name: str
    command: tuple[str, ...]
    """Empty for the seer."""
    folder: Path
    limit: float
    """Seconds that it is told for each decision."""


@dataclass(frozen=True)
class Played:
    """A deal, played once for each seat. Arrays are by entry."""

    points: Floats
    """(K, K): the results that the first won against the second."""
    heads: Floats
    """Of all its seats together."""
    seats: Floats
    """How often it sat at a table."""
    answers: Floats
    """Decisions with more than one option."""
    seconds: Floats
    """Processor time of these."""
    most: Floats
    """Of the longest one."""


class Table:
    """The bots of a job, and what they play."""

    def __init__(self, entries: Sequence[Entry], game: str, seats: int, seed: str) -> None:
        kind = GAMES[game]
        names = {spec.name for spec in kind.option_specs}
        self.entries, self.seed = entries, seed
        self.game: Game[Any] = kind(seats, {"deals": 1} if "deals" in names else {})
        self.players: dict[tuple[int, int], Program | Seer] = {}
        """By entry and the number of its copy: an entry may have several seats."""

    def player(self, entry: int, copy: int) -> Program | Seer:
        """A player, started when it is first needed."""
        if (entry, copy) not in self.players:
            of = self.entries[entry]
            self.players[entry, copy] = Program(of.command, of.folder) if of.command else Seer()
        return self.players[entry, copy]

    def group(self, number: int) -> Played:
        """Play deal `number` once for each seat."""
        many, seats = len(self.entries), self.game.seats
        found = Played(np.zeros((many, many)), *(np.zeros(many) for _ in range(5)))
        drawn = list(lineup(many, seats, Random(f"{self.seed} {number}")))
        for turned in range(seats):
            at_seats = drawn[-turned:] + drawn[:-turned]
            heads = self.match(at_seats, f"{self.seed} {number}", found)
            for seat, entry in enumerate(at_seats):
                found.heads[entry] += heads[seat]
                found.seats[entry] += 1
                for other, rival in enumerate(at_seats):
                    if entry != rival:
                        found.points[entry, rival] += 0.5 * (
                            (heads[seat] < heads[other]) + (heads[seat] <= heads[other])
                        )
        return found

    def match(self, at_seats: Sequence[int], seed: str, counted: Played) -> Sequence[int]:
        """Play, and return the heads by seat."""
        game, seats = self.game, len(at_seats)
        players = [self.player(entry, at_seats[:seat].count(entry)) for seat, entry in enumerate(at_seats)]
        for seat, player in enumerate(players):
            facts = {"game": game.id, "options": dict(game.options), "seats": seats, "seat": seat, "start": game.start}
            rest = {"limits": {}, "clock": "core", "strikes": 3, "seed": Random(f"{seed} {seat}").getrandbits(50)}
            player.welcome({"type": "welcome", "protocol": 1, "commitment": "", **facts, **rest})
        state, news = game.new(), [list[Any]() for _ in players]
        while isinstance(waits := state.pending, Shuffle | Batch):
            if isinstance(waits, Shuffle):
                happened = game.advance_deal(state, shuffled(waits.deck, waits.cards, seed, state.deal + 1))
            else:
                hands = [game.view(state, seat).get("hand", []) for seat in range(seats)]
                answers = []
                for seat, options in zip(waits.seats, waits.options, strict=True):
                    of = at_seats[seat]
                    micros = int(1e6 * self.entries[of].limit)
                    question = {
                        "type": "decide",
                        "kind": waits.kind,
                        "view": game.view(state, seat),
                        "options": options,
                        "time": {"limit_us": micros, "bank_us": 0, "last_us": 0},
                        "events": news[seat],
                        "id": 1,
                    }
                    before = players[seat].seconds()
                    said = players[seat].decide(question, hands)
                    took = players[seat].seconds() - before
                    if len(options) > 1:
                        counted.answers[of] += 1
                        counted.seconds[of] += took
                        counted.most[of] = max(counted.most[of], took)
                    option: Option = tuple(said) if isinstance(said, list) else said
                    if option not in options:
                        raise RuntimeError(f"{self.entries[of].name} answered {said!r:.40} to {question!r:.200}")
                    answers.append(option)
                    news[seat] = []
                happened = game.advance(state, answers)
            for events in news:
                events += happened
        scores: Sequence[int] = state.scores
        return scores


def lineup(many: int, seats: int, chance: Random) -> Iterator[int]:
    """Who of `many` sits where: everybody as often as possible."""
    while seats > 0:
        drawn = chance.sample(range(many), min(many, seats))
        yield from drawn
        seats -= len(drawn)


def strengths(points: Floats) -> Floats:
    """(K,): the strengths in Elo, of mean 0, for the points (K, K) of each against each (Hunter, 2004).

    A tie of everybody with everybody that met is added, which keeps those finite who won or lost everything.
    """
    met = points + points.T
    tied = 0.5 * (met > 0)
    points, met = points + tied, met + 2 * tied
    found = np.ones(len(points))
    for _ in range(500):
        found = points.sum(1) / (met / np.add.outer(found, found)).sum(1)
        found /= np.exp(np.log(found).mean())
    return np.asarray(ELO * np.log(found))


def intervals(points: Floats, anchor: int | None) -> tuple[Floats, Floats]:
    """(K,) twice: strengths in Elo against the anchor, or the mean, and half of their 95 % intervals. `points` is (deals, K, K)."""

    def against(one: Floats) -> Floats:
        found = strengths(one)
        return found if anchor is None else found - found[anchor]

    chance = np.random.default_rng(1)
    weights = chance.multinomial(len(points), np.full(len(points), 1 / len(points)), size=DRAWS)
    drawn = [against(np.tensordot(one.astype(np.float64), points, 1)) for one in weights]
    return against(points.sum(0)), 1.96 * np.std(drawn, axis=0)


_TABLE: list[Table] = []
"""That of this process, if it is a job."""


def _sit(entries: Sequence[Entry], game: str, seats: int, seed: str) -> None:
    _TABLE.append(Table(entries, game, seats, seed))


def _play(number: int) -> Played:
    return _TABLE[0].group(number)


async def _ready(texts: Sequence[str]) -> list[tuple[tuple[str, ...], Path]]:
    """The commands and folders of these bots, built as for a match."""
    async with open_sandbox(Wish(allow_unsandboxed=True)) as sandbox:
        bots = await built_here([load(text) for text in texts], sandbox, BuildLimits())
    return [(tuple(bot.program.command), bot.program.folder) for bot in bots]


def entered(texts: Sequence[str], budget: float) -> list[Entry]:
    """What the arguments ask for. Raises `BullringError`."""
    asked = []
    for text in texts:
        bot, colon, limit = text.rpartition(":")
        asked.append((text, bot if colon else limit, parse_duration(limit) if colon else budget))
    programs = iter(trio.run(_ready, [bot for _, bot, _ in asked if bot != SEER]))
    return [Entry(text, *(((), Path()) if bot == SEER else next(programs)), limit) for text, bot, limit in asked]


def show(console: Console, entries: Sequence[Entry], found: Sequence[Played], title: str) -> None:
    """Print the table."""
    names = [entry.name for entry in entries]
    anchor = next((names.index(name) for name in ANCHORS if name in names), None)
    elo, errors = intervals(np.array([each.points for each in found]), anchor)
    heads, seats, answers, seconds = (
        sum(getattr(each, name) for each in found) for name in ("heads", "seats", "answers", "seconds")
    )
    most = np.max([each.most for each in found], axis=0)
    shown = table(title, "bot", "Elo", "±", "heads", "ms", "most ms", "matches")
    for at in np.argsort(-elo):
        error = "" if at == anchor else "?" if len(found) < FEW else f"{errors[at]:.0f}"
        cells = [f"{elo[at]:+.0f}", error, f"{heads[at] / seats[at]:.2f}"]
        times = [f"{1000 * seconds[at] / max(answers[at], 1):.1f}", f"{1000 * most[at]:.0f}"]
        shown.add_row(names[at], *cells, *times, f"{seats[at]:.0f}")
    console.print(shown)


def main() -> None:
    """Play, and print how strong everybody is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("bots", nargs="*", default=HOUSE, metavar="BOT[:LIMIT]", help=f"default: {' '.join(HOUSE)}")
    parser.add_argument("--game", default="standard", choices=list(GAMES))
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--budget", default="100ms", help="the limit that bots are told for each decision (100ms)")
    parser.add_argument("--minutes", type=float, default=20.0, help="how long to play (20)")
    parser.add_argument("--deals", type=int, default=10**9, help="most deals, each played once for each seat")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seed", default="strength")
    asked = parser.parse_args()
    console = wide_console()
    if compiled("core_clock", "-shared", "-fPIC") is None:  # here, before the jobs need it
        console.print("no gcc: bots that measure wall-clock time think less on a busy machine")
    try:
        entries = entered(asked.bots, parse_duration(asked.budget))
        if len(entries) < 2:
            parser.error("two bots at least")
        GAMES[asked.game](asked.seats, {})  # says here, not in each job, how many seats there may be
        found = gauntlet(entries, asked.game, asked.seats, asked.seed, asked.deals, asked.minutes, asked.jobs)
    except (BaseExceptionGroup, BullringError, RuntimeError) as raised:
        error = first_error(raised)
        if not isinstance(error, BullringError | RuntimeError):
            raise
        sys.exit(str(error))
    load_now = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    deals = f"{len(found)} deal{'s' if len(found) > 1 else ''}"
    title = f"{asked.game}, {asked.seats} seats, limit {asked.budget}: {deals}, each {asked.seats} times; {load_now}"
    show(console, entries, found, title)


def gauntlet(
    entries: Sequence[Entry], game: str, seats: int, seed: str, deals: int, minutes: float, jobs: int
) -> list[Played]:
    """Play until all deals are played or the time is over. The first one is played by each job, whatever the time."""
    end, found, number = time.monotonic() + 60 * minutes, list[Played](), 0
    with ExitStack() as stack:
        context = multiprocessing.get_context("spawn")
        pool = stack.enter_context(ProcessPoolExecutor(jobs, context, _sit, (entries, game, seats, seed)))
        playing: set[Future[Played]] = set()
        while playing or number < deals:
            while len(playing) < jobs and number < deals:
                playing.add(pool.submit(_play, number))
                number += 1
            done, playing = wait(playing, return_when=FIRST_COMPLETED)
            found += [each.result() for each in done]
            if time.monotonic() >= end:
                deals = number
    return found


if __name__ == "__main__":
    main()

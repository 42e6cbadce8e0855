"""Simulated nodes whose bots sleep: `python -m bench.sleepers 100` prints one JSON object.

rate: matches per second; own: milliseconds of CPU of the run itself for each match; joining: seconds until all nodes had joined.

A node is a real Dask worker with an actor that plays one match after another: it sleeps for `SLEEP` seconds, as if its bots did,
and then has the match played by functions. Nodes share processes, and only the run with its bridge is as ever. With `--delay 0.05`
what the run and the nodes send each other takes that long for the way there and back (`nodes`).
"""

import argparse
import asyncio
import json
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import trio

from bench.ladders import SEATS, WISH, Watch, new_home
from bench.nodes import join, started
from bench.programs import instant_bot
from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.processes.frames import Frames, framed
from bullring.arena.match.seats.inprocess import WithInProcess
from bullring.arena.match.seats.pool import open_pool
from bullring.ladder.pairing.schedule import RoundRobin
from bullring.ladder.run.cluster import node
from bullring.ladder.run.cluster.cluster import Cluster
from bullring.ladder.run.cluster.dask_workers import pin
from bullring.ladder.run.cluster.host import About
from bullring.ladder.run.cluster.speed import Speed
from bullring.ladder.run.dispatch import Plays
from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.run.progress import Happening, Progress
from bullring.ladder.run.run import LadderRun, Stops
from bullring.ladder.run.workers.messages import (
    Drop,
    Dropped,
    OrderReader,
    Play,
    Setup,
    answer_bytes,
)
from bullring.ladder.run.workers.outbox import CarriedOut, block_of, packer
from bullring.ladder.run.workers.worker import Playing

SLEEP = 1.0
"""Seconds of a match."""

SETTLING, SECONDS = 5.0, 20.0
"""Seconds after the last node has joined until it is measured, and for how long."""

TOGETHER = 25
"""Nodes in one process."""

BOTS = 12
ROUNDS = 20
"""Enough tables for all: the bots meet in every way, so that drawing line-ups costs next to nothing."""


class Sleepers:
    """Plays the matches of all nodes, in a thread with a loop of its own."""

    def __init__(self) -> None:
        self._started = threading.Event()
        threading.Thread(target=trio.run, args=(self._main,), daemon=True).start()
        self._started.wait()

    async def _main(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        async with trio.open_nursery() as self._nursery:
            self._house = WithInProcess(None)
            self._started.set()
            await trio.sleep_forever()

    def serve(self, here: "Sleeping", setup: Setup) -> None:
        """Serve a node from now on."""
        self._token.run_sync_soon(self._nursery.start_soon, self._serve, here, setup)

    def give(self, here: "Sleeping", order: Play) -> None:
        """Play an order once those before it have been played."""
        self._token.run_sync_soon(here.queue.send_nowait, order)

    async def _serve(self, here: "Sleeping", setup: Setup) -> None:
        async with open_pool(setup.limits, self._house) as pool:
            playing = Playing(pool, setup, None)
            here_are: dict[str, Bot] = {}
            async for order in here.orders:
                if here.dropping:
                    here.loop.call_soon_threadsafe(here.drop, order.id)
                    continue
                await trio.sleep(SLEEP)
                for bot in order.matches[0].bots:
                    if bot.name not in here_are:
                        here_are[bot.name] = seated = replace(self._house.seat(bot.name, _first), contents=bot.contents)
                        playing._contents[seated] = seated.contents.facts()
                matches = [replace(match, bots=[here_are[bot.name] for bot in match.bots]) for match in order.matches]
                done = await playing._carry_out(replace(order, matches=matches))
                here.loop.call_soon_threadsafe(here.answer, done)


def _first(message: Mapping[str, Any]) -> Any:
    return message["options"][0]


class Sleeping(node.Node):
    """The actor of such a node: in the place of a host, it takes and gives the bytes itself."""

    sleepers: Sleepers

    async def open(self) -> None:
        """Begin."""
        self._messages, self._reader = Frames(), OrderReader()
        self.dropping = False
        """Whether the run is to end."""
        self.loop = asyncio.get_running_loop()
        self.queue, self.orders = trio.open_memory_channel[Play](1 << 16)

    async def say(self, at: int, data: bytes) -> None:
        """Take messages."""
        new = data[self._said - at :]
        self._said += len(new)
        for kind, *rest in self._messages.feed(new):
            if kind == "begin":
                self._begin(rest[0]["setup"])
            elif kind == "orders":
                for order in self._reader.feed(rest[1]):
                    if isinstance(order, Play):
                        self.sleepers.give(self, order)
                    else:
                        self.dropping = self.dropping or isinstance(order, Drop)

    def _begin(self, encoded: bytes) -> None:
        about = About("sleeper", "none", Speed(7.0, "simulated"), time.time())
        setup = next(OrderReader().feed(encoded))
        assert isinstance(setup, Setup)
        self.pack = packer(setup.dictionary)
        self.sleepers.serve(self, replace(setup, notes={"node": {"name": about.host, **about.speed.facts()}}))
        self._tell("ready", about.facts())
        self._tell("joined", 1)

    def answer(self, done: CarriedOut) -> None:
        """Pass on what was played."""
        self._tell("answer", 1, answer_bytes(block_of([done.packed(self.pack)])))

    def drop(self, order: int) -> None:
        """Tell that an order was not begun."""
        self._tell("answer", 1, answer_bytes(Dropped(order)))

    def _tell(self, *message: Any) -> None:
        self._kept += framed(*message)
        self._came.set()


class JoinWatch(Watch):
    """Measures from when all nodes have joined."""

    def __init__(self, nodes: int) -> None:
        super().__init__(Stops())
        self.enough: Callable[[], None] = lambda: None
        """Called when it was measured for long enough."""
        self._missing = nodes
        self._next = float("inf")
        self.joined = 0.0
        """The time at which the last node had joined."""

    def happened(self, happening: Happening) -> None:
        """Count the nodes that join."""
        super().happened(happening)
        self._missing -= happening.kind == "node" and "has joined" in happening.text
        if not self._missing and not self.notes:
            self.joined = self.joined or time.monotonic()
            self._next = self.joined + SETTLING

    def tick(self, progress: Progress) -> None:
        """Note what was used when it is time to."""
        if len(self.notes) < 2 and time.monotonic() >= self._next:
            self.note(progress)
            self._next = time.monotonic() + SECONDS
            if len(self.notes) == 2:
                self.enough()


async def serve(address: str, nodes: int, delay: float) -> None:
    """Be nodes of a scheduler whose actors are such ones."""
    Sleeping.sleepers = Sleepers()
    Sleeping.__module__, Sleeping.__qualname__ = node.__name__, "Node"
    node.Node = Sleeping  # type: ignore[misc]  # where Dask looks for it
    await join(address, nodes, delay)


def main() -> None:
    """Play, measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nodes", type=int)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds of a round trip")
    parser.add_argument("--serve", metavar="ADDRESS", help="be nodes of this scheduler, and measure nothing")
    given = parser.parse_args()
    if given.serve:
        pin()
        asyncio.run(serve(given.serve, given.nodes, given.delay))
        return
    with ExitStack() as stack:
        name = stack.enter_context(tempfile.TemporaryDirectory(prefix="bullring-bench-"))
        address = stack.enter_context(started("bench.nodes", "scheduler"))
        for first in range(0, given.nodes, TOGETHER):
            some = min(TOGETHER, given.nodes - first)
            stack.enter_context(started("bench.sleepers", some, "--serve", address, "--delay", given.delay))
        home, store, list_ = new_home(Path(name), BOTS, " ".join(instant_bot()))
        watch = JoinWatch(given.nodes)
        began = time.monotonic()
        schedule = RoundRobin([row.id for row in store.bots()], SEATS, ROUNDS, Counter())
        plays = Plays(list_, "round-robin", None, schedule)
        run = LadderRun(home, store, plays, Rated(home, store, list_), Stops(), 1, watch, Cluster(address))
        watch.enough = lambda: run.stop("measured")
        trio.run(run.run, home.settings(), WISH)
    facts = watch.facts()
    print(json.dumps({"rate": facts["steady"], "own": facts["own_ms"], "joining": watch.joined - began}))


if __name__ == "__main__":
    main()

"""The host of a node: keeps a crew of referee processes for a run elsewhere (`python -m bullring.ladder.run.cluster.host`).

It takes messages on stdin and gives messages on stdout (`ladder.run.cluster`). It proves the sandbox of its machine, measures its
speed, and makes the bots ready that come: those with folders are kept under the hashes of their files, and built and given images
here. When stdin ends, everything ends.
"""

import contextlib
import os
import secrets
import socket
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.contents import check_contents, check_image
from bullring.arena.cells.bots.load import load, must_exist, with_python
from bullring.arena.cells.building.build import built
from bullring.arena.cells.building.cache import Cache
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.files.hash import hash_folder
from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.kits.toolchains import languages
from bullring.arena.cells.processes.frames import framed
from bullring.arena.cells.processes.inside import ends
from bullring.arena.cells.processes.with_trio import heard
from bullring.arena.cells.sandbox.cell import Sandbox, gaps_of
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.cores import cores
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.program import OURS, PYTHON
from bullring.arena.cells.sandbox.promises import lacking
from bullring.errors import BullringError, FilesError, first_error
from bullring.ladder.run.cluster.parcels import Arriving, place
from bullring.ladder.run.cluster.speed import Speed, measured
from bullring.ladder.run.workers.crew import Worker, closing
from bullring.ladder.run.workers.local import LocalCrew
from bullring.ladder.run.workers.messages import (
    Dropped,
    Order,
    OrderReader,
    Play,
    Setup,
    answer_bytes,
)

GATHER = 0.005
"""Seconds for which answers of referee processes are collected."""

_OURS = Bounds(size=1 << 62, files=1 << 31)


@dataclass(frozen=True)
class Beginning:
    """The first message to a host."""

    setup: bytes
    """The setup of the run, encoded."""
    name: str
    """The name of the node; empty: that of its machine."""
    cores: Sequence[int]
    """The machine's cores to use, by numbers from 0: the others belong to other nodes on it. One referee process each."""
    sharing: int
    """Referee processes of all nodes on this machine."""
    beat: float
    """Seconds between two heartbeats."""
    build: Mapping[str, Any]
    """The limits of builds: the fields of `BuildLimits`."""
    runs: int
    """Runs of the work that measures its speed (`speed.measured`)."""


@dataclass(frozen=True)
class About:
    """The description that a node gives of itself."""

    host: str
    tier: str
    speed: Speed
    clock: float
    """Its time of day, in seconds."""
    lacks: Sequence[str] = ()
    """The promises that its sandbox does not keep in full."""
    runtimes: Sequence[str] = ()
    """The languages for which everything is there, by their titles."""

    @property
    def notes(self) -> dict[str, Any]:
        """The notes in the records of its matches."""
        return {"node": {"name": self.host, **self.speed.facts()}}

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        return {**vars(self), "speed": self.speed.facts()}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "About":
        """From plain values."""
        return cls(**{**facts, "speed": Speed.of(facts["speed"])})


def build_limits(facts: Mapping[str, Any]) -> BuildLimits:
    """From plain values, as `dataclasses.asdict` gives them."""
    return BuildLimits(**{**facts, "folder": Bounds(**facts["folder"])})


def shelves() -> Path:
    """The folder for bots of clusters on this machine; it may be removed while nothing is played."""
    return Cache.of_user().folder / "nodes"


@dataclass
class Host:
    """A host at work."""

    beginning: Beginning
    sandbox: Sandbox
    crew: LocalCrew
    tell: trio.MemorySendChannel[bytes]
    nursery: trio.Nursery
    about: About
    ready: dict[str, Bot | None] = field(default_factory=dict)
    """The bots that can play, by their names; None: it is being made ready."""
    unable: set[str] = field(default_factory=set)
    """The names of those that cannot."""
    arriving: dict[str, Arriving] = field(default_factory=dict)
    """By hash."""
    arrived: dict[str, trio.Event] = field(default_factory=dict)
    """Whether files are here, by hash."""
    numbers: dict[Worker, int] = field(default_factory=dict)
    """The numbers of the referee processes."""
    flushing: trio.Lock = field(default_factory=trio.Lock)
    """Orders are sent by one task at a time."""
    queues: dict[int, "Queue"] = field(default_factory=dict)
    """By these numbers."""

    def say(self, *message: Any) -> None:
        """Send a message to the bridge."""
        self.tell.send_nowait(framed(*message))

    def look(self) -> None:
        """Number the referee processes that are new."""
        for worker in self.crew.workers:
            if worker not in self.numbers:
                number = self.numbers[worker] = len(self.numbers) + 1
                self.queues[number] = Queue(worker)
                self.say("joined", number)

    async def serve(self, messages: AsyncIterator[list[Any]]) -> None:
        """Do as the messages say, until they end."""
        async for kind, *rest in messages:
            match kind:
                case "orders":
                    await self.orders(*rest)
                case "parcel":
                    await self.parcel(*rest)

    async def orders(self, number: int, body: bytes) -> None:
        """Take orders, and pass on those whose bots are ready."""
        queue = self.queues.get(number)
        if queue is None:
            return  # it has died meanwhile
        for order in queue.reader.feed(body):
            queue.waiting.append(order)
            if isinstance(order, Play):
                for bot in order.matches[0].bots:
                    if bot.name not in self.ready:
                        self.ready[bot.name] = None
                        self.nursery.start_soon(self.prepare, bot)
        await self.pass_on(queue)

    async def pass_on(self, queue: "Queue") -> None:
        """Give orders to a referee process, up to the first whose bots are not ready. Orders with unplayable bots come back."""
        while queue.waiting:
            order = queue.waiting[0]
            if isinstance(order, Play):
                if not self.unable.isdisjoint(bot.name for bot in order.matches[0].bots):
                    queue.waiting.popleft()
                    self.say("answer", self.numbers[queue.worker], answer_bytes(Dropped(order.id)))
                    continue
                bots = [[self.ready[bot.name] for bot in match.bots] for match in order.matches]
                here = [[bot for bot in each if bot is not None] for each in bots]
                if here != bots:
                    break
                matches = [replace(match, bots=each) for match, each in zip(order.matches, here, strict=True)]
                order = replace(order, matches=matches)
            queue.waiting.popleft()
            queue.worker.say(order)
        async with self.flushing:
            await self.crew.flush()

    async def prepare(self, bot: Bot) -> None:
        """Make a bot ready to play here. If that fails, its orders come back, and the others are played."""
        try:
            self.ready[bot.name] = await self._prepared(bot)
        except (BullringError, OSError) as error:
            self.unable.add(bot.name)
            self.say("unable", bot.name, str(error))
        for queue in list(self.queues.values()):
            await self.pass_on(queue)

    async def _prepared(self, bot: Bot) -> Bot:
        if bot.contents.whole:
            folder = await self._fetched(bot.contents.hash)
            python = OURS if OURS in bot.program.command else PYTHON
            build = with_python(load(str(folder), kept=True), python).build
            contents = replace(bot.contents, built="")
            bot = replace(bot, program=replace(bot.program, folder=folder), build=build, contents=contents)
        else:
            must_exist(bot, bot.name)
            await trio.to_thread.run_sync(check_contents, bot, bot.contents)
        limits = build_limits(self.beginning.build)
        bot = await built(bot, self.sandbox, shelves() / "builds", limits)
        check_image(bot.contents, await self.sandbox.prepare(bot.program))
        return bot

    async def _fetched(self, hash_: str) -> Path:
        """The folder with these files, which are asked for once, whatever number of bots share them. Raises `OSError`."""
        folder = place(shelves() / "bots", hash_)
        if hash_ not in self.arrived:
            arrived = self.arrived[hash_] = trio.Event()
            try:
                whole = await trio.to_thread.run_sync(_is_whole, folder, hash_)
            except OSError:
                arrived.set()  # the others find out for themselves
                raise
            if whole:
                arrived.set()
            else:
                self.say("wants", hash_)
        await self.arrived[hash_].wait()
        return folder

    async def parcel(self, hash_: str, part: bytes) -> None:
        """Take a part of a bot's files. Raises `FilesError`, `OSError`."""
        if hash_ not in self.arriving:
            self.arriving[hash_] = Arriving(shelves() / "bots", hash_)
        if await trio.to_thread.run_sync(self.arriving[hash_].add, part):
            del self.arriving[hash_]
            self.arrived[hash_].set()

    async def answer(self) -> None:
        """Pass on the answers of referee processes, for ever. Raises `LadderError` if they die too often."""
        while True:
            self.look()
            beat = True
            for worker, answer in await self.crew.answers(self.beginning.beat, GATHER):
                number, beat = self.numbers[worker], False
                if answer is None:
                    del self.queues[number]
                    self.say("gone", number, self.crew.lost(worker))
                    continue
                self.say("answer", number, answer_bytes(answer))
            if beat:
                self.say("beat")


@dataclass
class Queue:
    """The orders of a referee process that wait for their bots."""

    worker: Worker
    reader: OrderReader = field(default_factory=OrderReader)
    waiting: deque[Order] = field(default_factory=deque)


def _is_whole(folder: Path, hash_: str) -> bool:
    """Whether the folder is here as it should be. One that is not is removed."""
    try:
        if hash_folder(folder, _OURS) == hash_:
            return True
    except (FilesError, OSError):
        pass
    remove_tree(folder)
    return False


async def host(orders: int, answers: int) -> None:
    """Serve the bridge, with messages from the file descriptor `orders` and to `answers`."""
    async with trio.lowlevel.FdStream(orders) as source, trio.lowlevel.FdStream(answers) as sink:
        messages = heard(source)
        async for kind, facts in messages:
            assert kind == "begin"
            try:
                await _host(Beginning(**facts), messages, sink)
            except* BullringError as group:
                with contextlib.suppress(trio.BrokenResourceError):
                    await sink.send_all(framed("failed", str(first_error(group))))
            return


async def _host(beginning: Beginning, messages: AsyncIterator[list[Any]], sink: trio.lowlevel.FdStream) -> None:
    mine = cores()
    os.sched_setaffinity(0, {mine[core % len(mine)] for core in beginning.cores})
    setup = next(OrderReader().feed(beginning.setup))
    assert isinstance(setup, Setup)
    root = shelves()
    # The home of the run may be on this machine, too.
    hidden = (root, *filter(Path.exists, setup.owner.hidden))
    # Each node owns its own programs: those of other nodes on this machine are not ours to end.
    owner = Owner(f"{setup.owner.name}.{secrets.token_hex(8)}", hidden)
    speed = measured(beginning.runs)
    tell, told = trio.open_memory_channel[bytes](1 << 20)
    async with trio.open_nursery() as nursery:
        crew = LocalCrew(nursery, len(beginning.cores), owner)  # not before the speed is measured on the same cores
        async with closing(crew), open_sandbox(setup.wish, owner) as sandbox, closing(crew):
            nursery.start_soon(_write, sink, told)
            name, tier = beginning.name or socket.gethostname(), sandbox.tier.name
            about = About(name, tier, speed, time.time(), lacking(gaps_of(sandbox)), languages())
            tell.send_nowait(framed("ready", about.facts()))
            wish = replace(setup.wish, tier=sandbox.tier.name, allow_unsandboxed=True, proven=False)
            crew.begin(replace(setup, wish=wish, owner=owner, jobs=beginning.sharing, notes=about.notes))
            host = Host(beginning, sandbox, crew, tell, nursery, about)
            async with trio.open_nursery() as answering:
                answering.start_soon(host.answer)
                await host.serve(messages)
                answering.cancel_scope.cancel()  # a crew that is being closed has lost none of its workers
        nursery.cancel_scope.cancel()


async def _write(sink: trio.lowlevel.FdStream, told: "trio.MemoryReceiveChannel[bytes]") -> None:
    with contextlib.suppress(trio.BrokenResourceError):
        async for data in told:
            await sink.send_all(data)


def main() -> None:
    """Run the host."""
    trio.run(host, *ends())


if __name__ == "__main__":
    main()

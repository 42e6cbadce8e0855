"""A node while it plays for a run: the actor on its worker, its orders, and its messages.

No message of a node is trusted: its matches are checked (`result_checks`), and anything else that does not fit ends its use.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import msgpack
from distributed.protocol.serialize import to_serialize

from bullring.arena.cells.processes.frames import Frames, framed
from bullring.arena.cells.sandbox.promises import kept
from bullring.errors import HostError, RecordError
from bullring.installation import VERSION
from bullring.ladder.run.cluster import host
from bullring.ladder.run.cluster.checkers import Checkers, CheckFailure
from bullring.ladder.run.cluster.cluster import local_workers
from bullring.ladder.run.cluster.node import Node
from bullring.ladder.run.cluster.parcels import parts
from bullring.ladder.run.cluster.speed import RUNS, RUNS_HERE, Cores, Measured, Speeds
from bullring.ladder.run.workers.messages import (
    Block,
    Changed,
    Dropped,
    Failed,
    Held,
    Meet,
    OrderReader,
    OrderWriter,
    Play,
    Seated,
    Setup,
    Told,
    answer_bytes,
    answer_of,
)

MEASURE_AGAIN = 60.0
"""Seconds until a node that cannot play, or is too slow or too quick, is asked again: that may pass."""

MOST_LIES = 2
"""Answers of a node that do not fit, after which it is not used any more."""

CLOCK = 5.0
"""Seconds by which the clock of a node may differ before that is said."""

WHICH = (
    "__import__('bullring.installation', fromlist=['VERSION']).VERSION, "
    "open('/proc/sys/kernel/random/boot_id').read().strip()"
)
"""Python that tells the version on a node, and its machine by the kernel that runs: behind a tunnel nodes of several machines have
one address, in containers those of one machine have several. It is sent as text, so it can be asked of any version."""

MOST_FAILED = 5
"""Matches of a node that may fail, one after another, until it is given up for a while: who plays none is always free for more."""

MOST_BYTES = 1 << 28
"""Most bytes of a message of a node."""

_NONSENSE = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, HostError)
"""The errors that reading nonsense may raise."""


class Refused(Exception):
    """A node cannot be used; it may be tried again after `later` seconds."""

    def __init__(self, text: str, later: float = float("inf")) -> None:
        self.later = later
        super().__init__(text)


class Gone(Exception):
    """A node is lost."""


@dataclass(frozen=True)
class Beginning:
    """The first message to a bridge."""

    address: str
    tls: Mapping[str, str]
    """Arguments of Dask's `Security`."""
    lease: float
    """Seconds without a heartbeat after which a node is given up."""
    mix: float
    """The factor by which nodes may differ in speed."""
    setup: bytes
    key: str
    """The private key that signs records, in PEM, or empty."""
    bots: str
    """The folder with the home's copies of bots."""
    build: Mapping[str, Any]
    checkers: int
    """Processes that check answers."""

    @property
    def own(self) -> bool:
        """Whether its nodes are processes of this machine that this one starts itself. They are trusted as the referee processes of
        a run without a cluster are."""
        return local_workers(self.address) is not None


@dataclass
class Known:
    """The knowledge about a worker of the scheduler, whether or not it plays."""

    identity: Mapping[str, Any]
    machine: str = ""
    """The id of its machine; empty until it was asked."""
    again: float = 0.0
    """The time of its next try."""
    lies: int = 0
    lie: str = ""
    """The mistake in the last one."""
    why: str = ""
    """The reason why it was dropped last time, as people were told."""
    task: "asyncio.Task[None] | None" = None


@dataclass
class Shared:
    """The part of a bridge that all its sessions share."""

    beginning: Beginning
    client: Any
    """Of Dask."""
    checkers: Checkers
    tell: Callable[..., None]
    """Sends a message to the run."""
    present: frozenset[str] = frozenset()
    """The addresses of the workers that the scheduler has."""
    workers: dict[str, Known] = field(default_factory=dict)
    """These workers, and the ones that still play, by address."""
    referees: dict[int, tuple["Session", int]] = field(default_factory=dict)
    """The referee processes, by their numbers in the run: their sessions, and their numbers on the node."""
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    """The next numbers in the run."""
    cores: Cores = field(default_factory=Cores)

    def __post_init__(self) -> None:
        self.speeds = Speeds(self.beginning.mix)
        (setup,) = OrderReader().feed(self.beginning.setup)
        assert isinstance(setup, Setup)
        self.setup = setup


@dataclass(eq=False)
class Session:
    """A node while it plays."""

    shared: Shared
    address: str
    known: Known
    outbox: bytearray = field(default_factory=bytearray)
    full: asyncio.Event = field(default_factory=asyncio.Event)
    sent: int = 0
    """Bytes that the node has confirmed."""
    alive: float = field(default_factory=time.monotonic)
    """The last sign of life."""
    about: host.About | None = None
    terms: bytes = b""
    """The setup of its referee processes with the key that signs, encoded: the terms for its results (`result_checks`)."""
    played: bool = False
    """Whether a match of it counts."""
    failed: int = 0
    """Matches that failed there since one was played."""
    referees: dict[int, int] = field(default_factory=dict)
    """Numbers in the run, by the numbers on the node."""
    orders: dict[int, dict[int, Play]] = field(default_factory=dict)
    """The orders of each referee process, by the ids."""
    readers: dict[int, OrderReader] = field(default_factory=dict)
    wanted: dict[str, bool] = field(default_factory=dict)
    """The hashes of the bots that it has met, and whether it has asked for their files."""
    names: set[str] = field(default_factory=set)
    """Their names."""
    unable: set[str] = field(default_factory=set)
    """The names of those that cannot play there."""
    checks: set["asyncio.Task[None]"] = field(default_factory=set)
    actor: str = ""
    """The key of the actor."""
    direct: bool = True
    """Whether calls go to the worker, and not by way of the scheduler."""

    @property
    def name(self) -> str:
        """The node, for people."""
        told = self.about.host if self.about else ""
        return f"{told} ({self.address})" if told else self.address

    async def call(self, function: str, *arguments: Any, timeout: float) -> Any:
        """Call the actor. Raises `Gone`, `TimeoutError`, and `OSError` if the answer may come when asked again."""
        message = {
            "function": function,
            "actor": self.actor,
            "args": [to_serialize(argument) for argument in arguments],
            "kwargs": {},
        }
        async with asyncio.timeout(timeout):
            if self.direct:
                result = await self.shared.client.rpc(self.address).actor_execute(**message)
            else:
                whole = {"op": "actor_execute", **message}
                result = await self.shared.client.scheduler.proxy(worker=self.address, msg=whole)
        if result["status"] != "OK":
            raise Gone(f"its actor has failed: {result.get('exception')!r:.200}")
        return result["result"]

    def say(self, *message: Any) -> None:
        """Queue a message for the host."""
        self.outbox += framed(*message)
        self.full.set()

    async def run(self) -> None:
        """Use the node until it is lost. Raises `Refused`, `Gone`, and what Dask raises."""
        shared, lease = self.shared, self.shared.beginning.lease
        async with asyncio.timeout(max(lease, 10.0)):
            await self._ask()
            future = shared.client.submit(
                Node, lease * 2, actor=True, workers=[self.address], allow_other_workers=False, pure=False
            )
            try:
                await future
                self.actor = future.key
                await self._reach()
                await self.call("open", timeout=lease)
            except BaseException:
                future.release()
                raise
        try:
            cores, sharing = self._share_of_machine()
            name = self.known.identity.get("name")
            own = "" if name in (None, self.address) else str(name)
            runs = RUNS_HERE if shared.beginning.own else RUNS
            beginning = host.Beginning(
                shared.beginning.setup, own, cores, sharing, lease / 6, shared.beginning.build, runs
            )
            self.say("begin", vars(beginning))
            self.alive = time.monotonic()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._speak())
                group.create_task(self._listen())
        finally:
            with contextlib.suppress(Exception):
                # In a task of its own: after a group has failed in this one, the timeout of Python 3.11.2 would end the session.
                await asyncio.create_task(self.call("close", timeout=1.0))
            future.release()

    def _share_of_machine(self) -> tuple[list[int], int]:
        """The cores that the node should use of its machine, and how many referee processes all nodes on it have."""
        own = self.known
        beside = [
            known.identity
            for known in self.shared.workers.values()
            # Of one that was not asked yet, its address tells.
            if (known.machine == own.machine if known.machine else known.identity["host"] == own.identity["host"])
        ]
        cores = self.shared.cores.take(own.machine, self.address, int(own.identity["nthreads"]))
        return cores, sum(int(identity["nthreads"]) for identity in beside)

    async def _ask(self) -> None:
        """Ask for its version and its machine. Raises `Refused` if the version is another."""
        try:
            found, self.known.machine = (await self.shared.client.run(eval, WHICH, workers=[self.address]))[
                self.address
            ]
        except ImportError:
            raise Refused("bullring is not installed there; install it with: pip install bullring[cluster]") from None
        if found != VERSION:
            raise Refused(f"it has bullring {found}, and this run needs {VERSION}; install the same version everywhere")

    async def _reach(self) -> None:
        """Find out whether the worker can be called from here."""
        try:
            await self.call("hear", 0, 0.0, timeout=3.0)
        except (OSError, TimeoutError):
            self.direct = False

    async def _again(self, function: str, *arguments: Any) -> Any:
        """Call the actor until that succeeds. Raises `Gone` if the lease ends before."""
        lease = self.shared.beginning.lease
        while True:
            left = self.alive + lease - time.monotonic()
            if left <= 0:
                raise Gone(f"no sign of life for {lease:g} s")
            try:
                return await self.call(function, *arguments, timeout=left)
            except TimeoutError:
                continue
            except OSError as error:
                if self.address not in self.shared.present:
                    raise Gone("its worker has left the scheduler") from error
                await asyncio.sleep(min(0.2, left))

    async def _speak(self) -> None:
        while True:
            await self.full.wait()
            self.full.clear()
            data, self.outbox = bytes(self.outbox), bytearray()
            await self._again("say", self.sent, data)
            self.sent += len(data)

    async def _listen(self) -> None:
        at, frames = 0, Frames(MOST_BYTES)
        wait = self.shared.beginning.lease / 4
        while True:
            data = await self._again("hear", at, wait)
            if data is None:
                raise Gone("its host has ended")
            if data:
                self.alive = time.monotonic()
            at += len(data)
            try:
                for kind, *rest in frames.feed(data):
                    await self._take(kind, *rest)
            except (*_NONSENSE, msgpack.UnpackException) as error:
                raise Refused(f"it says what no node says: {type(error).__name__}: {error!s:.200}") from error

    async def _take(self, kind: str, *rest: Any) -> None:
        match kind:
            case "ready":
                self._ready(host.About.of(rest[0]))
            case "joined":
                self._joined(rest[0])
            case "gone":
                await self._all_checked()
                self._lost(*rest)
            case "answer":
                self._answered(*rest)
            case "wants":
                await self._send(rest[0])
            case "unable":
                self._unable(*rest)
            case "failed":
                raise Refused(rest[0], MEASURE_AGAIN)
            case _:
                pass  # it lives

    def _ready(self, about: host.About) -> None:
        if self.about is not None:
            raise Refused("it has joined twice")
        shared = self.shared
        other = shared.speeds.against(self.known.machine, about.speed)
        if other is not None:
            raise Refused(
                f"its speed is {about.speed.figure:.2f} ({about.speed.kind}), and that of {other.name} {other.speed.figure:.2f}, so"
                f" time limits mean something else there; if that may be, add: --mix-speeds {about.speed.factor(other.speed):.1f}",
                MEASURE_AGAIN,
            )
        shared.speeds.enter(self.address, Measured(about.host, self.known.machine, about.speed))
        self.about = about
        wish = replace(shared.setup.wish, tier=about.tier)
        setup = replace(shared.setup, wish=wish, notes=about.notes, key=shared.beginning.key)
        self.terms = OrderWriter().write(setup)
        runtimes = ", ".join(about.runtimes) or "none"
        text = (
            f"{self.name} has joined: {about.speed.kind}, speed {about.speed.figure:.2f}, sandbox {about.tier},"
            f" {kept(about.lacks)}, languages: {runtimes}"
        )
        sandbox = {"tier": about.tier, "lacks": list(about.lacks)}
        facts = {"node": about.host, **about.speed.facts(), **sandbox, "languages": list(about.runtimes)}
        shared.tell("told", "node", text, facts)
        off = about.clock - time.time()
        if abs(off) > CLOCK:
            way = "ahead" if off > 0 else "behind"
            text = f"the clock of {self.name} is {abs(off):.0f} s {way}: the times in its records are by it"
            shared.tell("told", "node", text, {"node": about.host, "clock_off": round(off, 1)})

    def _joined(self, number: int) -> None:
        if self.about is None or type(number) is not int or number in self.readers:
            raise Refused(f"its referee process {number!r:.80} cannot join: it has, or the node has not")
        shared = self.shared
        mine = self.referees[number] = next(shared.numbers)
        self.orders[number], self.readers[number] = {}, OrderReader()
        shared.referees[mine] = (self, number)
        shared.tell("joined", mine, f"referee process {number} of {self.name}", self.about.speed.facts())
        for bot in self.unable:
            shared.tell("unable", mine, bot)

    def _unable(self, bot: str, why: str) -> None:
        """Note that a bot cannot play there; orders with it come back."""
        if bot not in self.names:
            raise Refused(f"it cannot play {bot!r:.80}, which it should not play")
        if bot not in self.unable:
            self.unable.add(bot)
            text = f"{self.name} is given no matches of {bot}: {why}"
            self.shared.tell("told", "node", text, {"node": self.about.host if self.about else "", "bot": bot})
            for referee in self.referees.values():
                self.shared.tell("unable", referee, bot)

    def _lost(self, number: int, why: str) -> None:
        self.orders.pop(number, None)
        referee = self.referees.pop(number, None)
        if referee is not None:
            del self.shared.referees[referee]
            self.shared.tell("gone", referee, why)

    def take_orders(self, number: int, body: bytes) -> None:
        """Pass orders on."""
        for order in self.readers[number].feed(body):
            if isinstance(order, Play):
                self.orders[number][order.id] = order
            elif isinstance(order, Meet):
                self.wanted.setdefault(order.bot.contents.hash, False)
                self.names.add(order.bot.name)
        self.say("orders", number, body)

    async def _send(self, hash_: str) -> None:
        """Send the files of a bot, once."""
        if self.wanted.get(hash_, True):
            raise Refused(
                f"it asked for the files {hash_!r:.80}, which are not of a bot that it should play with, or which it has"
            )
        self.wanted[hash_] = True
        folder = Path(self.shared.beginning.bots) / hash_.removeprefix("sha256:")
        for part in await asyncio.to_thread(list, parts(folder)):
            self.say("parcel", hash_, part)

    def _answered(self, number: int, body: bytes) -> None:
        referee = self.referees.get(number)
        if referee is None:
            return
        orders = self.orders[number]
        answer = answer_of(next(Frames().feed(body), ()))
        if isinstance(answer, Seated):
            self.shared.tell("answer", referee, answer_bytes(Seated([id for id in orders if id in answer.ids])))
            return
        ids = [one.id for one in answer.played] if isinstance(answer, Block) else [answer.id]
        if not orders.keys() >= set(ids) or len(set(ids)) < len(ids):
            raise Refused(f"it answered orders that it was not given: {ids!r:.80}")
        if not isinstance(answer, Block):
            self.shared.tell("answer", referee, answer_bytes(self._heard(orders, answer)))
            if self.failed >= MOST_FAILED and isinstance(answer, Failed):
                raise Refused(
                    f"it failed {self.failed} matches, the last one with: {answer.error!s:.300}", MEASURE_AGAIN
                )
            return
        played = [orders.pop(id) for id in ids]
        if self.shared.beginning.own:
            self.shared.tell("answer", referee, body)
            self.played, self.failed = True, 0
            return
        task = asyncio.create_task(self._check(referee, played, body))
        self.checks.add(task)
        task.add_done_callback(self.checks.discard)

    def _heard(self, orders: dict[int, Play], answer: Failed | Dropped | Held | Changed) -> Told:
        """The answer to an order as the run may take it: no message of a node can bench a bot elsewhere."""
        if isinstance(answer, Held):
            return Held(answer.id, [str(name) for name in answer.bots])
        order = orders.pop(answer.id)
        if isinstance(answer, Failed):
            self.failed += 1
            return Failed(answer.id, f"{self.name}: {answer.error!s:.1000}")
        if isinstance(answer, Changed):
            for bot, why in answer.reasons.items():
                self._unable(bot, f"its files have changed there: {why}")
        return Dropped(order.id)

    async def _check(self, referee: int, orders: list[Play], body: bytes) -> None:
        shared = self.shared
        try:
            bodies = [await shared.checkers.check(orders, body, self.terms)]
            self.played, self.failed = True, 0
        except RecordError as error:
            self.known.lies += 1
            self.known.lie = f"{error!s:.300}"
            bodies = _all_failed(orders, f"what {self.name} sent does not fit: {error}")
        except CheckFailure as error:
            bodies = _all_failed(orders, f"what {self.name} sent cannot be checked here: {error}")
        for each in bodies:
            shared.tell("answer", referee, each)
        if self.known.lies >= MOST_LIES and self.known.task:
            self.known.task.cancel()

    async def _all_checked(self) -> None:
        """Wait until what came is checked: it counts, whatever becomes of its referee process."""
        while self.checks:
            await asyncio.wait(self.checks)

    async def give_up(self, why: str) -> None:
        """Give up all of its referee processes."""
        await self._all_checked()
        for number in list(self.referees):
            self._lost(number, why)


def _all_failed(orders: list[Play], why: str) -> list[bytes]:
    return [answer_bytes(Failed(order.id, why)) for order in orders]

"""A node while it plays for a run: the actor on its worker, what it was told to play, and what it says.

What a node says is not believed: its matches are checked (`result_checks`), and whatever else does not fit ends its use.
"""

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgpack
from distributed.protocol.serialize import to_serialize

from bullring.errors import LadderError, RecordError
from bullring.installation import VERSION
from bullring.ladder.run.cluster import host
from bullring.ladder.run.cluster.checkers import CheckFailure
from bullring.ladder.run.cluster.node import Node
from bullring.ladder.run.cluster.parcels import parts
from bullring.ladder.run.cluster.result_checks import Terms
from bullring.ladder.run.cluster.speed_classes import Measured
from bullring.ladder.run.workers.messages import (
    Block,
    Changed,
    Dropped,
    Failed,
    Held,
    Meet,
    Messages,
    OrderReader,
    Play,
    Told,
    answer_bytes,
    answer_of,
    framed,
)

if TYPE_CHECKING:
    from bullring.ladder.run.cluster.bridge import Bridge

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

_NONSENSE = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, LadderError)
"""What reading something may raise that is not what it should be."""


class Refused(Exception):
    """A node cannot be used; it may be tried again after `later` seconds."""

    def __init__(self, text: str, later: float = float("inf")) -> None:
        self.later = later
        super().__init__(text)


class Gone(Exception):
    """A node is lost."""


@dataclass
class Known:
    """What is remembered of a worker of the scheduler."""

    identity: Mapping[str, Any]
    machine: str = ""
    """What tells its machine from others; empty until it was asked."""
    again: float = 0.0
    """When it may be tried next."""
    lies: int = 0
    lie: str = ""
    """What did not fit in the last one."""
    why: str = ""
    """Why it was not used any more last time, as people were told."""
    task: "asyncio.Task[None] | None" = None


@dataclass(eq=False)
class Session:
    """A node while it plays."""

    bridge: "Bridge"
    address: str
    known: Known
    outbox: bytearray = field(default_factory=bytearray)
    full: asyncio.Event = field(default_factory=asyncio.Event)
    sent: int = 0
    """Bytes that the node has confirmed."""
    alive: float = field(default_factory=time.monotonic)
    """The last sign of life."""
    about: host.About | None = None
    terms: Terms | None = None
    played: bool = False
    """Whether a match of it counts."""
    failed: int = 0
    """Matches that failed there since one was played."""
    referees: dict[int, int] = field(default_factory=dict)
    """Numbers in the run, by the numbers on the node."""
    orders: dict[int, dict[int, Play]] = field(default_factory=dict)
    """What each referee process was told to play, by the ids."""
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

    @property
    def width(self) -> int:
        """How many referee processes it has room for."""
        return int(self.known.identity["nthreads"])

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
                result = await self.bridge.client.rpc(self.address).actor_execute(**message)
            else:
                whole = {"op": "actor_execute", **message}
                result = await self.bridge.client.scheduler.proxy(worker=self.address, msg=whole)
        if result["status"] != "OK":
            raise Gone(f"its actor has failed: {result.get('exception')!r:.200}")
        return result["result"]

    def say(self, *message: Any) -> None:
        """Queue a message for the host."""
        self.outbox += framed(*message)
        self.full.set()

    async def run(self) -> None:
        """Use the node until it is lost. Raises `Refused`, `Gone`, and what Dask raises."""
        bridge, lease = self.bridge, self.bridge.beginning.lease
        async with asyncio.timeout(max(lease, 10.0)):
            await self._ask()
            future = bridge.client.submit(
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
            cores, sharing = bridge.share_of(self)
            name = self.known.identity.get("name")
            own = "" if name in (None, self.address) else str(name)
            beginning = host.Beginning(bridge.beginning.setup, own, cores, sharing, lease / 6, bridge.beginning.build)
            self.say("begin", beginning.facts())
            self.alive = time.monotonic()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._speak())
                group.create_task(self._listen())
        finally:
            with contextlib.suppress(Exception):
                await self.call("close", timeout=1.0)
            future.release()

    async def _ask(self) -> None:
        """Ask for its version and its machine. Raises `Refused` if the version is another."""
        try:
            found, self.known.machine = (await self.bridge.client.run(eval, WHICH, workers=[self.address]))[
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
        lease = self.bridge.beginning.lease
        while True:
            left = self.alive + lease - time.monotonic()
            if left <= 0:
                raise Gone(f"no sign of life for {lease:g} s")
            try:
                return await self.call(function, *arguments, timeout=left)
            except TimeoutError:
                continue
            except OSError as error:
                if self.address not in self.bridge.present:
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
        at, buffer = 0, Messages(MOST_BYTES)
        wait = self.bridge.beginning.lease / 4
        while True:
            data = await self._again("hear", at, wait)
            if data is None:
                raise Gone("its host has ended")
            if data:
                self.alive = time.monotonic()
            at += len(data)
            try:
                for kind, *rest in buffer.feed(data):
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
        bridge = self.bridge
        other = bridge.speeds.against(self.known.machine, about.speed)
        if other is not None:
            raise Refused(
                f"its speed is {about.speed.figure:.2f} ({about.speed.kind}), and that of {other.name} {other.speed.figure:.2f}, so"
                f" time limits mean something else there; if that may be, add: --mix-speeds {about.speed.factor(other.speed):.1f}",
                MEASURE_AGAIN,
            )
        bridge.speeds.enter(self.address, Measured(about.host, self.known.machine, about.speed))
        self.about = about
        node = {"name": about.host, **about.speed.facts()}
        setup = bridge.setup
        self.terms = Terms(
            setup.list, setup.format, setup.limits, about.tier, node, bridge.beginning.key, setup.dictionary
        )
        runtimes = ", ".join(about.runtimes) or "none"
        text = (
            f"{self.name} has joined: {about.speed.kind}, speed {about.speed.figure:.2f}, sandbox {about.tier},"
            f" languages: {runtimes}"
        )
        facts = {"node": about.host, **about.speed.facts(), "tier": about.tier, "languages": list(about.runtimes)}
        bridge.tell("told", "node", text, facts)
        off = about.clock - time.time()
        if abs(off) > CLOCK:
            way = "ahead" if off > 0 else "behind"
            text = f"the clock of {self.name} is {abs(off):.0f} s {way}: the times in its records are by it"
            bridge.tell("told", "node", text, {"node": about.host, "clock_off": round(off, 1)})

    def _joined(self, number: int) -> None:
        if self.about is None or type(number) is not int or number in self.readers:
            raise Refused(f"its referee process {number!r:.80} cannot join: it has, or the node has not")
        bridge = self.bridge
        bridge.count += 1
        self.referees[number] = bridge.count
        self.orders[number], self.readers[number] = {}, OrderReader()
        bridge.referees[bridge.count] = (self, number)
        name = f"referee process {number} of {self.name}"
        bridge.tell("joined", bridge.count, name, self.about.speed.facts())
        for bot in self.unable:
            bridge.tell("unable", bridge.count, bot)

    def _unable(self, bot: str, why: str) -> None:
        """Note that a bot cannot play there; orders with it come back."""
        if bot not in self.names:
            raise Refused(f"it cannot play {bot!r:.80}, which it should not play")
        if bot not in self.unable:
            self.unable.add(bot)
            text = f"{self.name} is given no matches of {bot}: {why}"
            self.bridge.tell("told", "node", text, {"node": self.about.host if self.about else "", "bot": bot})
            for referee in self.referees.values():
                self.bridge.tell("unable", referee, bot)

    def _lost(self, number: int, why: str) -> None:
        self.orders.pop(number, None)
        referee = self.referees.pop(number, None)
        if referee is not None:
            del self.bridge.referees[referee]
            self.bridge.tell("gone", referee, why)

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
        folder = Path(self.bridge.beginning.bots) / hash_.removeprefix("sha256:")
        for part in await asyncio.to_thread(list, parts(folder)):
            self.say("parcel", hash_, part)

    def _answered(self, number: int, body: bytes) -> None:
        referee = self.referees.get(number)
        if referee is None:
            return
        orders = self.orders[number]
        answer = answer_of(next(Messages().feed(body), ()))
        ids = [one.id for one in answer.played] if isinstance(answer, Block) else [answer.id]
        if not orders.keys() >= set(ids) or len(set(ids)) < len(ids):
            raise Refused(f"it answered orders that it was not given: {ids!r:.80}")
        if not isinstance(answer, Block):
            self.bridge.tell("answer", referee, answer_bytes(self._heard(orders, answer)))
            if self.failed >= MOST_FAILED and isinstance(answer, Failed):
                raise Refused(
                    f"it failed {self.failed} matches, the last one with: {answer.error!s:.300}", MEASURE_AGAIN
                )
            return
        played = [orders.pop(id) for id in ids]
        if self.bridge.beginning.own:
            self.bridge.tell("answer", referee, body)
            self.played, self.failed = True, 0
            return
        task = asyncio.create_task(self._check(referee, played, body))
        self.checks.add(task)
        task.add_done_callback(self.checks.discard)

    def _heard(self, orders: dict[int, Play], answer: Told) -> Told:
        """What an order's answer means for the run: nothing that a node says can bench a bot elsewhere."""
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
        assert self.terms is not None
        bridge = self.bridge
        try:
            bodies = [await bridge.checkers.check(orders, body, self.terms)]
            self.played, self.failed = True, 0
        except RecordError as error:
            self.known.lies += 1
            self.known.lie = f"{error!s:.300}"
            bodies = _all_failed(orders, f"what {self.name} sent does not fit: {error}")
        except CheckFailure as error:
            bodies = _all_failed(orders, f"what {self.name} sent cannot be checked here: {error}")
        for each in bodies:
            bridge.tell("answer", referee, each)
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

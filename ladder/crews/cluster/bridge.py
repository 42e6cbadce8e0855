"""The bridge of a run: the child process that speaks with Dask (`python -m bullring.ladder.crews.cluster.bridge`).

It keeps an actor on each worker of the scheduler, gives it the orders of the run, and passes answers back once they were checked,
in processes of its own. A node that gives no sign of life for as long as its lease lasts is given up with all it has been told
to play; whatever it says later is not listened to.
"""

import asyncio
import contextlib
import os
import sys
import time
import warnings
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from math import floor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import distributed
from distributed.protocol.serialize import to_serialize

from bullring.errors import BullringError, LadderError, RecordError
from bullring.installation import VERSION
from bullring.ladder.crews.cluster import host, serving
from bullring.ladder.crews.cluster.checking import Terms, checked
from bullring.ladder.crews.cluster.cluster import local_workers
from bullring.ladder.crews.cluster.node import Node
from bullring.ladder.crews.cluster.parcels import parts
from bullring.ladder.crews.cluster.pinned import pin
from bullring.ladder.crews.cluster.speed import Speed
from bullring.ladder.crews.messages import (
    Block,
    Failed,
    Held,
    Meet,
    Messages,
    OrderReader,
    Play,
    Setup,
    answer_bytes,
    answer_of,
    framed,
)

LOOK_EVERY = 1.0
"""Seconds between two looks at the workers of the scheduler."""

AGAIN = 5.0
"""Seconds until a node that was given up is tried again, if its worker is still there."""

MEASURE_AGAIN = 60.0
"""Seconds until a node that is too slow or too quick is measured again: others may have disturbed it."""

MOST_LIES = 2
"""Answers of a node that do not fit, after which it is not used any more."""

CLOCK = 5.0
"""Seconds by which the clock of a node may differ before that is said."""

WHICH = "__import__('bullring.installation', fromlist=['VERSION']).VERSION"
"""Python that tells the version on a node. It is sent as text, so it can be asked of any version."""

_READ = 1 << 18


@dataclass(frozen=True)
class Beginning:
    """What a bridge is told first."""

    address: str
    tls: Mapping[str, str]
    """Arguments of Dask's `Security`."""
    lease: float
    """Seconds without a sign of life after which a node is given up."""
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

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        return {**vars(self)}


class Refused(Exception):
    """A node cannot be used; if it may be `later`, after so many seconds."""

    def __init__(self, text: str, later: float = float("inf")) -> None:
        self.later = later
        super().__init__(text)


class Gone(Exception):
    """A node is lost."""


@dataclass
class Known:
    """What is remembered of a worker of the scheduler."""

    identity: Mapping[str, Any]
    again: float = 0.0
    """When it may be tried next."""
    lies: int = 0
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
    referees: dict[int, int] = field(default_factory=dict)
    """Numbers in the run, by the numbers on the node."""
    orders: dict[int, dict[int, Play]] = field(default_factory=dict)
    """What each referee process was told to play, by the ids."""
    readers: dict[int, OrderReader] = field(default_factory=dict)
    hashes: set[str] = field(default_factory=set)
    """Those of the bots that it has met."""
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
        client = bridge.client
        async with asyncio.timeout(max(lease, 10.0)):
            await self._check_version()
            future = client.submit(
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
            first, sharing = bridge.share_of(self)
            width = int(self.known.identity["nthreads"])
            beginning = host.Beginning(bridge.beginning.setup, width, first, sharing, lease / 6, bridge.beginning.build)
            self.say("begin", beginning.facts())
            self.alive = time.monotonic()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._speak())
                group.create_task(self._listen())
        except* Gone as group:
            raise group.exceptions[0] from None
        except* Refused as group:
            raise group.exceptions[0] from None
        finally:
            with contextlib.suppress(Exception):
                await self.call("close", timeout=1.0)
            future.release()

    async def _check_version(self) -> None:
        try:
            found = (await self.bridge.client.run(eval, WHICH, workers=[self.address]))[self.address]
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
                if self.address not in self.bridge.workers:
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
        at, buffer = 0, Messages()
        wait = self.bridge.beginning.lease / 4
        while True:
            data = await self._again("hear", at, wait)
            if data is None:
                raise Gone("its host has ended")
            if data:
                self.alive = time.monotonic()
            at += len(data)
            for kind, *rest in buffer.feed(data):
                await self._take(kind, *rest)

    async def _take(self, kind: str, *rest: Any) -> None:
        bridge = self.bridge
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
                raise Refused(rest[0])
            case _:
                bridge.beats += 1

    def _ready(self, about: host.About) -> None:
        bridge = self.bridge
        first = bridge.first_speed
        if first is not None and about.speed.differs(first[1], bridge.beginning.mix):
            low, high = sorted((about.speed.figure, first[1].figure))
            raise Refused(
                f"its speed is {about.speed.figure:.2f} ({about.speed.kind}), and that of {first[0]} {first[1].figure:.2f}, so time"
                f" limits mean something else there; if that may be, add: --mix-speeds {floor(10 * high / low + 1) / 10}",
                MEASURE_AGAIN,
            )
        if first is None:
            bridge.first_speed = (about.host, about.speed)
        self.about = about
        node = {"name": about.host, **about.speed.facts()}
        self.terms = Terms(
            bridge.setup.list, bridge.setup.format, bridge.setup.limits, about.tier, node, bridge.beginning.key
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
        assert self.about is not None
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
        self.readers.pop(number, None)
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
                self.hashes.add(order.bot.contents.hash)
                self.names.add(order.bot.name)
        self.say("orders", number, body)

    async def _send(self, hash_: str) -> None:
        """Send the files of a bot."""
        if hash_ not in self.hashes:
            raise Refused(f"it asked for the files {hash_!r:.80}, which are not of a bot that it should play with")
        folder = Path(self.bridge.beginning.bots) / hash_.removeprefix("sha256:")
        for part in await asyncio.to_thread(list, parts(folder)):
            self.say("parcel", hash_, part)

    def _answered(self, number: int, body: bytes) -> None:
        referee = self.referees.get(number)
        if referee is None:
            return
        orders = self.orders[number]
        answer = answer_of(next(Messages().feed(body)))
        ids = [one.id for one in answer.played] if isinstance(answer, Block) else [answer.id]
        if not orders.keys() >= set(ids):
            raise Refused(f"it answered orders that it was not given: {ids!r:.80}")
        if isinstance(answer, Block):
            task = asyncio.create_task(self._check(referee, [orders.pop(id) for id in ids], body))
            self.checks.add(task)
            task.add_done_callback(self.checks.discard)
            return
        if not isinstance(answer, Held):
            del orders[answer.id]
        self.bridge.tell("answer", referee, body)

    async def _check(self, referee: int, orders: list[Play], body: bytes) -> None:
        assert self.terms is not None
        bridge = self.bridge
        try:
            bodies = [await bridge.loop.run_in_executor(bridge.pool, checked, orders, body, self.terms)]
        except RecordError as error:
            self.known.lies += 1
            why = f"what {self.name} sent does not fit: {error}"
            bodies = [answer_bytes(Failed(order.id, why)) for order in orders]
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


class Bridge:
    """The bridge at work."""

    def __init__(self, beginning: Beginning, client: Any, pool: Executor, out: asyncio.StreamWriter) -> None:
        self.beginning = beginning
        setup = next(OrderReader().feed(beginning.setup))
        assert isinstance(setup, Setup)
        self.setup = setup
        self.client = client
        self.pool = pool
        self.loop = asyncio.get_running_loop()
        self.workers: dict[str, Known] = {}
        """The workers of the scheduler, by address."""
        self.sessions: dict[str, Session] = {}
        self.referees: dict[int, tuple[Session, int]] = {}
        """By their numbers in the run."""
        self.count = 0
        self.beats = 0
        self.first_speed: tuple[str, Speed] | None = None
        self._out = out

    def tell(self, *message: Any) -> None:
        """Send a message to the run."""
        self._out.write(framed(*message))

    def share_of(self, session: Session) -> tuple[int, int]:
        """The first core that a node should use of its machine, and how many referee processes all nodes on it have."""
        here = session.known.identity["host"]
        first = sharing = 0
        for address, known in sorted(self.workers.items()):
            if known.identity["host"] == here:
                if address < session.address:
                    first += int(known.identity["nthreads"])
                sharing += int(known.identity["nthreads"])
        return first, sharing

    async def look(self) -> None:
        """Look again and again which workers there are."""
        waited = False
        while True:
            found = (await self.client.scheduler.identity(n_workers=-1))["workers"]
            for address in list(self.workers):
                if address not in found and self.workers[address].task is None:
                    del self.workers[address]
            for address, identity in found.items():
                known = self.workers.setdefault(address, Known(identity))
                if known.task is None and time.monotonic() >= known.again:
                    known.task = asyncio.create_task(self._use(address, known))
            if not found and not waited and local_workers(self.beginning.address) is None:
                self.tell(
                    "told", "node", f"no worker is there yet; start some: bullring worker {self.beginning.address}", {}
                )
            waited = not found
            await asyncio.sleep(LOOK_EVERY)

    async def _use(self, address: str, known: Known) -> None:
        session = self.sessions[address] = Session(self, address, known)
        why, later = "", AGAIN
        try:
            await session.run()
        except Refused as error:
            why, later = f"{session.name} is not used: {error}", error.later
        except Gone as error:
            why = f"{session.name} is gone: {error}"
        except asyncio.CancelledError:
            if known.lies < MOST_LIES:
                raise
            why = f"{session.name} is not used any more: {known.lies} of its answers did not fit"
            later = float("inf")
        except (OSError, TimeoutError) as error:
            why = f"{session.name} cannot be reached: {error or 'no answer'}"
        except Exception as error:  # Dask has errors of many kinds, and a node must not end a run
            why = f"{session.name} is gone: {type(error).__name__}: {error}"
        finally:
            del self.sessions[address]
            known.task = None
            known.again = time.monotonic() + later
        await session.give_up(why)
        self.tell("told", "node", why, {})

    async def serve(self, messages: AsyncIterator[list[Any]]) -> None:
        """Pass on the orders of the run, until they end."""
        async for kind, *rest in messages:
            assert kind == "orders"
            number, body = rest
            if number in self.referees:
                session, own = self.referees[number]
                session.take_orders(own, body)


async def bridge() -> None:
    """Serve a run, with messages from stdin and to stdout."""
    pin()
    loop = asyncio.get_running_loop()
    source = asyncio.StreamReader(limit=1 << 26)
    orders, answers = os.dup(0), os.dup(1)
    os.dup2(sys.stderr.fileno(), 1)  # anything printed by mistake must not be read as a message
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(source), os.fdopen(orders, "rb"))
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(answers, "wb"))
    out = asyncio.StreamWriter(transport, protocol, None, loop)
    messages = _messages(source)
    kind, facts = await anext(messages)
    assert kind == "begin"
    beginning = Beginning(**facts)
    try:
        await _bridge(beginning, messages, out)
    except BullringError as error:
        out.write(framed("failed", str(error)))
        await out.drain()


async def _bridge(beginning: Beginning, messages: AsyncIterator[list[Any]], out: asyncio.StreamWriter) -> None:
    context = get_context("forkserver")
    async with contextlib.AsyncExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(beginning.checkers, mp_context=context))
        address, security = await stack.enter_async_context(serving.scheduler(beginning.address, beginning.tls))
        try:
            client = await stack.enter_async_context(
                distributed.Client(address, asynchronous=True, security=security, set_as_default=False, timeout=10)
            )
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            raise LadderError(serving.unreachable(beginning.address, beginning.tls, error)) from None
        here = Bridge(beginning, client, pool, out)
        looking = asyncio.create_task(here.look())
        serve = asyncio.create_task(here.serve(messages))
        done, _ = await asyncio.wait([looking, serve], return_when=asyncio.FIRST_COMPLETED)
        for known in here.workers.values():
            if known.task:
                known.task.cancel()
        await asyncio.wait([known.task for known in here.workers.values() if known.task] or [serve], timeout=3)
        looking.cancel()
        if looking in done:
            why = looking.exception()
            raise LadderError(f"the scheduler {address} is gone ({why}); start it, then run this again")


async def _messages(source: asyncio.StreamReader) -> AsyncIterator[list[Any]]:
    buffer = Messages()
    while data := await source.read(_READ):
        for message in buffer.feed(data):
            yield message


def main() -> None:
    """Run the bridge."""
    warnings.simplefilter("ignore")  # Dask's, about its own objects
    asyncio.run(bridge())


if __name__ == "__main__":
    main()

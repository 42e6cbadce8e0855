"""The bridge of a run: the child process that speaks with Dask (`python -m bullring.ladder.run.cluster.bridge`).

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
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

import distributed

from bullring.errors import BullringError, LadderError, first_error
from bullring.ladder.run.cluster import dask_workers
from bullring.ladder.run.cluster.checkers import Checkers
from bullring.ladder.run.cluster.cluster import local_workers
from bullring.ladder.run.cluster.pinned import pin
from bullring.ladder.run.cluster.session import MOST_LIES, Gone, Known, Refused, Session
from bullring.ladder.run.cluster.speed_classes import Cores, Speeds
from bullring.ladder.run.workers.messages import Messages, OrderReader, Setup, framed

LOOK_EVERY = 1.0
"""Seconds between two looks at the workers of the scheduler."""

AGAIN = 5.0
"""Seconds until a node that was given up is tried again, if its worker is still there."""

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

    @property
    def own(self) -> bool:
        """Whether its nodes are processes of this machine that this one starts itself. They are believed as the referee processes
        of a run without a cluster are."""
        return local_workers(self.address) is not None

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        return {**vars(self)}


class Bridge:
    """The bridge at work."""

    def __init__(self, beginning: Beginning, client: Any, checkers: Checkers, out: asyncio.StreamWriter) -> None:
        self.beginning = beginning
        setup = next(OrderReader().feed(beginning.setup))
        assert isinstance(setup, Setup)
        self.setup = setup
        self.client = client
        self.checkers = checkers
        self.present: frozenset[str] = frozenset()
        """The addresses of the workers that the scheduler has."""
        self.workers: dict[str, Known] = {}
        """Those, and the ones that still play, by address."""
        self.sessions: dict[str, Session] = {}
        self.referees: dict[int, tuple[Session, int]] = {}
        """By their numbers in the run."""
        self.count = 0
        self.speeds = Speeds(beginning.mix)
        self._cores = Cores()
        self._out = out

    def tell(self, *message: Any) -> None:
        """Send a message to the run."""
        self._out.write(framed(*message))

    def share_of(self, session: Session) -> tuple[list[int], int]:
        """The cores that a node should use of its machine, and how many referee processes all nodes on it have."""
        own = session.known
        beside = [
            known.identity
            for known in self.workers.values()
            # Of one that was not asked yet, its address tells.
            if (known.machine == own.machine if known.machine else known.identity["host"] == own.identity["host"])
        ]
        cores = self._cores.take(own.machine, session.address, session.width)
        return cores, sum(int(identity["nthreads"]) for identity in beside)

    async def look(self) -> None:
        """Look again and again which workers there are.

        Raises `LadderError` if they are our own, and none can ever be used: nobody else will come.
        """
        waited = False
        while True:
            found = (await self.client.scheduler.identity(n_workers=-1))["workers"]
            self.present = frozenset(found)
            for address in list(self.workers):
                if address not in found and self.workers[address].task is None:
                    del self.workers[address]
            for address, identity in found.items():
                known = self.workers.setdefault(address, Known(identity))
                if known.task is None and time.monotonic() >= known.again:
                    known.task = asyncio.create_task(self._use(address, known))
            if not found and not waited and not self.beginning.own:
                self.tell(
                    "told", "node", f"no worker is there yet; start some: bullring worker {self.beginning.address}", {}
                )
            waited = not found
            useless = [known.why for known in self.workers.values() if known.again == float("inf") and known.why]
            if self.beginning.own and found and len(useless) == len(self.workers):
                raise LadderError(f"no worker can be used: {useless[0]}")
            await asyncio.sleep(LOOK_EVERY)

    async def _use(self, address: str, known: Known) -> None:
        session = self.sessions[address] = Session(self, address, known)
        why, later = "", AGAIN
        try:
            await session.run()
        except asyncio.CancelledError:
            if known.lies < MOST_LIES:
                raise
            why = f"{session.name} is not used any more: {known.lies} of its answers did not fit; the last one: {known.lie}"
            later = float("inf")
        except Exception as raised:  # Dask has errors of many kinds, and a node must not end a run
            match first_error(raised):
                case Refused() as error:
                    why, later = f"{session.name} is not used: {error}", error.later
                case Gone() as error:
                    why = f"{session.name} is gone: {error}"
                case OSError() | TimeoutError() as error:
                    why = f"{session.name} cannot be reached: {error or 'no answer'}"
                case error:
                    why = f"{session.name} is gone: {type(error).__name__}: {error}"
        finally:
            del self.sessions[address]
            known.task = None
            known.again = time.monotonic() + later
            self._cores.free(known.machine, address)
            self.speeds.leave(address, played=session.played)
        await session.give_up(why)
        if why != known.why:  # one that is refused again and again for the same reason is told of once
            known.why = why
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
        checkers = Checkers(partial(ProcessPoolExecutor, beginning.checkers, mp_context=context))
        stack.callback(checkers.close)
        address, security = await stack.enter_async_context(dask_workers.scheduler(beginning.address, beginning.tls))
        try:
            client = await stack.enter_async_context(
                distributed.Client(address, asynchronous=True, security=security, set_as_default=False, timeout=10)
            )
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            raise LadderError(dask_workers.unreachable(beginning.address, beginning.tls, error)) from None
        here = Bridge(beginning, client, checkers, out)
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
            if isinstance(why, LadderError):
                raise why
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

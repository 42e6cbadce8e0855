"""The bridge of a run: the child process that speaks with Dask. Its program is `bridge_process`.

It keeps an actor on each worker of the scheduler, gives it the orders of the run, and passes answers back once they were checked,
in processes of its own. A node without a heartbeat for the length of its lease is given up with all its orders; its later messages
are ignored.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import distributed

from bullring.arena.cells.processes.frames import framed
from bullring.arena.cells.processes.inside import ends
from bullring.arena.cells.processes.with_asyncio import AsyncioChild, heard, reader, writer
from bullring.errors import BullringError, LadderError, first_error
from bullring.ladder.run.cluster import dask_workers
from bullring.ladder.run.cluster.checkers import Checkers
from bullring.ladder.run.cluster.cluster import local_workers
from bullring.ladder.run.cluster.session import MOST_LIES, Beginning, Gone, Known, Refused, Session, Shared

LOOK_EVERY, LOOK_OWN = 1.0, 0.05
"""Seconds between two looks at the workers of the scheduler; and while those that this process has started are not all there."""

AGAIN = 5.0
"""Seconds until a node that was given up is tried again, if its worker is still there."""


class Bridge:
    """The bridge at work."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared

    async def look(self) -> None:
        """Look again and again which workers there are.

        Raises `LadderError` if they are our own, and none can ever be used: no other will come.
        """
        waited = False
        shared, own = self.shared, local_workers(self.shared.beginning.address) or 0
        while True:
            found = (await shared.client.scheduler.identity(n_workers=-1))["workers"]
            shared.present = frozenset(found)
            for address in list(shared.workers):
                if address not in found and shared.workers[address].task is None:
                    del shared.workers[address]
            for address, identity in found.items():
                known = shared.workers.setdefault(address, Known(identity))
                if known.task is None and time.monotonic() >= known.again:
                    known.task = asyncio.create_task(self._use(address, known))
            if not found and not waited and not own:
                text = f"no worker is there yet; start some: bullring worker {shared.beginning.address}"
                shared.tell("told", "node", text, {})
            waited = not found
            useless = [known.why for known in shared.workers.values() if known.again == float("inf") and known.why]
            if own and found and len(useless) == len(shared.workers):
                raise LadderError(f"no worker can be used: {useless[0]}")
            await asyncio.sleep(LOOK_OWN if len(found) < own else LOOK_EVERY)

    async def _use(self, address: str, known: Known) -> None:
        session = Session(self.shared, address, known)
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
            known.task = None
            known.again = time.monotonic() + later
            self.shared.cores.free(known.machine, address)
            self.shared.speeds.leave(address, played=session.played)
        await session.give_up(why)
        if why != known.why:  # one that is refused again and again for the same reason is told of once
            known.why = why
            self.shared.tell("told", "node", why, {})

    async def serve(self, messages: AsyncIterator[list[Any]]) -> None:
        """Pass on the orders of the run, until they end."""
        async for kind, *rest in messages:
            assert kind == "orders"
            number, body = rest
            if number in self.shared.referees:
                session, own = self.shared.referees[number]
                session.take_orders(own, body)


async def bridge(workers: Sequence[AsyncioChild]) -> None:
    """Serve a run, with messages from stdin and to stdout. `workers` are Dask workers for a cluster on this machine."""
    dask_workers.pin()
    source, sink = ends()
    stream, _ = await reader(source)
    out = await writer(sink)
    messages = heard(stream)
    async for kind, facts in messages:
        assert kind == "begin"
        try:
            await _bridge(Beginning(**facts), workers, messages, out)
        except BullringError as error:
            out.write(framed("failed", str(error)))
            await out.drain()
        return


async def _bridge(
    beginning: Beginning,
    workers: Sequence[AsyncioChild],
    messages: AsyncIterator[list[Any]],
    out: asyncio.StreamWriter,
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        checkers = await stack.enter_async_context(Checkers(beginning.checkers))
        serving = dask_workers.scheduler(beginning.address, beginning.tls, workers)
        address, security = await stack.enter_async_context(serving)
        try:
            client = await stack.enter_async_context(
                distributed.Client(address, asynchronous=True, security=security, set_as_default=False, timeout=10)
            )
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            raise LadderError(dask_workers.unreachable(beginning.address, beginning.tls, error)) from None
        here = Bridge(Shared(beginning, client, checkers, lambda *message: out.write(framed(*message))))
        looking = asyncio.create_task(here.look())
        serve = asyncio.create_task(here.serve(messages))
        done, _ = await asyncio.wait([looking, serve], return_when=asyncio.FIRST_COMPLETED)
        using = [known.task for known in here.shared.workers.values() if known.task]
        for task in using:
            task.cancel()
        await asyncio.wait(using or [serve], timeout=3)
        looking.cancel()
        if looking in done:
            why = looking.exception()
            if isinstance(why, LadderError):
                raise why
            raise LadderError(f"the scheduler {address} is gone ({why}); start it, then run this again")

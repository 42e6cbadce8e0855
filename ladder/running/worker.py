"""A referee process of the ladder: plays many tables in one trio loop (`tables`), takes orders on stdin and answers on stdout.

The protocol is in `messages`. When stdin ends, everything is ended at once, so nothing outlives a ladder that was killed.
"""

import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

import trio

from bullring.arena.clock.limits import Limits
from bullring.arena.linebuffer import LineBuffer
from bullring.arena.match import Report, calm_the_collector, notes_of, play_match, seal_record
from bullring.arena.referee.match import MatchSpec
from bullring.arena.rules.registry import find
from bullring.arena.sandbox.opening import open_sandbox
from bullring.arena.seats.pool import Pool, open_pool
from bullring.arena.seats.room import share_of_machine
from bullring.errors import HostError, WriteError
from bullring.installation import VERSION
from bullring.ladder.knowing.metrics import metrics
from bullring.ladder.knowing.timing import buckets
from bullring.ladder.running.messages import (
    Answer,
    Drop,
    Failed,
    Match,
    Outcome,
    Play,
    Played,
    SeatOutcome,
    Setup,
    answer_line,
    order_of,
)
from bullring.ladder.running.tables import Tables

_READ = 65536


async def work(orders: int, answers: int) -> None:
    """Serve orders from the file descriptor `orders` until it ends; write answers to the descriptor `answers`."""
    async with trio.lowlevel.FdStream(orders) as source, trio.lowlevel.FdStream(answers) as sink:
        lines = _lines(source)
        setup = await _setup(lines)
        if setup is None:
            return
        told, tell = trio.open_memory_channel[Answer](1 << 16)
        async with (
            open_sandbox(setup.wish, setup.owner) as sandbox,
            open_pool(setup.limits, sandbox, share_of_machine(setup.jobs)) as pool,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(_write, sink, tell)
            nursery.start_soon(_heed_sigterm, nursery.cancel_scope)
            tables = Tables(nursery, pool, partial(_play, pool, setup.limits), told.send_nowait)
            nursery.start_soon(tables.look)
            async for line in lines:
                order = order_of(line)
                match order:
                    case Play():
                        tables.take(order)
                    case Drop():
                        tables.drop()
            nursery.cancel_scope.cancel()


async def _heed_sigterm(scope: trio.CancelScope) -> None:
    """On SIGTERM, end all bots before this process ends, as when a service manager ends the ladder with all its processes."""
    with trio.open_signal_receiver(signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()


async def _setup(lines: AsyncIterator[bytes]) -> Setup | None:
    async for line in lines:
        order = order_of(line)
        assert isinstance(order, Setup)
        return order
    return None


async def _lines(source: trio.lowlevel.FdStream) -> AsyncIterator[bytes]:
    buffer = LineBuffer()
    with contextlib.suppress(trio.BrokenResourceError):
        while data := await source.receive_some(_READ):
            for line in buffer.feed(bytes(data)):
                yield line


async def _write(sink: trio.lowlevel.FdStream, answers: "trio.MemoryReceiveChannel[Answer]") -> None:
    """Write answers, in a task of its own: a ladder that is slow to read must not delay a match."""
    with contextlib.suppress(trio.BrokenResourceError):  # the ladder is gone, so this process will end soon, too
        async for answer in answers:
            await sink.send_all(answer_line(answer))


async def _play(pool: Pool, limits: Limits, order: Play) -> Answer:
    try:
        return Played(order.id, await _outcomes(pool, limits, order))
    except HostError as error:
        return Failed(order.id, f"this machine cannot run bots: {error}")
    except WriteError as error:
        return Failed(order.id, str(error))


async def _outcomes(pool: Pool, limits: Limits, order: Play) -> list[Outcome]:
    """Play the matches of an order. Raises `HostError`, `WriteError`.

    The record of a match is sealed when it ends; those of a group when all its matches have, as they reveal the deals.
    """
    group = len(order.matches) > 1
    deals = str(order.id) if group else ""
    reports, outcomes = [], []
    notes = notes_of(pool.sandbox)
    try:
        for match in order.matches:
            spec = spec_of(order, match, limits, notes)
            report = await play_match(pool, match.bots, spec, match.record, deals=deals, seal=not group)
            reports.append(report)
            outcomes.append(Outcome(match.id, spec.began, report.void, report.result.deals, seats_of(report)))
            if report.void is not None:
                break
    finally:
        pool.forget(deals)
    if group:
        for report in reports:
            seal_record(report)
    return outcomes


def spec_of(order: Play, match: Match, limits: Limits, notes: Mapping[str, Any]) -> MatchSpec:
    """A match of an order, which begins now; `notes` are added to those in its record."""
    return MatchSpec(
        game=find(order.game)(len(match.bots), order.options),
        names=[bot.name for bot in match.bots],
        seed=match.seed,
        limits=limits,
        began=datetime.now(UTC).isoformat(timespec="seconds"),
        version=VERSION,
        notes={**notes, **match.notes},
    )


def seats_of(report: Report) -> list[SeatOutcome]:
    """The results of a match that the ladder keeps, by seat."""
    return [
        SeatOutcome(
            heads=seat.score,
            rank=seat.rank,
            faults=[fault.kind.value for fault in seat.faults],
            closed=any(fault.closed for fault in seat.faults),
            times=buckets(seat.times_us),
            metrics=metrics(log),
            spent=spent,
            start_us=start_us,
            fault=seat.faults[-1].facts() if seat.faults else None,
        )
        for seat, log, spent, start_us in zip(
            report.result.seats, report.logs, report.spent, report.start_us, strict=True
        )
    ]


def main() -> None:
    """Run the worker: `python -m bullring.ladder.running.worker`, with stdin and stdout connected to the ladder."""
    calm_the_collector()
    orders, answers = os.dup(0), os.dup(1)
    # Anything printed by mistake must not be read as an answer.
    os.dup2(sys.stderr.fileno(), 1)
    trio.run(work, orders, answers)


if __name__ == "__main__":
    main()

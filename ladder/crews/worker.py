"""A referee process of the ladder: plays many tables in one trio loop (`tables`), takes orders on stdin and answers on stdout.

The protocol is in `messages`. When stdin ends, everything is ended at once, so nothing outlives a ladder that was killed.
"""

import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

import trio

from bullring.arena.bots.bot import Bot
from bullring.arena.bots.contents import check_contents
from bullring.arena.clock.limits import Limits
from bullring.arena.linebuffer import LineBuffer
from bullring.arena.match import Report, calm_the_collector, notes_of, play_match, seal_record
from bullring.arena.records.ends import now
from bullring.arena.referee.match import MatchSpec
from bullring.arena.rules.registry import find
from bullring.arena.sandbox.opening import open_sandbox
from bullring.arena.seats.pool import Pool, open_pool
from bullring.arena.seats.room import share_of_machine
from bullring.errors import BotError, HostError, WriteError
from bullring.installation import VERSION
from bullring.ladder.crews.messages import (
    Answer,
    Changed,
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
from bullring.ladder.crews.tables import Tables
from bullring.ladder.knowing.metrics import metrics
from bullring.ladder.knowing.timing import buckets

if TYPE_CHECKING:
    from bullring.arena.records.signing import Signer

_READ = 65536


async def work(orders: int, answers: int) -> None:
    """Serve orders from the file descriptor `orders` until it ends; write answers to the descriptor `answers`."""
    async with trio.lowlevel.FdStream(orders) as source, trio.lowlevel.FdStream(answers) as sink:
        lines = _lines(source)
        setup = await _setup(lines)
        if setup is None:
            return
        signer = _signer(setup.key)
        told, tell = trio.open_memory_channel[Answer](1 << 16)
        async with (
            open_sandbox(setup.wish, setup.owner) as sandbox,
            open_pool(setup.limits, sandbox, share_of_machine(setup.jobs)) as pool,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(_write, sink, tell)
            nursery.start_soon(_heed_sigterm, nursery.cancel_scope)
            tables = Tables(nursery, pool, Playing(pool, setup.limits, signer).play, told.send_nowait)
            nursery.start_soon(tables.look)
            async for line in lines:
                order = order_of(line)
                match order:
                    case Play():
                        tables.take(order)
                    case Drop(bots):
                        tables.drop(bots)
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


def _signer(key: str) -> "Signer | None":
    if not key:
        return None
    from bullring.arena.records.signing import Signer  # the library takes time to import

    return Signer.of(key.encode("ascii"))


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


class Playing:
    """Plays orders, with bots whose files are those that were added."""

    def __init__(self, pool: Pool, limits: Limits, signer: "Signer | None") -> None:
        self._pool = pool
        self._limits = limits
        self._signer = signer
        self._checked: set[Bot] = set()
        """Those whose files were as they should be when this process first opened them."""

    async def play(self, order: Play) -> Answer:
        """Play the matches of an order."""
        if reasons := await self._changed(order):
            return Changed(order.id, reasons)
        try:
            return Played(order.id, await self._outcomes(order))
        except HostError as error:
            return Failed(order.id, f"this machine cannot run bots: {error}")
        except WriteError as error:
            return Failed(order.id, str(error))

    async def _changed(self, order: Play) -> dict[str, str]:
        """Why bots of an order cannot play, by name."""
        reasons = {}
        for bot in {bot for match in order.matches for bot in match.bots} - self._checked:
            try:
                await trio.to_thread.run_sync(check_contents, bot, bot.contents)
            except BotError as error:
                reasons[bot.name] = str(error)
            else:
                self._checked.add(bot)
        return reasons

    async def _outcomes(self, order: Play) -> list[Outcome]:
        """Play the matches of an order. Raises `HostError`, `WriteError`.

        The record of a match is sealed when it ends; those of a group when all its matches have, as they reveal the deals.
        """
        pool, signer = self._pool, self._signer
        group = len(order.matches) > 1
        deals = str(order.id) if group else ""
        reports = []
        notes = notes_of(pool.sandbox, self._limits)
        try:
            for match in order.matches:
                spec = spec_of(order, match, self._limits, notes)
                report = await play_match(
                    pool, match.bots, spec, match.record, deals=deals, seal=not group, signer=signer
                )
                reports.append(report)
                if report.void is not None:
                    break
        finally:
            pool.forget(deals)
        if group:
            for report in reports:
                seal_record(report, signer)
        return [_outcome(match.id, report) for match, report in zip(order.matches, reports, strict=False)]


def _outcome(match: int, report: Report) -> Outcome:
    result = report.result
    return Outcome(match, report.spec.began, result.ended, report.seal, result.void, result.deals, seats_of(report))


def spec_of(order: Play, match: Match, limits: Limits, notes: Mapping[str, Any]) -> MatchSpec:
    """A match of an order, which begins now; `notes` are added to those in its record."""
    return MatchSpec(
        game=find(order.game)(len(match.bots), order.options),
        names=[bot.name for bot in match.bots],
        seed=match.seed,
        limits=limits,
        began=now(),
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
    """Run the worker: `python -m bullring.ladder.crews.worker`, with stdin and stdout connected to the ladder."""
    calm_the_collector()
    orders, answers = os.dup(0), os.dup(1)
    # Anything printed by mistake must not be read as an answer.
    os.dup2(sys.stderr.fileno(), 1)
    trio.run(work, orders, answers)


if __name__ == "__main__":
    main()

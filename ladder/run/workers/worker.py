"""A referee process of a ladder: plays many tables in one trio loop (`lanes`), takes orders on stdin and answers on stdout.

The protocol is in `messages`. When stdin ends, everything is ended at once, so nothing outlives a ladder that was killed.
"""

import contextlib
import resource
import signal
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.contents import check_contents
from bullring.arena.cells.processes.frames import CHUNK
from bullring.arena.cells.processes.inside import ends
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.games.rules.registry import find
from bullring.arena.match.play import Report, calm_the_collector, notes_of, play_match, seal_record
from bullring.arena.match.records.confinement import Confinement
from bullring.arena.match.records.ends import now
from bullring.arena.match.referee.hall import PATIENCE_US, the_hall
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.seats.pool import FILES, MOST_SEATED, Pool, open_pool, share_of_machine
from bullring.errors import BotError, HostError, WriteError
from bullring.installation import VERSION
from bullring.ladder.run.workers.lanes import Tables
from bullring.ladder.run.workers.messages import (
    MOST_TRIES,
    Changed,
    Drop,
    Failed,
    Match,
    Order,
    OrderReader,
    Outcome,
    Play,
    Played,
    Seat,
    Setup,
    Spoiled,
    Told,
)
from bullring.ladder.run.workers.outbox import GATHER, SOON, CarriedOut, Outbox, packer
from bullring.ladder.store.measures import buckets, metrics
from bullring.ladder.store.packed_row import packed
from bullring.ladder.store.rows import MatchRow, SeatRow

if TYPE_CHECKING:
    from bullring.arena.match.records.signatures import Signer


async def work(orders: int, answers: int) -> None:
    """Take orders from the descriptor `orders` until it ends; answer on the descriptor `answers`."""
    async with trio.lowlevel.FdStream(orders) as source, trio.lowlevel.FdStream(answers) as sink:
        coming = _orders(source)
        setup = await anext(coming, None)
        if setup is None:
            return
        assert isinstance(setup, Setup)
        signer = _signer(setup.key)
        outbox = Outbox(packer(setup.dictionary), SOON if setup.format == "duel" else GATHER)
        async with (
            open_sandbox(setup.wish, setup.owner) as sandbox,
            open_pool(setup.limits, sandbox, share_of_machine(setup.jobs)) as pool,
            trio.open_nursery() as nursery,
        ):
            the_hall().patience_us = PATIENCE_US
            nursery.start_soon(outbox.send, sink)
            nursery.start_soon(_heed_sigterm, nursery.cancel_scope)
            playing = Playing(pool, setup, signer)
            tables = Tables(nursery, pool, playing.play, outbox.tell)
            nursery.start_soon(tables.look)
            async for order in coming:
                match order:
                    case Play():
                        tables.take(order)
                    case Drop(bots):
                        tables.drop(bots)
            nursery.cancel_scope.cancel()


async def _orders(source: trio.lowlevel.FdStream) -> AsyncIterator[Order]:
    reader = OrderReader()
    with contextlib.suppress(trio.BrokenResourceError):
        while data := await source.receive_some(CHUNK):
            for order in reader.feed(bytes(data)):
                yield order


async def _heed_sigterm(scope: trio.CancelScope) -> None:
    """On SIGTERM, end all bots before this process ends, as when a service manager ends the ladder with all its processes."""
    with trio.open_signal_receiver(signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()


def _signer(key: str) -> "Signer | None":
    if not key:
        return None
    from bullring.arena.match.records.signatures import Signer  # the library takes time to import

    return Signer.of(key.encode("ascii"))


class Playing:
    """Plays orders, with bots whose files are those that were added."""

    def __init__(self, pool: Pool, setup: Setup, signer: "Signer | None") -> None:
        self._pool = pool
        self._setup = setup
        self._signer = signer
        self._game = find(setup.list.game)(setup.list.seats, setup.list.options)
        self._notes = {**notes_of(pool.sandbox, setup.limits), **setup.notes}
        self._contents: dict[Bot, dict[str, Any]] = {}
        """The facts of the contents of the bots whose files were unchanged when this process first opened them."""

    async def play(self, order: Play) -> CarriedOut | Told:
        """Play the matches of an order."""
        if reasons := await self._changed(order):
            return Changed(order.id, reasons)
        try:
            return await self._carry_out(order)
        except HostError as error:
            return Failed(order.id, f"this machine cannot run bots: {error}")
        except WriteError as error:
            return Failed(order.id, str(error))

    async def _changed(self, order: Play) -> dict[str, str]:
        """The reasons why bots of an order cannot play, by name."""
        reasons = {}
        for bot in {bot for match in order.matches for bot in match.bots} - self._contents.keys():
            try:
                await trio.to_thread.run_sync(check_contents, bot, bot.contents)
            except BotError as error:
                reasons[bot.name] = str(error)
            else:
                self._contents[bot] = bot.contents.facts()
        return reasons

    async def _carry_out(self, order: Play) -> CarriedOut:
        """Play the matches of an order. Raises `HostError`, `WriteError`.

        The record of a match is sealed when it ends; those of a group when all its matches have, as they reveal the deals. A group
        with a void match is played again with the same deals by other processes, so that nobody gains by it; what there is of
        its records is dropped.
        """
        group = len(order.matches) > 1
        reports = await self._attempt(order)
        while group and reports[-1].void is not None and len(order.spoiled) < MOST_TRIES - 1:
            again = [replace(match, seed=match.seed.again()) for match in order.matches]
            order = replace(order, matches=again, spoiled=(*order.spoiled, Spoiled(True, reports[-1].void)))
            reports = await self._attempt(order)
        if group:
            self._pool.forget(order.matches[0].seed.seed)
            for report in reports:
                seal_record(report, self._signer)
        counted = len(reports) == len(order.matches) and all(report.void is None for report in reports)
        outcomes = [
            self._outcome(order, match, report, counted=counted)
            for match, report in zip(order.matches, reports, strict=False)
        ]
        records = [(match.id, report.text) for match, report in zip(order.matches, reports, strict=False)]
        return CarriedOut(Played(order.id, outcomes, order.spoiled), records)

    async def _attempt(self, order: Play) -> Sequence[Report]:
        """Play the matches of an order up to the first void one. Raises `HostError`, `WriteError`.

        The processes that see the deals of a group are remembered, also if this fails: they must not play it again.
        """
        live, group = self._setup.live, len(order.matches) > 1
        reports: list[Report] = []
        for match in order.matches:
            report = await play_match(
                self._pool,
                match.bots,
                self._spec(order, match),
                None,
                kept=True,
                live=Path(live, f"{match.id}.jsonl") if live else None,
                deals=match.seed.seed if group else "",
                seal=not group,
                signer=self._signer,
            )
            reports.append(report)
            if report.void is not None:
                break
        return reports

    def _spec(self, order: Play, match: Match) -> MatchSpec:
        """A match of an order, which begins now."""
        ladder: dict[str, Any] = {"match": match.id, "format": self._setup.format}
        if len(order.matches) > 1:
            ladder |= {"group": order.id, "matches": len(order.matches)}
        if order.spoiled:
            ladder["spoiled"] = [list(each) for each in order.spoiled]
        return MatchSpec(
            game=self._game,
            names=[bot.name for bot in match.bots],
            seed=match.seed,
            limits=self._setup.limits,
            began=now(),
            version=VERSION,
            notes={**self._notes, "contents": [self._contents[bot] for bot in match.bots], "ladder": ladder},
        )

    def _outcome(self, order: Play, match: Match, report: Report, *, counted: bool) -> Outcome:
        """The outcome of a match, for the ladder."""
        result = report.result
        rows = [
            SeatRow(
                bot=bot,
                heads=seat.score,
                rank=seat.rank,
                faults=[fault.kind.value for fault in seat.faults],
                closed=any(fault.closed for fault in seat.faults),
                times=buckets(seat.times_us),
                metrics=metrics(log) if log else {},
                spent=spent,
            )
            for bot, seat, log, spent in zip(match.ids, result.seats, report.logs, report.spent, strict=True)
        ]
        seats = [
            Seat(
                row.bot,
                row.heads,
                row.rank,
                len(seat.times_us),
                row.spent.wall_us,
                row.spent.cpu_us,
                row.spent.starts,
                start_us,
                seat.faults[-1].facts() if seat.faults else None,
            )
            for row, seat, start_us in zip(rows, result.seats, report.start_us, strict=True)
        ]
        list_, format_ = self._setup.list.id, self._setup.format
        group = order.id if len(order.matches) > 1 else None
        ends = report.spec.began, result.ended, result.void
        row = MatchRow(match.id, list_, format_, group, match.seed, *ends, counted, result.deals, rows, report.seal)
        spoiled = sum(each.void for each in order.spoiled)
        row = replace(row, spoiled=spoiled, confinement=Confinement.of(self._notes))
        return Outcome(match.id, result.void, packed(row), seats)


def _allow_files() -> None:
    """Let this process have as many open files as bots that wait at hundreds of tables need, or as many as it may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES * MOST_SEATED
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft not in (resource.RLIM_INFINITY, max(soft, wanted)):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def main() -> None:
    """Run the worker: `python -m bullring.ladder.run.workers.worker`, with stdin and stdout connected to the ladder."""
    calm_the_collector()
    _allow_files()
    trio.run(work, *ends())


if __name__ == "__main__":
    main()

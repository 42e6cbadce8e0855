"""A referee process of the ladder: many tables in one trio loop, told what to play on stdin, telling results on stdout.

Both are JSON lines. The first line that comes are the settings: {"limits": {...}, "sandbox": {...}, "mask": [paths],
"mark": text}. Then:

* {"play": {...}}: a match (`Job`), beside those that are being played as soon as there is a table;
* {"forget": "17"}: a group is done, its deals are not played again;
* {"drop": true}: matches that have not begun are not to begin.

For each match one line goes back: {"id", "void", "deals", "seats": [...]}, or {"id", "error"} if its record cannot be written, or
{"id", "dropped": true}.
When stdin ends, everything is ended at once: so nothing outlives a ladder that was killed.
"""

import contextlib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import trio

from arena import __version__
from arena.bots.manifest import Bot
from arena.clock import Limits
from arena.match import MatchSpec
from arena.rules.registry import find
from arena.runner import Report, calm_the_collector, run_match
from arena.sandbox.cell import HostError
from arena.sandbox.choice import Wish, open_sandbox
from arena.seats.pool import Pool, open_pool
from arena.seeds import Seed
from ladder.metrics import metrics
from ladder.timing import buckets

Job = dict[str, Any]
"""id, group, game, options, start, bots (their `Bot.facts`), seed, nonce, began, record, notes."""

Answer = dict[str, Any]

TABLES = 8
"""Matches that are played side by side: while the bots of one think, others are served."""

_READ = 65536


async def work(commands: int, results: int) -> None:
    """Serve until the file descriptor `commands` ends; answers go to `results`."""
    async with trio.lowlevel.FdStream(commands) as source, trio.lowlevel.FdStream(results) as sink:
        lines = _Lines(source)
        settings = json.loads(await lines.next() or "null")
        if settings is None:
            return
        told, tell = trio.open_memory_channel[Answer](1 << 16)
        limits = Limits(**settings["limits"])
        async with (
            open_sandbox(Wish(**settings["sandbox"])) as sandbox,
            open_pool(limits, sandbox, settings["mark"], [Path(path) for path in settings["mask"]]) as pool,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(_write, sink, tell)
            tables = trio.Semaphore(TABLES)
            dropped = False

            async def play(job: Job) -> None:
                async with tables:
                    told.send_nowait({"id": job["id"], "dropped": True} if dropped else await _play(pool, limits, job))

            while (line := await lines.next()) is not None:
                command = json.loads(line)
                if "play" in command:
                    dropped = False
                    nursery.start_soon(play, command["play"])
                elif "forget" in command:
                    pool.forget(command["forget"])
                else:
                    dropped = True
            nursery.cancel_scope.cancel()


async def _write(sink: trio.lowlevel.FdStream, results: "trio.MemoryReceiveChannel[Answer]") -> None:
    """A task of its own, so that a ladder that is slow to read stops no clock."""
    with contextlib.suppress(trio.BrokenResourceError):  # the ladder is gone, and soon we are, too
        async for answer in results:
            await sink.send_all((json.dumps(answer) + "\n").encode())


async def _play(pool: Pool, limits: Limits, job: Job) -> Answer:
    try:
        report = await run_match(
            pool,
            [Bot.from_facts(facts) for facts in job["bots"]],
            spec_of(job, limits, {"sandbox": pool.sandbox.tier.value, "freeze": pool.sandbox.freeze}),
            Path(job["record"]),
            deals=job["group"],
            seal=False,
        )
    except HostError as error:
        return {"id": job["id"], "error": f"the machine cannot run bots: {error}"}
    except OSError as error:
        return {"id": job["id"], "error": f"a record cannot be written: {job['record']}: {error.strerror or error}"}
    return {"id": job["id"], **facts_of(report)}


def spec_of(job: Job, limits: Limits, notes: Mapping[str, Any]) -> MatchSpec:
    """The match of a job; `notes` go into its record, beside the job's own."""
    return MatchSpec(
        game=find(job["game"])(len(job["bots"]), job["options"], job["start"]),
        names=[bot["name"] for bot in job["bots"]],
        seed=Seed(job["seed"], job["nonce"]),
        limits=limits,
        began=job["began"],
        version=__version__,
        notes={**notes, **job["notes"]},
    )


def facts_of(report: Report) -> dict[str, Any]:
    """What the ladder keeps of a match."""
    result = report.result
    return {
        "void": result.void,
        "deals": result.deals,
        "seats": [
            {
                "heads": seat.score,
                "rank": seat.rank,
                "faults": [fault.kind.value for fault in seat.faults],
                "closed": any(fault.closed for fault in seat.faults),
                "times": buckets(seat.times_us),
                "metrics": metrics(log),
                "detail": seat.faults[-1].facts() if seat.faults else None,
            }
            for seat, log in zip(result.seats, report.logs, strict=True)
        ],
    }


class _Lines:
    def __init__(self, source: trio.lowlevel.FdStream) -> None:
        self._source = source
        self._data = bytearray()

    async def next(self) -> bytes | None:
        """The next line; None at the end."""
        while (at := self._data.find(b"\n")) < 0:
            try:
                more = await self._source.receive_some(_READ)
            except trio.BrokenResourceError:
                return None
            if not more:
                return None
            self._data += more
        line = bytes(self._data[:at])
        del self._data[: at + 1]
        return line


def main() -> None:
    """`python -m ladder.worker`, with stdin and stdout to the ladder."""
    calm_the_collector()
    commands, results = os.dup(0), os.dup(1)
    # What is printed by mistake must not become a result.
    os.dup2(sys.stderr.fileno(), 1)
    trio.run(work, commands, results)


if __name__ == "__main__":
    main()

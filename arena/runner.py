"""One match from beginning to end: bots are seated, the match is played and recorded, the bots go back to the pool."""

import contextlib
import gc
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

from arena.bots.manifest import Bot
from arena.match import MatchResult, MatchSpec, close_record, play
from arena.record import Recorder
from arena.rules.game import Event
from arena.seats.bot import BotSeat
from arena.seats.player import StartFailure
from arena.seats.pool import Pool

STDERR_SHOWN = 2000
"""Characters of a bot's stderr that go into the report of a fault; the record has all that was kept."""


@dataclass
class Report:
    """A match that was played, for people and for `--json`."""

    spec: MatchSpec
    result: MatchResult
    record: Path | None
    logs: Sequence[str] = ()
    """By seat, what the bot wrote to stderr."""

    @property
    def sheet(self) -> Event | None:
        """The score sheet of a tournament that was played to its end."""
        return next((event for event in self.result.last if event["type"] == "sheet"), None)

    def facts(self) -> dict[str, Any]:
        """The object that `bullring match --json` prints."""
        sheet = self.sheet
        return {
            "game": self.spec.game.id,
            "options": self.spec.game.options,
            "seed": self.spec.seed.seed,
            "record": str(self.record) if self.record else None,
            "void": self.result.void is not None,
            "void_reason": self.result.void,
            "seats": [
                {
                    "seat": index,
                    "bot": self.spec.names[index],
                    "score": seat.score,
                    "rank": seat.rank or None,
                    "faults": [fault.facts() for fault in seat.faults],
                    "decisions": timing(seat.times_us),
                }
                for index, seat in enumerate(self.result.seats)
            ],
            **({"sheet": {"hands": sheet["hands"], "heads": sheet["heads"]}} if sheet else {}),
        }


def timing(times_us: Sequence[int]) -> dict[str, Any]:
    """How many decisions, and their median, 99th percentile and longest time in milliseconds (None without decisions)."""
    times = sorted(times_us)
    if not times:
        return {"count": 0, "median_ms": None, "p99_ms": None, "max_ms": None}
    last = len(times) - 1
    middle = (times[last // 2] + times[(last + 1) // 2]) / 2
    high = times[min(last, -(-99 * len(times) // 100) - 1)]
    return {"count": len(times), "median_ms": middle / 1e3, "p99_ms": high / 1e3, "max_ms": times[-1] / 1e3}


async def run_match(
    pool: Pool,
    bots: Sequence[Bot],
    spec: MatchSpec,
    record: Path | None,
    *,
    flush_every: float = 0.5,
    last: bool = False,
    deals: str = "",
    seal: bool = True,
) -> Report:
    """Play one match of `bots` and write its record. Raises `OSError` if that cannot be written,
    and `HostError` if the machine cannot start bots at all.

    If it is the `last` match, the bots are ended with it, and the record has their last words, too. `deals` names the deals,
    which no process may see twice. A record that is not to be `seal`ed lacks its end, which opens seed and nonce.
    """
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(FileIO(record, "w", opener=open_private)) if record else None
        recorder = Recorder(file, flush_every)
        players = await pool.seat(bots, deals)
        try:
            result = await play(spec, players, recorder, pool.stalls)
        except BaseException:
            for player in players:
                if isinstance(player, BotSeat):
                    player.stop()
            recorder.flush(now=True)
            raise
        finally:
            await pool.release(players, keep=not last)
        logs = [player.log if isinstance(player, StartFailure) else player.log() for player in players]
        for seat, player, log in zip(result.seats, players, logs, strict=True):
            for fault in seat.faults:
                fault.stderr = log[-STDERR_SHOWN:]
                if fault.closed and isinstance(player, BotSeat):
                    fault.exit = player.exit_text()
        close_record(recorder, spec, result, logs, seal=seal)
    return Report(spec, result, record, logs)


def calm_the_collector() -> None:
    """Let Python's garbage collector run seldom and over little: each of its runs is a stall in somebody's thinking time.

    For the whole process, so it is the program's decision and not that of a part of it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def open_private(path: str, flags: int) -> int:
    """Open a record: it holds the hands while the match is played, so it is nobody else's business, even if it was before."""
    fd = os.open(path, flags, 0o600)
    if stat.S_ISREG(os.fstat(fd).st_mode):
        os.fchmod(fd, 0o600)
    return fd

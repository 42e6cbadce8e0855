"""One match from beginning to end: seat the bots, play and record the match, and return the bots to the pool."""

import contextlib
import gc
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.cell import Sandbox, gaps_of
from bullring.arena.cells.sandbox.promises import lacking
from bullring.arena.cells.text.doing import doing
from bullring.arena.games.rules.board import Sheet
from bullring.arena.match.cost import Spent, timing
from bullring.arena.match.faults import Fault
from bullring.arena.match.records.ends import append_end, end, now, sealed
from bullring.arena.match.records.writer import Live, Recorder, create
from bullring.arena.match.referee.spec import MatchResult, MatchSpec
from bullring.arena.match.referee.turns import play
from bullring.arena.match.seats.player import Player, cost_of
from bullring.arena.match.seats.pool import Pool
from bullring.arena.settings.limits import NO_CLOCK, Limits
from bullring.errors import StartFailure, WriteError

if TYPE_CHECKING:
    from bullring.arena.match.records.signatures import Signer

STDERR_SHOWN = 2000
"""Characters of a bot's stderr included in the report of a fault; the record holds everything that was kept."""


@dataclass
class Report:
    """A finished match, for display and for `--json`."""

    spec: MatchSpec
    result: MatchResult
    record: Path | None
    logs: Sequence[str] = ()
    """The stderr of each bot, by seat."""
    seal: str = ""
    """The seal of the record, once it is sealed."""
    spent: Sequence[Spent] = ()
    """The cost of each bot, by seat."""
    start_us: Sequence[int] = ()
    """The time to the hello of the process that was started for it, by seat; 0 if none was."""
    text: bytes = b""
    """The whole record, if it was to be kept in memory."""

    def __repr__(self) -> str:
        return f"<Report names={self.names} scores={self.scores} ranks={self.ranks} void={self.void!r}>"

    @property
    def names(self) -> list[str]:
        """The names of the bots, by seat."""
        return list(self.spec.names)

    @property
    def scores(self) -> list[int]:
        """Total heads, by seat; fewer is better."""
        return [seat.score for seat in self.result.seats]

    @property
    def ranks(self) -> list[int]:
        """Places from 1, by seat; ties share a place. All 0 in a void match."""
        return [seat.rank for seat in self.result.seats]

    @property
    def faults(self) -> list[Fault]:
        """All faults, by seat and then in order of occurrence."""
        return [fault for seat in self.result.seats for fault in seat.faults]

    @property
    def void(self) -> str | None:
        """The reason why the match does not count, or None if it counts."""
        return self.result.void

    @property
    def sheet(self) -> Sheet | None:
        """The score sheet, if the game has one and the match was played to its end."""
        return next((part for part in self.result.board if isinstance(part, Sheet)), None)

    def _start_ms(self, seat: int) -> float | None:
        """The time to the hello of the process that was started for the match; None if the seat had one from before."""
        return self.start_us[seat] / 1000 if seat < len(self.start_us) and self.start_us[seat] else None

    def facts(self) -> dict[str, Any]:
        """The object that `bullring match --json` prints."""
        sheet = self.sheet
        return {
            "game": self.spec.game.id,
            "options": self.spec.game.options,
            "seed": self.spec.seed.seed,
            "sandbox": self.spec.notes.get("sandbox"),
            "lacks": self.spec.notes.get("lacks"),
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
                    "start_ms": self._start_ms(index),
                    "decisions": timing(seat.times_us),
                }
                for index, seat in enumerate(self.result.seats)
            ],
            **({"sheet": vars(sheet)} if sheet else {}),
        }


async def play_match(
    pool: Pool,
    bots: Sequence[Bot],
    spec: MatchSpec,
    record: Path | None,
    *,
    flush_every: float = 0.5,
    last: bool = False,
    deals: str = "",
    seal: bool = True,
    signer: "Signer | None" = None,
    kept: bool = False,
    live: Path | None = None,
) -> Report:
    """Play one match of `bots` and write its record, to a file, or if it is `kept`, to `Report.text`, or both.

    While a `kept` match lasts long, what there is of its record is in the file `live`, which is removed in the end; from its first
    question on, unless all its bots were quick in their last match.

    Raises `WriteError` if the record cannot be written, and `HostError` if the machine cannot start bots at all.

    After the `last` match the bots are ended, so the record also has what they write when they end. `deals` identifies the deals,
    which no process may see twice. Without `seal`, the record lacks its last line, which reveals seed and nonce (`seal_record`);
    with a `signer` it is signed.
    """
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(create(record)) if record else None
        shown = stack.enter_context(Live(live)) if live and kept else None
        recorder = Recorder(file, flush_every, kept=kept, live=shown)
        work = stack.enter_context(doing(f"playing {spec.game.id}"))
        planned = spec.game.planned_deals()
        of_all = f" of {planned}" if planned else ""
        work.look = lambda: f"deal {recorder.deals}{of_all}" if recorder.deals else ""
        players = await pool.seat(bots, deals)
        try:
            result = await play(spec, players, recorder, pool.watch)
        except BaseException:
            for player in players:
                if isinstance(player, Player):
                    player.cell.kill()
            recorder.flush(now=True)
            raise
        finally:
            await pool.release(players, keep=not last)
        return conclude(recorder, spec, result, players, record, seal=seal, signer=signer)


def conclude(
    recorder: Recorder,
    spec: MatchSpec,
    result: MatchResult,
    players: Sequence[Player | StartFailure],
    record: Path | None,
    *,
    seal: bool = True,
    signer: "Signer | None" = None,
) -> Report:
    """Write the rest of the record of a match that is over: costs, logs, and with `seal` the last line."""
    logs = _finish_faults(result, players)
    result.ended = now()
    costs = list(map(cost_of, players))
    spent = [cost.spent(seat.times_us, seat.shrank, seat.grew) for cost, seat in zip(costs, result.seats, strict=True)]
    recorder.write({"spent": [one.facts() for one in spent]})
    digest = close_record(recorder, spec, result, logs, seal=seal, signer=signer)
    return Report(spec, result, record, logs, digest, spent, [cost.start_us for cost in costs], recorder.text)


def notes_of(sandbox: Sandbox, limits: Limits) -> dict[str, Any]:
    """The notes in the head of a record about the sandbox and the clocks of the bots."""
    clock = NO_CLOCK if not limits.binding else "core" if sandbox.counts else "wall"
    lacks = lacking(gaps_of(sandbox))
    return {"sandbox": sandbox.tier.name, "freeze": sandbox.freeze, "clock": clock, "lacks": lacks}


def _finish_faults(result: MatchResult, players: Sequence[Player | StartFailure]) -> list[str]:
    """Add each bot's exit and stderr to its faults. Returns the complete logs, by seat."""
    logs = [player.log if isinstance(player, StartFailure) else player.log() for player in players]
    for seat, player, log in zip(result.seats, players, logs, strict=True):
        for fault in seat.faults:
            fault.stderr = log[-STDERR_SHOWN:]
            if fault.closed and isinstance(player, Player):
                fault.exit = player.cell.exit_text()
    return logs


def close_record(
    recorder: Recorder,
    spec: MatchSpec,
    result: MatchResult,
    logs: Sequence[str],
    *,
    seal: bool = True,
    signer: "Signer | None" = None,
) -> str:
    """Write the logs of the bots and, if `seal` is set, the last line with seed and nonce, which are of no use to anyone now.

    Returns the seal of the record, or nothing.
    """
    for seat, text in enumerate(logs):
        if text:
            recorder.write({"stderr": {"seat": seat, "text": text}})
    digest = ""
    if seal and recorder.active:
        line, digest = sealed(_end(spec, result), recorder.hashed(), signer)
        recorder.write_line(line)
    recorder.flush(now=True)
    return digest


def seal_record(report: Report, signer: "Signer | None" = None) -> None:
    """Write the last line of a record that lacks it. Raises `WriteError`."""
    if report.record is not None:
        try:
            report.seal = append_end(report.record, _end(report.spec, report.result), signer)
        except OSError as error:
            raise WriteError(f"{report.record}: the record cannot be written: {error.strerror or error}") from None
    if report.text:
        line, report.seal = sealed(_end(report.spec, report.result), sha256(report.text), signer)
        report.text += line.encode("ascii") + b"\n"


def _end(spec: MatchSpec, result: MatchResult) -> dict[str, Any]:
    scores, ranks = [seat.score for seat in result.seats], [seat.rank for seat in result.seats]
    return end(spec.seed, scores, ranks, result.void, result.ended)


def calm_the_collector() -> None:
    """Make Python's garbage collector scan little, because each run is a stall in a bot's thinking time.

    A match leaves nothing to it, so it hardly ever runs; what faults and exceptions leave in cycles it finds in time. A run over
    5,000 objects takes about 2 ms. This affects the whole process, so only a program's entry point should call it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 20)

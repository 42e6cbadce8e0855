"""Playing bots against the house.

Nothing that happens at a table may decide whether a match counts, who sits where, or what the house draws: the bot's seat is drawn
by the operating system before the deal, and so is every move of the house; a fault scores as the referee played it, and only a
failure of the machine makes a match void. The record is hidden from the bots while they play.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom
from typing import Any

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.games.rules.game import Game
from bullring.arena.match.play import Report, notes_of, play_match
from bullring.arena.match.records.ends import now
from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.seats.inprocess import WithInProcess
from bullring.arena.match.seats.pool import Pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.arena.study.house.luck import luck
from bullring.arena.study.house.moves import house_player
from bullring.installation import VERSION
from bullring.ladder.gauge.score import Sample, Score, Until

SPOILED = 20
"""Void matches of a bot in a row after which it plays no more in this run: the machine does not come right by itself."""


class Gauge:
    """A table with the house, and a pool that the bots are seated from."""

    def __init__(self, game: Game[Any], limits: Limits, pool: Pool, sandbox: WithInProcess) -> None:
        """`sandbox` is that of the pool."""
        self._game = game
        self._limits = limits
        self._pool = pool
        player = house_player(game)
        self._house = [sandbox.seat(f"house {number}", player) for number in range(1, game.seats)]

    async def play(self, bot: Bot, record: Path) -> tuple[Report, Sample | None]:
        """One match of the bot against the house; no sample if it is void. The record replaces the file of its name."""
        began = time.monotonic()
        seat = SystemRandom().randrange(self._game.seats)
        table = [*self._house[:seat], bot, *self._house[seat:]]
        spec = MatchSpec(
            game=self._game,
            names=[one.name for one in table],
            seed=Seed.draw(),
            limits=self._limits,
            began=now(),
            version=VERSION,
            notes=notes_of(self._pool.sandbox, self._limits),
        )
        report = await play_match(self._pool, table, spec, record)
        if report.void is not None:
            return report, None
        found = await trio.to_thread.run_sync(luck, read_lines(record), seat)
        faults = len(report.result.seats[seat].faults)
        return report, Sample(seat, found, faults, time.monotonic() - began)


@dataclass
class _Turn:
    """One of the bots, and its matches."""

    bot: Bot
    score: Score
    begun: int = 0
    """In this run."""
    ended: dict[int, tuple[Report, Sample | None]] = field(default_factory=dict)
    """Matches that wait for earlier ones to end, by number."""
    counted: int = 0
    """In this run, the void ones included."""
    spoiled: int = 0
    """Void matches since the last one that was not."""


async def gauge(
    table: Gauge,
    bots: Sequence[Bot],
    scores: Sequence[Score],
    until: Until,
    record: Callable[[Bot, int], Path],
    told: Callable[[Bot, Score, Report, Sample | None], None],
) -> None:
    """Let the bots play in turn until each has played enough, and add every match to its score.

    A bot of which `SPOILED` matches in a row are void plays no more.

    Matches count in the order in which they began, whichever ends first, and all that began count: how long a match takes must not
    decide on anything. `record` names the file of a bot's match, `told` is called after each.
    """
    began = time.monotonic()
    turns = deque(_Turn(bot, score) for bot, score in zip(bots, scores, strict=True))

    def enough(turn: _Turn) -> bool:
        return (
            turn.score.settled(until.error)
            or turn.spoiled >= SPOILED
            or (until.matches is not None and turn.begun >= until.matches)
            or (until.seconds is not None and time.monotonic() - began >= until.seconds)
        )

    async def play() -> None:
        while turns:
            turn = turns.popleft()
            if enough(turn):
                continue
            turns.append(turn)
            number, waiting = turn.begun, turn.begun - turn.counted
            turn.begun += 1
            path = record(turn.bot, len(turn.score.samples) + turn.score.void + waiting + 1)
            turn.ended[number] = await table.play(turn.bot, path)
            while turn.counted in turn.ended:
                report, sample = turn.ended.pop(turn.counted)
                turn.counted += 1
                if sample is None:
                    turn.spoiled += 1
                    turn.score.void += 1
                    turn.score.why_void = report.void or ""
                else:
                    turn.spoiled = 0
                    turn.score.add(sample)
                told(turn.bot, turn.score, report, sample)

    async with trio.open_nursery() as nursery:
        for _ in range(until.jobs):
            nursery.start_soon(play)

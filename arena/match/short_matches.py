"""Short matches of a bot that is being written: always the same deals and seats, so that two versions can be compared."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bullring.arena.cells.bots.bot import Bot, told_apart
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.games.rules.game import Game
from bullring.arena.match.checking.questions import short
from bullring.arena.match.faults import Fault
from bullring.arena.match.play import play_match
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.seats.pool import open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits

MATCHES = 12
"""Most matches."""

ENOUGH_S = 3.0
"""Seconds after which no further match is begun."""


@dataclass
class Played:
    """What came of them."""

    heads: list[int] = field(default_factory=list)
    """The score of the bot in each match, as far as none was void."""
    times_us: list[int] = field(default_factory=list)
    """The times of its decisions."""
    faults: list[Fault] = field(default_factory=list)
    void: str = ""
    """Why the last match is void; empty if it is not."""


async def play_short(
    bot: Bot,
    others: Sequence[Bot],
    kind: type[Game[Any]],
    limits: Limits,
    cells: Sandbox,
    clock: Callable[[], float] = time.monotonic,
) -> Played:
    """Let a bot play against others. It moves from seat to seat. Raises `HostError`."""
    game = kind(1 + len(others), short(kind))
    mine, *rest = told_apart([bot, *others])
    played, began = Played(), clock()
    async with open_pool(limits, cells) as pool:
        for number in range(MATCHES):
            seat = number % game.seats
            table = [*rest[:seat], mine, *rest[seat:]]
            seed = Seed.given(f"dev-{number + 1}", "dev")  # the bots' own seeds, too: what differs is what was saved
            spec = MatchSpec(game=game, names=[one.name for one in table], seed=seed, limits=limits)
            report = await play_match(pool, table, spec, None)
            played.void = report.void or ""
            if played.void:
                return played
            result = report.result.seats[seat]
            played.heads.append(result.score)
            played.times_us += result.times_us
            played.faults += result.faults
            if played.faults or clock() - began >= ENOUGH_S:
                return played
    return played

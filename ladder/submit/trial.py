"""The trial match: a bot against copies of itself, at the table that most matches of the ladder are played at."""

from typing import Any

from bullring.arena.cells.bots.bot import Bot, told_apart
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import find
from bullring.arena.match.faults import Fault, FaultKind
from bullring.arena.match.play import notes_of, play_match
from bullring.arena.match.records.ends import now
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.seats.pool import open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.settings import Settings
from bullring.errors import HostError
from bullring.installation import VERSION
from bullring.ladder.run.plan import rated_game, rated_options, usual_seats
from bullring.ladder.store.store import Store

TRIES = 3
"""Most matches until one is neither void nor has late answers alone, which a busy machine may be to blame for."""


def trial_game(store: Store) -> Game[Any]:
    """The game of the main list, or what a ladder plays first."""
    row = store.main_list()
    return find(row.game)(row.seats, row.options) if row else rated_game(store, None, None, {})


def usual_game(kind: type[Game[Any]]) -> Game[Any]:
    """A game as a ladder plays it first."""
    return kind(usual_seats(kind), rated_options(kind, {}))


async def trial(bot: Bot, game: Game[Any], settings: Settings, sandbox: Sandbox) -> Fault | None:
    """Play a match of a bot against copies of itself. Returns its first fault. Raises `HostError` if the machine fails."""
    bots = told_apart([bot] * game.seats)
    for attempt in range(1, TRIES + 1):
        async with open_pool(settings.limits, sandbox) as pool:
            spec = MatchSpec(
                game=game,
                names=[one.name for one in bots],
                seed=Seed.draw(),
                limits=settings.limits,
                began=now(),
                version=VERSION,
                notes=notes_of(sandbox, settings.limits),
            )
            report = await play_match(pool, bots, spec, None, last=True)
        late = all(fault.kind is FaultKind.TIMEOUT for fault in report.faults)
        if report.faults and not (late and attempt < TRIES):
            return report.faults[0]
        if report.void is None and not report.faults:
            return None
    raise HostError(f"a match of this bot against copies of itself was void {TRIES} times: {report.void}")

"""Matches for measuring the whole referee, as a ladder has them played: bots from the pool, records kept in memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bullring import __version__
from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.variants.standard import Standard
from bullring.arena.match.play import Report, calm_the_collector, play_match
from bullring.arena.match.records.ends import now
from bullring.arena.match.referee.spec import MatchResult, MatchSpec
from bullring.arena.match.seats.pool import Pool, Room, open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits


@asynccontextmanager
async def pool_in(limits: Limits, tier: str = "none", *, freeze: bool = False, bots: int = 1000) -> AsyncIterator[Pool]:
    """A pool of bots in a tier that is used without proof: `none`, unless the sandbox is measured.

    Also calms the garbage collector, as every program does that has matches played.
    """
    calm_the_collector()
    wish = Wish(tier, allow_unsandboxed=True, freeze=freeze, proven=False)
    async with open_sandbox(wish) as sandbox, open_pool(limits, sandbox, Room(bots=bots)) as pool:
        yield pool


class Table:
    """A table where the same bots play one match after another."""

    def __init__(self, pool: Pool, bots: list[Bot], limits: Limits, deals: int) -> None:
        self._pool, self._bots, self._limits = pool, bots, limits
        self._game = Standard(len(bots), {"deals": deals})

    async def match(self) -> MatchResult:
        """Play one match."""
        return (await self.report()).result

    async def report(self) -> Report:
        """Play one match."""
        spec = MatchSpec(
            game=self._game,
            names=[bot.name for bot in self._bots],
            seed=Seed.draw(),
            limits=self._limits,
            began=now(),
            version=__version__,
        )
        return await play_match(self._pool, self._bots, spec, None, kept=True)


def decisions(result: MatchResult) -> int:
    """The number of questions the bots were asked."""
    return sum(len(seat.times_us) for seat in result.seats)

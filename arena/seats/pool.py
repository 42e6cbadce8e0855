"""The pool of running bots: started on demand, kept from match to match, ended with everything they started."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from bullring.arena.bots.bot import Bot
from bullring.arena.clock.limits import Limits
from bullring.arena.clock.watch import Watch, queued_us
from bullring.arena.sandbox.cell import Sandbox
from bullring.arena.seats.greeting import start
from bullring.arena.seats.player import Player
from bullring.errors import BotError, CellError, HostError, StartFailure

MOST_WAITING = 64
"""Most idle processes kept for their next match. Above that, an idle one is ended whenever new ones are started."""

_FAREWELL = "no more matches"


@dataclass(eq=False)
class _Running:
    """A running bot and what the pool knows about it."""

    bot: Bot
    player: Player
    seen: set[str] = field(default_factory=set)
    """Deals that it has seen, by the names that `Pool.seat` was given."""
    idle_since: float = 0.0


class Pool:
    """All running bots of one referee. Create it with `open_pool`."""

    def __init__(self, nursery: trio.Nursery, limits: Limits, sandbox: Sandbox) -> None:
        self.watch = Watch(queued_us)
        self.sandbox = sandbox
        self._nursery = nursery
        self._limits = limits
        self._idle: dict[Bot, list[_Running]] = {}
        self._running: dict[Player, _Running] = {}

    def __repr__(self) -> str:
        return f"<Pool of {len(self._running)} running bots>"

    async def seat(self, bots: Sequence[Bot], deals: str = "") -> list[Player | StartFailure]:
        """Return a process for each of `bots`, idle or newly started, or the reason why it did not start.

        `deals` names the deals they are going to see: a process that has already seen them is not used.
        Raises `HostError` if the machine fails; then no bot is seated.
        """
        seated: list[Player | StartFailure | None] = [self._waiting(bot, deals) for bot in bots]
        failures: list[HostError] = []

        async def fill(index: int, bot: Bot) -> None:
            try:
                player = await start(bot, self.sandbox, self._limits.start_us, self.watch.stalls)
            except StartFailure as failure:
                seated[index] = failure
            except HostError as error:
                failures.append(error)
                nursery.cancel_scope.cancel()
            else:
                self._running[player] = _Running(bot, player)
                seated[index] = player

        if None in seated:
            self._make_room()
            async with trio.open_nursery() as nursery:
                for index, bot in enumerate(bots):
                    if seated[index] is None:
                        nursery.start_soon(fill, index, bot)
        if failures:
            await self.release([player for player in seated if player is not None])
            raise failures[0]
        taken = [player for player in seated if player is not None]
        if deals:
            for player in taken:
                if isinstance(player, Player):
                    self._running[player].seen.add(deals)
        return taken

    async def prepare(self, bot: Bot) -> None:
        """Prepare what the bot needs to start, such as an image. Raises `BotError`, `HostError`."""
        try:
            await self.sandbox.prepare(bot.program)
        except CellError as error:
            raise BotError(f"{bot.name}: {error}") from None

    def forget(self, deals: str) -> None:
        """Forget which processes have seen these deals, which will not be played again."""
        for running in self._running.values():
            running.seen.discard(deals)

    def _waiting(self, bot: Bot, deals: str) -> Player | None:
        """Take an idle process of this bot that has not seen the deals, if there is one. Those that have ended are closed."""
        idle = self._idle.get(bot, [])
        for running in reversed(idle.copy()):
            if running.player.cell.ended():
                idle.remove(running)
                self._nursery.start_soon(self._close, running.player)
            elif deals not in running.seen:
                idle.remove(running)
                return running.player
        return None

    def _make_room(self) -> None:
        """End the process that has been idle longest if too many are: it may belong to a bot that is no longer paired."""
        waiting = [running for idle in self._idle.values() for running in idle]
        if len(waiting) > MOST_WAITING:
            running = min(waiting, key=lambda running: running.idle_since)
            self._idle[running.bot].remove(running)
            self._nursery.start_soon(self._close, running.player, _FAREWELL)

    async def release(self, players: Sequence[Player | StartFailure], *, keep: bool = True) -> None:
        """Take the bots back after a match. Some stay idle for the next one, the others are gone when this returns.

        Without `keep` all are ended.
        """
        ending = []
        for player in players:
            if isinstance(player, StartFailure):
                continue
            running = self._running[player]
            if not keep or running.bot.restart == "match" or player.cell.ended():
                ending.append(player)
            else:
                player.cell.freeze()
                running.idle_since = trio.current_time()
                self._idle.setdefault(running.bot, []).append(running)
        if ending:
            await self._close_all(ending)

    async def close(self) -> None:
        """End all bots."""
        await self._close_all(list(self._running))

    async def _close_all(self, players: Sequence[Player]) -> None:
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(self._close, player, _FAREWELL)

    async def _close(self, player: Player, reason: str = "") -> None:
        await player.close(reason)
        self._running.pop(player, None)


@asynccontextmanager
async def open_pool(limits: Limits, sandbox: Sandbox) -> AsyncIterator[Pool]:
    """Open a pool. All its bots are ended on exit, whatever happens."""
    async with trio.open_nursery() as nursery:
        pool = Pool(nursery, limits, sandbox)
        nursery.start_soon(pool.watch.run)
        try:
            yield pool
        finally:
            with trio.CancelScope(shield=True):
                await pool.close()
            nursery.cancel_scope.cancel()

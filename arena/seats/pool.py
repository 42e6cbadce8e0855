"""The bots that are alive: started when they are wanted, kept from match to match, ended with all they started."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from bullring.arena.bots.bot import Bot
from bullring.arena.clock.limits import Limits
from bullring.arena.clock.watch import Watch
from bullring.arena.sandbox.cell import Sandbox
from bullring.arena.seats.greeting import start
from bullring.arena.seats.player import Player
from bullring.errors import BotError, CellError, HostError, StartFailure

MOST_WAITING = 64
"""Processes that are kept waiting for their next match; if there are more, one is ended for each one that is started."""

_FAREWELL = "no more matches"


@dataclass(eq=False)
class _Running:
    """A running bot, with what the pool knows of it."""

    bot: Bot
    player: Player
    seen: set[str] = field(default_factory=set)
    """The deals it has seen, as whoever seats it names them."""
    idle_since: float = 0.0


class Pool:
    """All running bots of one referee. Made by `open_pool`."""

    def __init__(self, nursery: trio.Nursery, limits: Limits, sandbox: Sandbox) -> None:
        self.watch = Watch()
        self.sandbox = sandbox
        self._nursery = nursery
        self._limits = limits
        self._idle: dict[Bot, list[_Running]] = {}
        self._running: dict[Player, _Running] = {}

    def __repr__(self) -> str:
        return f"<Pool of {len(self._running)} running bots>"

    async def seat(self, bots: Sequence[Bot], deals: str = "") -> list[Player | StartFailure]:
        """A process for each of `bots`: one that waits for its next match, or a new one; or why there is none.

        `deals` names the deals they are going to see: no process that has seen them before is taken.
        Raises `HostError` if the machine fails; then none is seated.
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
        """Make what has to be made before it can be started. Raises `BotError`, `HostError`."""
        try:
            await self.sandbox.prepare(bot.program)
        except CellError as error:
            raise BotError(f"{bot.name}: {error}") from None

    def forget(self, deals: str) -> None:
        """These deals will not be played again."""
        for running in self._running.values():
            running.seen.discard(deals)

    def _waiting(self, bot: Bot, deals: str) -> Player | None:
        """A process of this bot that waits for its next match. One that has ended meanwhile is left to be closed."""
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
        """End the process that has waited longest, if too many wait: bots that are not paired any more."""
        waiting = [running for idle in self._idle.values() for running in idle]
        if len(waiting) > MOST_WAITING:
            running = min(waiting, key=lambda running: running.idle_since)
            self._idle[running.bot].remove(running)
            self._nursery.start_soon(self._close, running.player, _FAREWELL)

    async def release(self, players: Sequence[Player | StartFailure], *, keep: bool = True) -> None:
        """Take the bots back after a match: some wait for the next one, the others are ended and gone when this returns.

        Without `keep` there is no next one.
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
    """A pool that is empty in the end, whatever happens."""
    async with trio.open_nursery() as nursery:
        pool = Pool(nursery, limits, sandbox)
        nursery.start_soon(pool.watch.run)
        try:
            yield pool
        finally:
            with trio.CancelScope(shield=True):
                await pool.close()
            nursery.cancel_scope.cancel()

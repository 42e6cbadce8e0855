"""The bots that are alive: started when they are wanted, kept from match to match, ended with all they started."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from arena.bots.manifest import Bot, BotError
from arena.clock import Limits, StallWatch
from arena.faults import FaultKind
from arena.sandbox.cell import CellError, HostError
from arena.sandbox.sandbox import Sandbox
from arena.seats.bot import BotSeat
from arena.seats.player import StartFailure

MOST_WAITING = 64
"""Processes that are kept waiting for their next match; more than that are ended, one for each that is started."""

_MEMORY_LOOK = 0.4
"""Seconds between two looks at the memory of one bot."""


class Pool:
    """All running bots of one referee. Made by `open_pool`."""

    def __init__(
        self, nursery: trio.Nursery, limits: Limits, sandbox: Sandbox, mark: str, mask: Sequence[Path]
    ) -> None:
        self.stalls = StallWatch()
        self.sandbox = sandbox
        self._mark = mark
        self._mask = mask
        self._nursery = nursery
        self._limits = limits
        self._idle: dict[Bot, list[BotSeat]] = {}
        self._running: set[BotSeat] = set()

    def __repr__(self) -> str:
        return f"<Pool of {len(self._running)} running bots>"

    async def seat(self, bots: Sequence[Bot], deals: str = "") -> list[BotSeat | StartFailure]:
        """A process for each of `bots`: one that waits for its next match, or a new one; or why there is none.

        `deals` names the deals they are going to see: no process that has seen them before is taken.
        Raises `HostError` if the machine fails; then none is seated.
        """
        seated: list[BotSeat | StartFailure | None] = [self._waiting(bot, deals) for bot in bots]
        failures: list[HostError] = []

        async def start(index: int, bot: Bot) -> None:
            try:
                player = await BotSeat.start(bot, self.sandbox, self._limits.start, self._mark, self._mask)
            except StartFailure as failure:
                seated[index] = failure
            except HostError as error:
                failures.append(error)
                nursery.cancel_scope.cancel()
            else:
                self._running.add(player)
                seated[index] = player

        if None in seated:
            self._make_room()
            async with trio.open_nursery() as nursery:
                for index, bot in enumerate(bots):
                    if seated[index] is None:
                        nursery.start_soon(start, index, bot)
        if failures:
            await self.release([player for player in seated if player is not None])
            raise failures[0]
        taken = [player for player in seated if player is not None]
        if deals:
            for player in taken:
                if isinstance(player, BotSeat):
                    player.seen.add(deals)
        return taken

    async def prepare(self, bot: Bot) -> None:
        """Make what has to be made before it can be started. Raises `BotError`, `HostError`."""
        try:
            await self.sandbox.prepare(bot.launch(""))
        except CellError as error:
            raise BotError(f"{bot.name}: {error}") from None

    def forget(self, deals: str) -> None:
        """These deals will not be played again."""
        for player in self._running:
            player.seen.discard(deals)

    def _waiting(self, bot: Bot, deals: str) -> BotSeat | None:
        """A process of this bot that waits for its next match. One that has ended meanwhile is left to be closed."""
        idle = self._idle.get(bot, [])
        for player in reversed(idle.copy()):
            if player.ended():
                idle.remove(player)
                self._nursery.start_soon(self._close, player)
            elif deals not in player.seen:
                idle.remove(player)
                return player
        return None

    def _make_room(self) -> None:
        """End the process that has waited longest, if too many wait: bots that are not paired any more."""
        waiting = [player for idle in self._idle.values() for player in idle]
        if len(waiting) > MOST_WAITING:
            player = min(waiting, key=lambda player: player.idle_since)
            self._idle[player.bot].remove(player)
            self._nursery.start_soon(self._close, player, "no more matches")

    async def release(self, players: Sequence[BotSeat | StartFailure], *, keep: bool = True) -> None:
        """Take the bots back after a match: some wait for the next one, the others are ended and gone when this returns.

        Without `keep` there is no next one.
        """
        ending = []
        for player in players:
            if isinstance(player, StartFailure):
                continue
            if not keep or player.bot.restart == "match" or player.ended():
                ending.append(player)
            else:
                player.freeze()
                player.idle_since = trio.current_time()
                self._idle.setdefault(player.bot, []).append(player)
        if ending:
            async with trio.open_nursery() as nursery:
                for player in ending:
                    nursery.start_soon(self._close, player, "no more matches")

    async def close(self) -> None:
        """End all bots."""
        async with trio.open_nursery() as nursery:
            for player in list(self._running):
                nursery.start_soon(self._close, player, "no more matches")

    async def _close(self, player: BotSeat, reason: str = "") -> None:
        await player.close(reason)
        self._running.discard(player)

    async def watch_memory(self) -> None:
        """End bots that take too much memory."""
        todo: list[BotSeat] = []
        while True:
            # One after the other: to look at all at once would be a stall in somebody's thinking time.
            await trio.sleep(_MEMORY_LOOK / max(1, len(self._running)))
            todo = todo or list(self._running)
            if todo and (player := todo.pop()) in self._running:
                self._look_at(player)

    def _look_at(self, player: BotSeat) -> None:
        size, limit = player.cell.resident_bytes(), player.bot.caps.memory
        if size > limit:
            player.condemn(
                FaultKind.MEMORY, f"{size >> 20} MiB of resident memory, where {limit >> 20} MiB are allowed"
            )


@asynccontextmanager
async def open_pool(limits: Limits, sandbox: Sandbox, mark: str = "", mask: Sequence[Path] = ()) -> AsyncIterator[Pool]:
    """A pool that is empty in the end, whatever happens.

    `mark` begins the marks of its bots, so that others can find them; `mask` are paths that none of them may ever see.
    """
    async with trio.open_nursery() as nursery:
        pool = Pool(nursery, limits, sandbox, mark, mask)
        nursery.start_soon(pool.stalls.run)
        nursery.start_soon(pool.watch_memory)
        try:
            yield pool
        finally:
            with trio.CancelScope(shield=True):
                await pool.close()
            nursery.cancel_scope.cancel()

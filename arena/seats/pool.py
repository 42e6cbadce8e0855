"""The bots that are alive: started when they are wanted, kept from match to match, ended with all they started."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import trio

from arena.bots.manifest import Bot
from arena.clock import Limits, StallWatch
from arena.faults import FaultKind
from arena.seats import tree
from arena.seats.player import StartFailure
from arena.seats.process import BotProcess

MEMORY_LIMIT = 1024 * 1024 * 1024
"""Bytes of resident memory that a bot and all it started may have together."""

MOST_WAITING = 64
"""Processes that are kept waiting for their next match; more than that are ended, one for each that is started."""

_MEMORY_LOOK = 0.4
"""Seconds between two looks at the memory of one bot."""


class Pool:
    """All running bots of one referee. Made by `open_pool`."""

    def __init__(self, nursery: trio.Nursery, limits: Limits, memory: int, mark: str) -> None:
        self.stalls = StallWatch()
        self._mark = mark
        self._nursery = nursery
        self._limits = limits
        self._memory = memory
        self._idle: dict[Bot, list[BotProcess]] = {}
        self._running: set[BotProcess] = set()

    def __repr__(self) -> str:
        return f"<Pool of {len(self._running)} running bots>"

    async def seat(self, bots: Sequence[Bot], deals: str = "") -> list[BotProcess | StartFailure]:
        """A process for each of `bots`: one that waits for its next match, or a new one; or why there is none.

        `deals` names the deals they are going to see: no process that has seen them before is taken.
        """
        seated: list[BotProcess | StartFailure | None] = [self._waiting(bot, deals) for bot in bots]

        async def start(index: int, bot: Bot) -> None:
            try:
                player = await BotProcess.start(bot, self._limits.start, self._nursery, self._mark)
            except StartFailure as failure:
                seated[index] = failure
            else:
                self._running.add(player)
                seated[index] = player

        if None in seated:
            self._make_room()
            async with trio.open_nursery() as nursery:
                for index, bot in enumerate(bots):
                    if seated[index] is None:
                        nursery.start_soon(start, index, bot)
        taken = [player for player in seated if player is not None]
        if deals:
            for player in taken:
                if isinstance(player, BotProcess):
                    player.seen.add(deals)
        return taken

    def forget(self, deals: str) -> None:
        """These deals will not be played again."""
        for player in self._running:
            player.seen.discard(deals)

    def _waiting(self, bot: Bot, deals: str) -> BotProcess | None:
        """A process of this bot that waits for its next match. One that has ended meanwhile is left to be closed."""
        idle = self._idle.get(bot, [])
        for player in reversed(idle.copy()):
            if player.process.poll() is not None or player.stopped:
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

    async def release(self, players: Sequence[BotProcess | StartFailure], *, keep: bool = True) -> None:
        """Take the bots back after a match: some wait for the next one, the others are ended and gone when this returns.

        Without `keep` there is no next one.
        """
        ending = []
        for player in players:
            if isinstance(player, StartFailure):
                continue
            if not keep or player.bot.restart == "match" or player.stopped or player.process.poll() is not None:
                ending.append(player)
            else:
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

    async def _close(self, player: BotProcess, reason: str = "") -> None:
        await player.close(reason)
        self._running.discard(player)

    async def watch_memory(self) -> None:
        """End bots that take too much memory."""
        todo: list[BotProcess] = []
        while True:
            # One after the other: to look at all at once would be a stall in somebody's thinking time.
            await trio.sleep(_MEMORY_LOOK / max(1, len(self._running)))
            todo = todo or list(self._running)
            if todo and (player := todo.pop()) in self._running:
                self._look_at(player)

    def _look_at(self, player: BotProcess) -> None:
        size = player.resident_bytes()
        if size > self._memory:
            limit = self._memory >> 20
            player.condemn(FaultKind.MEMORY, f"{size >> 20} MiB of resident memory, where {limit} MiB are allowed")


@asynccontextmanager
async def open_pool(limits: Limits, memory: int = MEMORY_LIMIT, mark: str = "") -> AsyncIterator[Pool]:
    """A pool that is empty in the end, whatever happens. `mark` begins the marks of its bots, so that others can find them."""
    tree.adopt_orphans()
    async with trio.open_nursery() as nursery:
        pool = Pool(nursery, limits, memory, mark)
        nursery.start_soon(pool.stalls.run)
        nursery.start_soon(pool.watch_memory)
        try:
            yield pool
        finally:
            with trio.CancelScope(shield=True):
                await pool.close()
            nursery.cancel_scope.cancel()

"""The pool of running bots: started on demand, kept from match to match, ended with everything they started.

A pool has room for a number of bots (`Room`) and never holds more. A table is seated all at once: the places it needs are free, or
those who sit idle longest are ended and *gone* before the first of its bots is started. A table that waits for room holds nothing,
so the others always come to an end and leave theirs.

No process sees a deal twice: one that lives on could recognise the rows and know every hand.
"""

import os
import resource
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from types import MappingProxyType

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.match.clock.watch import Watch, queued_us, ran_us
from bullring.arena.match.cost import Cost
from bullring.arena.match.seats.hello import start
from bullring.arena.match.seats.player import Habit, Player
from bullring.arena.settings.limits import MICRO, Limits
from bullring.errors import BotError, CellError, StartFailure, first_error

MOST_BOTS = 96
"""Most running bots of one referee: enough for eight tables of ten, with some to spare."""

MOST_SEATED = 1024
"""Most running bots of one referee of several, at tables that wait for something elsewhere."""

FILES = 8
"""Open files for a running bot, with its part of a match, at most."""

MEMORY_SHARE = 0.75
"""The share of the machine's memory that all bots may take together."""

WEIGH_EVERY = 32
"""Matches between two readings of a bot's processor time and memory, which take some 50 us: half of those that a `Pace` goes by."""

WEIGH_AFTER = 1.0
"""Seconds since the last reading after which both are read after each match. The length of a match does not count: among many
tables every match takes long."""

RUN_ON = 0.02
"""Seconds after a match for which a bot without a next one still runs. Mostly a match follows at once, and to freeze and thaw all
its bots in between would cost as much as five decisions."""

STARTED_ALONE = 0.25
"""Most seconds for which the first table keeps the next ones from starting bots: all of them compute on one core, and so the first
is soon complete and plays meanwhile. Bots that take longer to start hold nobody up."""

_FAREWELL = "no more matches"

Hears = Mapping[Bot, Callable[[bytes], None]]


@dataclass(frozen=True)
class Room:
    """The limits of a pool."""

    bots: int = MOST_BOTS
    """Most running bots, each a process or a tree of processes. Those being started or ended count."""
    memory: int = 0
    """Bytes of memory for all of them: bots at a table count with all they may take, idle ones with what they hold. 0: no limit.

    A table that has the referee for itself is always seated, even if its bots together might take more.
    """
    seated: int = 0
    """Most running bots if all are at tables, where that is more than `bots`."""

    def __post_init__(self) -> None:
        if self.bots < 1 or self.memory < 0:
            raise ValueError(f"room for at least 1 bot, in 0 bytes or more, not for {self.bots} in {self.memory}")


def share_of_machine(referees: int) -> Room:
    """The room of each of several referees on this machine."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    seated = MOST_SEATED if files == resource.RLIM_INFINITY else min(MOST_SEATED, files // FILES)
    return Room(memory=round(memory * MEMORY_SHARE / referees), seated=seated)


class _State(Enum):
    SEATED = auto()
    """At a table, or being started for one."""
    IDLE = auto()
    ENDING = auto()


@dataclass(eq=False)
class _Running:
    """A running bot and what the pool knows about it."""

    bot: Bot
    memory: int
    """Bytes that are kept for it."""
    state: _State = _State.SEATED
    player: Player | None = None
    """None until it has said hello."""
    cost: Cost = field(default_factory=Cost)
    """Its cost in its present match."""
    seen: set[str] = field(default_factory=set)
    """Deals that it has seen, by the names that `Pool.seat` was given."""
    matches: int = 0
    """The number of matches for which it was seated."""
    cpu: float = 0.0
    """Seconds of processor time when it was last weighed."""
    weighed: int = 0
    """Bytes of memory when it was last weighed."""
    weighed_at: float = 0.0
    """The time of that, or of its start."""
    since: float = 0.0
    """The time of its last change of state."""


class Pool:
    """All running bots of one referee. Create it with `open_pool`."""

    def __init__(self, nursery: trio.Nursery, limits: Limits, sandbox: Sandbox, room: Room, hears: Hears) -> None:
        self.watch = Watch(queued_us, ran_us)
        self.sandbox = sandbox
        self.room = room
        self._nursery = nursery
        self._limits = limits
        self._hears = hears
        self._all: set[_Running] = set()
        """The bots that count for `room`: from before their start until they are gone."""
        self._idle: dict[Bot, list[_Running]] = {}
        self._seated: dict[Player, _Running] = {}
        self._count: Counter[Bot] = Counter()
        """The number of each bot's processes that are idle, at a table or being started."""
        self._left: Counter[Bot] = Counter()
        """The number of a bot's processes that have ended by themselves and have not been replaced."""
        self._habits: dict[Bot, Habit] = {}
        self._run_on: list[_Running] = []
        """Bots that came from a match a moment ago and are not frozen yet."""
        self._released = trio.Event()
        self._queue = trio.Lock()
        """Held by the table that is waiting for room. The tables behind it wait in order."""
        self._changed = trio.lowlevel.ParkingLot()
        self._first = trio.Event()
        """Set once the bots of the first table have started, or the next table has waited long enough for that."""

    def __repr__(self) -> str:
        return f"<Pool of {len(self._all)} running bots>"

    @property
    def running(self) -> int:
        """The number of running bots, including those being started or ended."""
        return len(self._all)

    def is_warm(self, bots: Iterable[Bot], promised: Mapping[Bot, int]) -> bool:
        """Whether each of these different bots has more idle processes than are promised to others."""
        return all(len(self._idle.get(bot, ())) > promised.get(bot, 0) for bot in bots)

    def runs(self, bot: Bot) -> bool:
        """Whether a process of this bot is idle, at a table or being started."""
        return self._count[bot] > 0

    def room_left(self) -> int:
        """The number of bots that may still be started without ending others."""
        return self.room.bots - len(self._all)

    def fits(self, bots: Sequence[Bot]) -> bool:
        """Whether there is room for these bots, once others that sit idle have been ended."""
        return self._has_room([running for running in self._all if running.state is not _State.IDLE], bots)

    def awaited(self) -> Iterator[tuple[Bot, object, int]]:
        """The bots that a table waits for: each with an object that identifies its process, and the id of the question.

        They have a question to answer, or are being started because they wanted it (`Cost.asked`).
        """
        for running in self._all:
            question = running.player.connection.question if running.player is not None else None
            if running.state is _State.SEATED and question is not None:
                yield running.bot, running, question
            elif running.player is None and running.cost.asked:
                yield running.bot, running, -1

    async def seat(self, bots: Sequence[Bot], deals: str = "") -> list[Player | StartFailure]:
        """Return a process for each of `bots`, idle or newly started, or the reason why it did not start.

        `deals` names the deals they are going to see: a process that has already seen them is not used. Waits until there is room.
        Raises `HostError` if the machine fails; then no bot is seated. Raises `ValueError` if there is never room for that many.
        """
        if len(bots) > self.room.bots:
            raise ValueError(f"a table of {len(bots)} bots where at most {self.room.bots} may run")
        warm = self._warm(bots, deals)
        if None not in warm and self._fits(warm, bots):
            return self._taken(self._claim(warm, bots, deals))
        async with self._queue:
            await self._let_the_first_start()
            while not self._make_room(bots, deals):
                await self._changed.park()
            # Nothing has waited since there was room.
            running = self._claim(self._warm(bots, deals), bots, deals)
        try:
            failures = await self._start(running)
        except BaseException as error:
            with trio.CancelScope(shield=True):
                await self.release([one.player for one in running if one.player is not None])
            raise first_error(error) from None
        finally:
            self._first.set()
        return self._taken(running, failures)

    async def _let_the_first_start(self) -> None:
        """Wait until the first table is complete, unless this is the first one."""
        if self._all and not self._first.is_set():
            with trio.move_on_after(STARTED_ALONE):
                await self._first.wait()
            self._first.set()

    def _warm(self, bots: Sequence[Bot], deals: str) -> list[_Running | None]:
        """An idle process for each bot that has not seen the deals; None where one is missing. Nothing is claimed yet."""
        left = {bot: self._usable(bot, deals) for bot in bots}
        return [next(left[bot], None) for bot in bots]

    def _usable(self, bot: Bot, deals: str) -> Iterator[_Running]:
        """The idle processes of a bot that have not seen the deals. Those that have ended by themselves are cleared away."""
        for running in self._idle.get(bot, [])[::-1]:
            assert running.player is not None
            if running.player.cell.ended():
                self._left[bot] += 1
                self._nursery.start_soon(self._end, self._retire(running))
            elif deals not in running.seen:
                yield running

    def _fits(self, warm: Sequence[_Running | None], bots: Sequence[Bot]) -> bool:
        """Whether there is room for these idle processes and new ones for the others."""
        return self._has_room([running for running in self._all if running not in warm], bots)

    def _make_room(self, bots: Sequence[Bot], deals: str) -> bool:
        """Whether there is room for this table now. If not, begin to end those who have been idle longest, if that makes room."""
        warm = self._warm(bots, deals)
        if self._fits(warm, bots):
            return True
        staying = [running for running in self._all if running.state is not _State.ENDING and running not in warm]
        idle = sorted((one for one in staying if one.state is _State.IDLE), key=lambda one: one.since, reverse=True)
        doomed = []
        while idle and not self._has_room(staying, bots):
            doomed.append(idle.pop())
            staying.remove(doomed[-1])
        if self._has_room(staying, bots):
            for running in doomed:
                self._nursery.start_soon(self._end, self._retire(running), _FAREWELL)
        return False

    def _has_room(self, others: Sequence[_Running], bots: Sequence[Bot]) -> bool:
        """Whether there is room for a table beside these others."""
        count = len(others) + len(bots)
        if count > self.room.bots and (
            count > self.room.seated or any(running.state is _State.IDLE for running in others)
        ):
            return False
        if not self.room.memory or not others:  # bots may be promised more than there is, and most take far less
            return True
        promised = sum(bot.program.caps.memory for bot in bots)
        return promised + sum(running.memory for running in others) <= self.room.memory

    def _claim(self, warm: Sequence[_Running | None], bots: Sequence[Bot], deals: str) -> list[_Running]:
        """Take these idle processes to a table, and keep places for those still to be started."""
        claimed = []
        for bot, running in zip(bots, warm, strict=True):
            if running is None:
                running = _Running(bot, 0)
                running.cost.starts, running.cost.asked = 1, bot.restart == "match" or self._left[bot] > 0
                self._left -= Counter([bot])
                self._all.add(running)
                self._count[bot] += 1
            else:
                assert running.player is not None
                self._idle[bot].remove(running)
                self._seated[running.player] = running
                running.cost = Cost()
            running.state, running.since = _State.SEATED, trio.current_time()
            running.memory = bot.program.caps.memory
            running.matches += 1
            if deals:
                running.seen.add(deals)
            claimed.append(running)
        self._freeze_idle()
        assert len(self._all) <= max(self.room.bots, self.room.seated)
        return claimed

    async def _start(self, table: Sequence[_Running]) -> dict[_Running, StartFailure]:
        """Start those of a table that do not run yet. Returns why some could not be started; their places are free again."""
        failures: dict[_Running, StartFailure] = {}

        async def fill(running: _Running) -> None:
            began = trio.current_time()
            try:
                limit_us, heard = self._limits.judged(self._limits.start_us), self._hears.get(running.bot)
                running.player = await start(running.bot, self.sandbox, limit_us, self.watch.stalls, heard)
                running.player.habit = self._habits.setdefault(running.bot, running.player.habit)
                self._seated[running.player] = running
            except StartFailure as failure:
                failures[running] = failure
            finally:
                if running.player is None:
                    self._forget(running)
                running.cost.start_us = _since(began)

        async with trio.open_nursery() as nursery:
            for running in table:
                if running.player is None:
                    nursery.start_soon(fill, running)
        return failures

    def _taken(
        self, table: Sequence[_Running], failures: Mapping[_Running, StartFailure] = MappingProxyType({})
    ) -> list[Player | StartFailure]:
        taken: list[Player | StartFailure] = []
        for running in table:
            if running.player is not None:
                running.player.cost = running.cost
            taken.append(running.player or failures[running])
        return taken

    async def prepare(self, bot: Bot) -> None:
        """Prepare what the bot needs to start, such as an image. Raises `BotError`, `HostError`."""
        try:
            await self.sandbox.prepare(bot.program)
        except CellError as error:
            raise BotError(f"{bot.name}: {error}") from None

    def forget(self, deals: str) -> None:
        """Forget which processes have seen these deals, which will not be played again."""
        for running in self._all:
            running.seen.discard(deals)

    async def release(self, players: Sequence[Player | StartFailure], *, keep: bool = True) -> None:
        """Take the bots back after a match. Some stay idle for the next one, the others are gone when this returns.

        Without `keep` all are ended.
        """
        ending = []
        for player in players:
            if isinstance(player, StartFailure):
                continue
            running = self._seated.pop(player)
            ended = player.cell.ended()
            self._weigh(running)
            if ended and running.bot.restart != "match":
                self._left[running.bot] += 1
            if not keep or running.bot.restart == "match" or ended:
                ending.append(self._retire(running))
            else:
                running.state, running.since = _State.IDLE, trio.current_time()
                running.memory = running.weighed
                self._idle.setdefault(running.bot, []).append(running)
                self._run_on.append(running)
        self._released.set()
        self._tell()
        if ending:
            await self._end_all(ending)

    async def rest(self) -> None:
        """Freeze bots that have no next match. Never returns."""
        while True:
            await self._released.wait()
            self._released = trio.Event()
            await trio.sleep(RUN_ON)
            self._freeze_idle()

    def _freeze_idle(self) -> None:
        for running in self._run_on:
            if running.state is _State.IDLE and running.player is not None:
                running.player.cell.freeze()
        self._run_on.clear()

    def _weigh(self, running: _Running) -> None:
        """Measure what it has used, if that is worth the effort."""
        assert running.player is not None
        now = trio.current_time()
        long = now - running.weighed_at > WEIGH_AFTER or running.bot.restart == "match"
        if long or running.matches % WEIGH_EVERY == 1:
            running.weighed_at = now
            cpu, running.weighed = running.player.cell.usage()
            running.cost.cpu_us = max(0, round((cpu - running.cpu) * MICRO))
            running.cpu = cpu

    async def close(self) -> None:
        """End all bots."""
        # Bots being started are ended by the task that starts them, and bots being ended by the task that ends them.
        await self._end_all([self._retire(one) for one in self._all if one.player and one.state is not _State.ENDING])

    def _retire(self, running: _Running) -> _Running:
        """Seat it no more. It counts until `_end` has returned."""
        if running.state is _State.IDLE:
            self._idle[running.bot].remove(running)
        self._count[running.bot] -= 1
        running.state, running.since = _State.ENDING, trio.current_time()
        return running

    async def _end_all(self, ending: Sequence[_Running]) -> None:
        async with trio.open_nursery() as nursery:
            for running in ending:
                nursery.start_soon(self._end, running, _FAREWELL)

    async def _end(self, running: _Running, reason: str = "") -> None:
        assert running.player is not None
        try:
            await running.player.close(reason)
        finally:
            self._forget(running)
            running.cost.end_us = _since(running.since)

    def _forget(self, running: _Running) -> None:
        """Free the place of a bot that is gone."""
        self._all.discard(running)
        if running.player is None:
            self._count[running.bot] -= 1
        if running.player is not None:
            self._seated.pop(running.player, None)
        self._tell()

    def _tell(self) -> None:
        """Wake the table that is waiting for room."""
        self._changed.unpark_all()


def _since(then: float) -> int:
    """Microseconds since then."""
    return round((trio.current_time() - then) * MICRO)


@asynccontextmanager
async def open_pool(
    limits: Limits, sandbox: Sandbox, room: Room | None = None, hears: Hears = MappingProxyType({})
) -> AsyncIterator[Pool]:
    """Open a pool with this room, by default that of the only referee of this machine.

    All its bots are ended on exit, whatever happens. `hears` has functions that are called at once with what bots write to stderr.
    """
    async with trio.open_nursery() as nursery:
        pool = Pool(nursery, limits, sandbox, room or Room(), hears)
        nursery.start_soon(pool.watch.run)
        nursery.start_soon(pool.rest)
        try:
            yield pool
        finally:
            with trio.CancelScope(shield=True):
                await pool.close()
            nursery.cancel_scope.cancel()

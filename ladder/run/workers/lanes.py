"""The tables of a referee process: which of its orders it plays next, and which side by side.

There are two lanes, so that no bot holds up others that have nothing to do with it.

Side by side are as many tables as keep the core busy (`standings.pace.load`): one of bots that compute, some of bots that need next
to no time, hundreds of bots that wait for something else.

* In the **quick lane** are tables of quick bots. Of the oldest orders (`LOOKED_AT`), one whose bots all wait in
  the pool goes first, then one for which bots can be started without ending others; so bots stay warm, and where there are more
  than the pool has room for, orders that have the same bots are played together. An order that others have overtaken too often is
  the next in any case.
* In the **slow lane** are tables with a slow bot. While they compute, the quick lane rests after each of its tables (`REST_FOR`),
  so that slow bots have nearly all of a core, and quick ones never stand still.

A bot is slow if the ladder says so or if it was seen here. A table in the quick lane that is found waiting for the same answer at
two looks (`LOOK_EVERY`) goes on in the slow lane, and the bot is slow from then on, also in orders that had come as quick ones.
So a bot that becomes slow delays the tables beside it once, for a moment. The ladder then takes back what it gave as quick, and
gives others instead: once a table has waited for the bot for `HELD`, or has ended and shown that it is slow.
"""

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from math import inf

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.match.seats.pool import Pool
from bullring.ladder.run.workers.lasting import Lasting
from bullring.ladder.run.workers.messages import Dropped, Failed, Held, Match, Play, Seated, Told
from bullring.ladder.run.workers.outbox import CarriedOut
from bullring.ladder.standings.pace import Pace, core_seconds, load, room_beside

LOOK_EVERY = 0.05
"""Seconds between two looks at who is waited for."""

LONG = 1.0
"""Seconds after which a table leaves the quick lane whatever it waits for, such as bots that are being started."""

SEATED_EVERY = 1.0
"""Seconds between two words about the tables that are being played, at least."""

HELD = 0.2
"""Seconds for which a table has waited for a bot, and not for others at it, when the ladder is told."""

REST_FOR = 15.0
"""While tables of the slow lane compute, the quick lane rests this many times as long as each of its tables had the core. So nearly
all of it is for thinking, and quick bots never stand still."""

OVERTAKEN = 64
"""Times that an order may be overtaken by later ones."""

LOOKED_AT = 64
"""Most orders of a lane among which the next one is chosen: to look at all that wait costs more than it gains."""

REST = 1.0
"""Seconds for which a table rests after the machine has failed its match: the next one would most likely fail as well."""


@dataclass(eq=False)
class _Table:
    """An order that waits or is being played."""

    order: Play
    bots: Sequence[Bot]
    slow_bots: set[Bot] = field(default_factory=set)
    """The bots that it waited for when it left the quick lane. They are slow until it ends, then by their answers in it."""
    waited: Counter[Bot] = field(default_factory=Counter)
    """At how many looks it was found waiting for each."""
    held: set[Bot] = field(default_factory=set)
    """The bots for which it waited so long that the ladder was told."""
    until: float = inf
    """The time by which it must be expected to end when it begins."""
    load: float = 1.0
    """The part of a core that it takes, as of the last look if it is one of those that are looked at."""
    overtaken: int = 0
    began: float = 0.0


class Tables:
    """Plays orders with `play` and passes the answers to `tell`."""

    def __init__(
        self,
        nursery: trio.Nursery,
        pool: Pool,
        play: Callable[[Play], Awaitable[CarriedOut | Told]],
        tell: Callable[[CarriedOut | Told], None],
    ) -> None:
        self._nursery = nursery
        self._pool = pool
        self._play = play
        self._tell = tell
        self._waiting: dict[bool, list[_Table]] = {False: [], True: []}
        """The orders that have not begun, in the order of their ids: for the quick lane (False) and for the slow one (True)."""
        self._quick: set[_Table] = set()
        self._slow: set[_Table] = set()
        """Tables in the slow lane: one that was begun there, and those that have left the quick lane."""
        self._promised: Counter[Bot] = Counter()
        """The bots of tables that are about to take their seats."""
        self._lasting = Lasting()
        self._rest_until = 0.0
        """The time before which no table of the quick lane begins, as a slow one computes."""
        self._seated: Sequence[int] = ()
        """The orders at the tables when that was told last."""
        self._seated_told = -inf
        self._paces: defaultdict[str, Pace] = defaultdict(Pace)
        """By the names of the bots, as seen here."""
        self._slow_names: set[str] = set()
        """The names of those that are slow by this."""

    def take(self, order: Play) -> None:
        """Play an order as soon as a table is free."""
        table = _Table(order, order.matches[0].bots)
        self._weighed(table)
        if order.within is not None:
            table.until = trio.current_time() + order.within
        if not order.slow and any(not other.held.isdisjoint(table.bots) for other in self._slow):
            self._tell(Dropped(order.id))  # it was on its way when the ladder was told
            return
        slow = self._is_slow(table)
        self._waiting[slow].append(table)
        lane = self._slow if slow else self._quick
        if not lane or room_beside([other.load for other in lane])(table.load):
            self._begin()  # else those before it have no more room than when they were last looked at

    def drop(self, bots: Collection[str] = ()) -> None:
        """Drop the orders that have not begun; if bots are named, only those with one of them."""
        waiting = chain(*self._waiting.values())
        self._drop([table for table in waiting if not bots or any(bot.name in bots for bot in table.bots)])

    def _drop(self, tables: Sequence[_Table]) -> None:
        for table in tables:
            self._waiting[self._is_slow(table)].remove(table)
            self._tell(Dropped(table.order.id))

    def _hand_back(self, bots: Collection[Bot]) -> None:
        """Drop the orders that were given as quick and have one of these bots."""
        if bots:
            waiting = chain(*self._waiting.values())
            self._drop([table for table in waiting if not table.order.slow and not set(bots).isdisjoint(table.bots)])

    async def look(self) -> None:
        """Look again and again who is waited for. Never returns."""
        before: set[tuple[Bot, object, int]] = set()
        while True:
            await trio.sleep(LOOK_EVERY)
            awaited = set(self._pool.awaited())
            held_up = {bot for bot, _, _ in awaited & before}
            before = awaited
            now = trio.current_time()
            for table in list(self._quick):
                table.slow_bots |= held_up.intersection(table.bots)
                if table.slow_bots or now - table.began > LONG:
                    self._quick.remove(table)
                    self._slow.add(table)
            for table in self._slow:
                self._note_waiting(table, held_up)
            for table in chain(*(islice(waiting, LOOKED_AT) for waiting in self._waiting.values())):
                self._weighed(table)
            self._begin()
            self._tell_seated()

    def _tell_seated(self) -> None:
        """Tell which orders are being played, if they are others than before."""
        seated = sorted(table.order.id for table in (*self._quick, *self._slow))
        now = trio.current_time()
        if seated != self._seated and now - self._seated_told >= SEATED_EVERY:
            self._seated, self._seated_told = seated, now
            self._tell(Seated(seated))

    def _note_waiting(self, table: _Table, held_up: Collection[Bot]) -> None:
        """Tell the ladder once a table has waited for bots for long, and much longer than for others at it."""
        table.waited.update(bot for bot in table.bots if bot in held_up)
        least = min(table.waited[bot] for bot in table.bots)
        long = {bot for bot in table.bots if (table.waited[bot] - least) * LOOK_EVERY >= HELD}
        if not table.order.slow and long - table.held:
            table.held |= long
            self._tell(Held(table.order.id, sorted(bot.name for bot in table.held)))
            self._hand_back(table.held)

    def _begin(self) -> None:
        """Begin what can begin now."""
        while trio.current_time() >= self._rest_until and (table := self._next_quick()) is not None:
            self._start(table, self._quick)
        while (table := self._next_slow()) is not None:
            self._start(table, self._slow)

    def _ends_in_time(self, table: _Table) -> bool:
        """Whether an order is expected to end while the run lasts. Only its bots decide that, so no result is favoured."""
        return trio.current_time() + self._lasting.expected(table.order.matches) <= table.until

    def _weighed(self, table: _Table) -> float:
        """The load of a table by what is known now."""
        table.load = load(self._paces_of(table))
        return table.load

    def _paces_of(self, table: _Table) -> list[Pace]:
        return [self._paces[bot.name] for bot in table.bots]

    def _fitting(self, *, slow: bool, lane: Collection[_Table]) -> Iterator[_Table]:
        """Orders that wait for a lane, for which there is time, and the core has room."""
        if not lane:
            return filter(self._ends_in_time, self._waiting[slow])
        fits = room_beside([table.load for table in lane])
        some = islice(self._waiting[slow], LOOKED_AT)
        # To compute all loads anew takes too long, and to trust old ones may begin any number of tables at once.
        return (
            table for table in some if fits(table.load) and fits(self._weighed(table)) and self._ends_in_time(table)
        )

    def _next_slow(self) -> _Table | None:
        """The next order of the slow lane that may begin now; None if there is none."""
        fit = islice(self._fitting(slow=True, lane=self._slow), LOOKED_AT)
        return next((table for table in fit if not self._slow or self._pool.fits(table.bots)), None)

    def _is_slow(self, table: _Table) -> bool:
        """Whether an order is one for the slow lane."""
        return table.order.slow or any(bot.name in self._slow_names for bot in table.bots)

    def _learn(self, answer: CarriedOut, matches: Sequence[Match]) -> None:
        """Learn from matches how quick their bots are."""
        before = set(self._slow_names)
        for match, outcome in zip(matches, answer.played.matches, strict=False):
            least_us = min(seat.wall_us for seat in outcome.seats)
            for bot, seat in zip(match.bots, outcome.seats, strict=True):
                pace = self._paces[bot.name]
                pace.learn(seat.wall_us, seat.cpu_us, least_us, seat.decisions)
                (self._slow_names.discard if pace.quick else self._slow_names.add)(bot.name)
        if self._slow_names != before:
            tables = sorted(chain(*self._waiting.values()), key=lambda table: table.order.id)
            self._waiting = {
                slow: [table for table in tables if self._is_slow(table) is slow] for slow in (False, True)
            }

    def _next_quick(self) -> _Table | None:
        """The next order of the quick lane; None if there is none, or none that should begin now."""
        pool, promised = self._pool, self._promised
        room = pool.room_left() - promised.total()
        oldest = roomy = None
        busy = set[Bot]().union(*(other.slow_bots for other in self._slow))
        fit = (table for table in self._fitting(slow=False, lane=self._quick) if busy.isdisjoint(table.bots))
        for table in islice(fit, LOOKED_AT):
            if pool.is_warm(table.bots, promised):
                if oldest is not None:
                    oldest.overtaken += 1
                return table
            if oldest is None:
                oldest = table
                if table.overtaken >= OVERTAKEN:
                    # If its bots only have to come back from their tables, it waits for them, and all others for it.
                    return None if self._quick and all(map(pool.runs, table.bots)) else table
            if roomy is None and len(table.bots) <= room:
                roomy = table
        return roomy if roomy is not None or self._quick else oldest

    def _start(self, table: _Table, lane: set[_Table]) -> None:
        self._waiting[self._is_slow(table)].remove(table)
        table.began = trio.current_time()
        self._weighed(table)
        lane.add(table)
        self._promised.update(table.bots)
        self._nursery.start_soon(self._serve, table)

    async def _serve(self, table: _Table) -> None:
        self._promised -= Counter(table.bots)  # they are taken before anybody else runs
        answer = await self._play(table.order)
        quick = [bot for bot in table.bots if bot.name not in self._slow_names]
        if isinstance(answer, CarriedOut):
            self._learn(answer, table.order.matches)
            self._lasting.learn(table.order.matches, answer.played.matches, trio.current_time() - table.began)
        self._tell(answer)
        table.held.clear()  # from now on the ladder knows more
        self._hand_back([bot for bot in quick if bot.name in self._slow_names])
        if isinstance(answer, Failed):
            await trio.sleep(REST)
        if table in self._quick:
            self._rest(table)
        self._quick.discard(table)
        self._slow.discard(table)
        self._begin()

    def _rest(self, ended: _Table) -> None:
        """Let the slow lane have the core after a table of the quick one, as far as it computes."""
        known = [table for table in self._slow if all(pace.known for pace in self._paces_of(table))]
        taken = min(1.0, sum(load(self._paces_of(table)) for table in known))
        self._rest_until = trio.current_time() + REST_FOR * taken * core_seconds(self._paces_of(ended))

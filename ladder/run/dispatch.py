"""Dispatch: choose line-ups, seat them, draw their deals, and give them to the workers."""

import time
from collections import Counter
from collections.abc import Collection, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from random import Random

from bullring.arena.games.rulebook.language import say
from bullring.arena.match.seeds import Seed
from bullring.ladder.pairing.informed import Informed
from bullring.ladder.pairing.known import Known
from bullring.ladder.pairing.schedule import Lineup, Schedule
from bullring.ladder.pairing.seats import Balance, Pairing, Plan, group, matches_of
from bullring.ladder.pairing.shards import SIZE, Shard
from bullring.ladder.run.bot_speeds import Paces
from bullring.ladder.run.roster import Roster
from bullring.ladder.run.unfinished import Flight, Unfinished
from bullring.ladder.run.workers.crew import Crew, Worker
from bullring.ladder.run.workers.messages import Match, Play
from bullring.ladder.standings.scoreboard import Scoreboard
from bullring.ladder.store.rows import Format, ListRow
from bullring.ladder.store.store import Store

SLOW_BACKLOG = 1.5
"""Orders with a slow bot are given to a worker until together they take more than so many cores: one that is played and one in
advance, or hundreds of bots that wait."""

LIGHTEST = 1 / 128
"""The least that an order with a slow bot counts, as its bots need memory, too."""

MOST_OFTEN = 3
"""A bot is in at most this many times as many of the matches given to a quick lane as bots are on average. A new
bot, which the schedule wants at every table, would need a process for each of them."""

MOST_WAITING = 1000
"""Once more pairings than this wait for a worker, no more are drawn."""

LOOKED_AT = 32
"""Of the pairings that wait in a lane, as many are looked at for the one whose bots a worker has played with last."""

RECENT = 64
"""Bots that a worker has played with last; it still keeps processes of most of them."""


_NOBODY = frozenset[int]()


@dataclass(frozen=True)
class Plays:
    """The list, format and schedule of a run."""

    list: ListRow
    format: Format
    plan: Plan | None
    """The way deals are played again in groups; None: every deal is played once."""
    schedule: Schedule | Informed
    asked: Set[int] = frozenset()
    """Older versions of bots that play as well."""

    @property
    def ordered(self) -> bool:
        """Whether groups are judged in the order in which they were begun, so that none may be lost."""
        return self.format == "duel"

    @property
    def size(self) -> int:
        """The number of matches with the same deals."""
        return 1 if self.plan is None else matches_of(self.plan, self.list.seats)


@dataclass
class _Candidate:
    """A worker while orders are given out."""

    worker: Worker
    shard: Shard
    recent: dict[int, None]
    """The bots it has played with, the last ones last."""
    load: dict[bool, float]
    """The cores that its orders take in the slow lane (True), and the matches that it was given in the quick lane (False)."""
    unable: frozenset[int]
    """The bots that it cannot play."""
    most: int
    """Most matches to give it in its quick lane."""

    @cached_property
    def bots(self) -> Counter[int]:
        """The matches of each bot that it was given in its quick lane. Most workers are not looked at that closely."""
        orders = (order for order in self.worker.playing.values() if not order.slow)
        return Counter(bot for order in orders for bot in order.matches[0].ids)

    def has_room(self, *, slow: bool) -> bool:
        """Whether it may be given more in this lane."""
        return self.load[slow] < (SLOW_BACKLOG if slow else self.most)


class Dispatch:
    """Gives matches to workers while they have room.

    Each worker has two lanes (`lanes`). For the quick one, line-ups of a ladder are drawn from the quick bots, where there are
    many from the worker's shard of them (`pairing.shards`); for the slow one from all bots, a slow one first, unless all slow
    ones are known well enough. A bot that has never played counts as quick, but plays only one match at a time, until its table is
    held up by another one. In the other formats, line-ups come in their order, and each
    goes to the lane of its bots, preferably to the worker that has played with them last.
    """

    def __init__(
        self, store: Store, plays: Plays, scoreboard: Scoreboard, unfinished: Unfinished, roster: Roster, first: int
    ) -> None:
        """The numbers of its matches begin with `first`."""
        self.paces = Paces(store)
        self.too_few = ""
        """The reason why no table can be filled; empty if one can be."""
        self._store = store
        self._plays = plays
        self._scoreboard = scoreboard
        self._unfinished = unfinished
        self._roster = roster
        self._ids = count(first)
        self._random = Random()
        self._balance = Balance(store.seats_in(plays.list.id), Random())
        self._places: dict[Worker, tuple[Shard, dict[int, None]]] = {}
        """The shard of each worker, and the bots that it has played with, the last ones last."""
        self._standings: dict[int, int] = {}
        """The matches that each bot that may play now has played and is playing."""
        self._quick: dict[int, int] = {}
        """The same for the quick ones among them."""
        self._quick_bots: frozenset[int] = frozenset()
        self._known: Known | None = None
        """The knowledge that the schedule of a ladder was given last."""
        self._informed: set[int] = set()
        """The bots that it knows to play."""
        self._costs: dict[int, float] = {}
        """The machine seconds of a match of each bot, when it was told."""
        self._busy: set[int] = set()
        """The bots that have never played, and are playing now for the first time."""
        self._within: float | None = None
        """The seconds that the run lasts; None: no limit."""
        self._waiting = {True: 0, False: 0}
        """The number of waiting pairings for slow (True) and for quick lanes (False)."""

    def dispatch(self, crew: Crew, most: int | None, within: float | None = None) -> None:
        """Fill the lanes of all workers. Plan at most `most` matches; new ones are to end `within` so many seconds."""
        self._within = within
        candidates = self._candidates(crew)
        if not any(candidate.has_room(slow=slow) for candidate in candidates for slow in (True, False)):
            return
        self._read_standings(len(crew.workers))
        orders = []
        lanes = [(candidate, slow) for candidate in candidates for slow in (True, False)]
        given = True
        while given:
            given = False
            for candidate, slow in list(lanes):
                pairing = self._next(candidate, most, slow=slow) if candidate.has_room(slow=slow) else None
                if pairing is not None:
                    given = True
                    orders.append((candidate.worker, self._give(candidate, pairing, slow=slow)))
                elif (
                    not self._unfinished.waiting
                ):  # what waits may fit into it when another lane has taken something else
                    lanes.remove((candidate, slow))
        if orders:
            with self._store.change():
                self._store.begin([id for _, order in orders for id in order.ids])
                if self._plays.ordered:
                    begun = [(order.id, order.matches[0].ids) for _, order in orders]
                    self._store.begin_groups(self._plays.list.id, begun)
            for worker, order in orders:
                worker.say(order)

    def _candidates(self, crew: Crew) -> list[_Candidate]:
        before = self._places
        self._places = {worker: before.get(worker) or (Shard(self._random), {}) for worker in crew.workers}
        candidates = []
        ahead = self._scoreboard.ahead(len(self._places))
        for worker, (shard, recent) in self._places.items():
            load = {True: 0.0, False: 0.0}
            for order in worker.playing.values():
                load[order.slow] += self._load(order)
            candidates.append(_Candidate(worker, shard, recent, load, self._unable(worker), min(worker.ahead, ahead)))
        return candidates

    def _load(self, order: Play) -> float:
        return max(self.paces.load(order.matches[0].ids), LIGHTEST) if order.slow else len(order.matches)

    def _unable(self, worker: Worker) -> frozenset[int]:
        """The bots that a worker cannot play."""
        names = worker.unable
        return frozenset(id for id, bot in self._roster.bots.items() if bot.name in names) if names else _NOBODY

    def stuck(self, crew: Crew) -> list[str]:
        """The bots on whose account nothing is played, by name: no worker can play them, or none all that are to meet."""
        if (
            self._unfinished.flights
            or not crew.workers
            or (self._unfinished.all_planned and not self._unfinished.waiting)
        ):
            return []
        unable = [self._unable(worker) for worker in crew.workers]
        return sorted(map(self._roster.name, frozenset.intersection(*unable) or frozenset.union(*unable)))

    def _read_standings(self, workers: int) -> None:
        """The matches of all bots that may play now, with what they play at the moment."""
        board, flying = self._scoreboard, self._unfinished.of_bots
        self._standings = {bot: board.matches(bot) + flying[bot] for bot in self._roster.bots}
        answered = self._unfinished.answered()
        unknown = [bot for bot in self._standings if not self.paces.of(bot).known and bot not in answered]
        self._busy = {bot for bot in unknown if flying[bot]}
        if len(self._standings) - len(self._busy) < self._plays.list.seats:
            # One of them may keep all who play with it for the first time; then each worker may try.
            self._busy = {bot for bot in unknown if flying[bot] >= workers}
        self._quick = {bot: standing for bot, standing in self._standings.items() if self._is_quick(bot)}
        self._quick_bots = frozenset(self._quick)
        slow = sum(map(self._is_slow, self._unfinished.waiting))
        self._waiting = {True: slow, False: len(self._unfinished.waiting) - slow}
        if isinstance(schedule := self._plays.schedule, Informed):
            self._inform(schedule)
        self._unfinished.cancelled.clear()

    def _inform(self, schedule: Informed) -> None:
        """Tell the schedule of a ladder what is new."""
        for pairing in self._unfinished.cancelled:
            schedule.cancel(pairing.bots)
        known = self._scoreboard.known()
        if known is not None and (known is not self._known or self._standings.keys() != self._informed):
            self._known, self._informed = known, set(self._standings)
            self._costs = self.paces.costs(self._standings)
            schedule.learn(known, self._standings)

    def _is_slow(self, pairing: Pairing) -> bool:
        return not self._quick_bots.issuperset(pairing.bots)

    def _is_quick(self, bot: int) -> bool:
        return self.paces.of(bot).quick and not self._unfinished.is_held(bot)

    def _next(self, candidate: _Candidate, most: int | None, *, slow: bool) -> Pairing | None:
        """The next pairing for a lane of a worker, which no longer waits; None if there is none."""
        full, begun = self._scoreboard.full, self._unfinished.begun
        while True:
            if self._waiting[slow]:
                fitting = (
                    pairing
                    for pairing in self._unfinished.waiting
                    if self._is_slow(pairing) is slow
                    and candidate.unable.isdisjoint(pairing.bots)
                    and (not full or pairing in begun)
                )
                waiting = list(islice(fitting, LOOKED_AT))
                if waiting:
                    best = max(waiting, key=lambda pairing: sum(bot in candidate.recent for bot in pairing.bots))
                    self._unfinished.waiting.remove(best)
                    self._waiting[slow] -= 1
                    return best
            if full or len(self._unfinished.waiting) > MOST_WAITING:
                return None
            if not self._new_pairing(candidate, most, slow=slow):
                return None

    def _give(self, candidate: _Candidate, pairing: Pairing, *, slow: bool) -> Play:
        """Note that a worker plays a pairing."""
        again = pairing in self._unfinished.begun
        order = self._order(pairing, slow=slow)
        self._unfinished.take_off(Flight(pairing, order, again))
        candidate.load[slow] += self._load(order)
        if not slow:
            candidate.bots.update(pairing.bots)
        candidate.worker.playing[order.id] = order
        for bot in pairing.bots:
            candidate.recent.pop(bot, None)
            candidate.recent[bot] = None
        while len(candidate.recent) > RECENT:
            del candidate.recent[next(iter(candidate.recent))]
        return order

    def _new_pairing(self, candidate: _Candidate, most: int | None, *, slow: bool) -> bool:
        """Draw a line-up and seat it. Returns whether there is a new pairing."""
        unfinished, plays = self._unfinished, self._plays
        if most is not None and unfinished.planned + plays.size > most:
            unfinished.all_planned = True
        if unfinished.all_planned or self.too_few:
            return False
        if len(self._standings) < plays.list.seats:
            if self._roster.loading:
                return False
            self.too_few = say("run.too_few", count=len(self._standings), seats=plays.list.seats)
            return False
        if isinstance(plays.schedule, Informed):
            lineup = self._drawn(plays.schedule, candidate, slow=slow)
            if lineup is None:
                return False
        else:
            lineup = plays.schedule.next(self._standings)
            if lineup is None:
                unfinished.all_planned = True
                return False
        pairing = Pairing([self._balance.seat(lineup)]) if plays.plan is None else group(plays.plan, lineup)
        answered = unfinished.answered()
        for bot in pairing.bots:
            self._standings[bot] += len(pairing.matches)
            if bot in self._quick:
                self._quick[bot] = self._standings[bot]
            if not self.paces.of(bot).known and bot not in answered:
                self._busy.add(bot)
        unfinished.add(pairing)
        self._waiting[self._is_slow(pairing)] += 1
        return True

    def _drawn(self, schedule: Informed, candidate: _Candidate, *, slow: bool) -> Lineup | None:
        """A line-up of a ladder for a lane of a worker; None if there is none now."""
        if slow:
            if len(self._quick) == len(self._standings):
                return None
            able = frozenset(bot for bot in self._standings if bot not in self._busy) - candidate.unable
            first = able - self._quick_bots
            if not first or len(able) < schedule.seats or not schedule.wants(able, first):
                return None
            return schedule.next(able, first, self._costs)
        quick: Collection[int] = self._quick_bots
        if len(quick) > SIZE:
            taken = {bot for shard, _ in self._places.values() if shard is not candidate.shard for bot in shard.bots}
            quick = frozenset(candidate.shard.chosen(self._quick, taken, self.paces.start, time.monotonic()))
        most = MOST_OFTEN * candidate.worker.ahead * schedule.seats / max(1, len(quick))
        if self._busy or candidate.unable or any(matches >= most for matches in candidate.bots.values()):
            no = self._busy | candidate.unable
            quick = frozenset(bot for bot in quick if bot not in no and candidate.bots[bot] < most)
        return schedule.next(quick, None, self._costs) if len(quick) >= schedule.seats else None

    def _order(self, pairing: Pairing, *, slow: bool) -> Play:
        """The order to play a pairing. Only now the deals are drawn, when it is settled who sits where."""
        begun = self._unfinished.begun.pop(pairing, None)
        seed = Seed.draw() if begun is None or begun.seed is None else Seed.given(begun.seed)
        ids = self._ids if begun is None else count(begun.id)
        matches: list[Match] = []
        for bots in pairing.matches:
            id = next(ids)
            seed = seed.again() if matches else seed
            matches.append(Match(id, [self._roster.bots[bot] for bot in bots], bots, seed))
        if begun is not None:  # it was begun, so it has to end, whenever that is
            return Play(matches, slow, begun.spoiled)
        return Play(matches, slow, within=self._within)

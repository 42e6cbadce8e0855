"""Dispatch: choose line-ups, seat them, draw their deals, and give them to the workers."""

from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

from bullring.arena.rules.wording.words import counted
from bullring.arena.seeds import Seed
from bullring.errors import StoreError
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import Format, ListRow
from bullring.ladder.keeping.store import Store
from bullring.ladder.knowing.scoreboard import Scoreboard
from bullring.ladder.pairing.schedule import Schedule, Standing
from bullring.ladder.pairing.seating import Balance, Pairing, Plan, group, matches_of
from bullring.ladder.running.crew import Crew, Worker
from bullring.ladder.running.floor import Flight, Floor
from bullring.ladder.running.messages import Match, Play
from bullring.ladder.running.roster import Roster
from bullring.ladder.running.speeds import Speeds

BACKLOG = 64
"""Most matches of quick bots given to a worker in advance, so that it never waits for the ladder. It plays a few of them side
by side (`worker`)."""

SLOW = BACKLOG // 2 + 1
"""Weight of a match with a slow bot, in matches of quick bots. A worker plays only one of these at a time, because bots that
think need the processor; beside it, it plays matches of quick bots."""

MOST_WAITING = 64
"""Once more pairings than this wait for a worker, no more line-ups are drawn."""

MOST_SLOW = 16
"""Most matches of one slow bot that wait or are being played; beyond it, other bots are drawn, so that nobody waits for it."""


@dataclass(frozen=True)
class Plays:
    """The list, format and schedule of a run."""

    list: ListRow
    format: Format
    plan: Plan | None
    """How deals are played again in groups; None: every deal is played once."""
    schedule: Schedule

    @property
    def size(self) -> int:
        """The number of matches with the same deals."""
        return 1 if self.plan is None else matches_of(self.plan, self.list.seats)


class Dispatch:
    """Gives matches to workers while they have room."""

    def __init__(
        self, home: Home, store: Store, plays: Plays, scoreboard: Scoreboard, floor: Floor, roster: Roster
    ) -> None:
        self.speeds = Speeds()
        self.too_few = ""
        """Why no table can be filled; empty if one can be."""
        self._home = home
        self._store = store
        self._plays = plays
        self._scoreboard = scoreboard
        self._floor = floor
        self._roster = roster
        self._ids = count(store.next_match())
        self._balance = Balance(store.seats_in(plays.list.id), Random())
        self._folders: set[Path] = set()
        """Record folders known to exist."""

    def wants(self, crew: Crew) -> bool:
        """Whether `dispatch` may begin matches."""
        return bool(self._floor.waiting or not self._floor.all_planned) and _free(crew) is not None

    def dispatch(self, crew: Crew, most: int | None) -> None:
        """Fill the backlogs of all workers. Plan at most `most` matches. Call within a change of the store."""
        floor = self._floor
        while (worker := _free(crew)) is not None:
            fitting = next(
                (waiting for waiting in floor.waiting if worker.load + self._weight(waiting) <= BACKLOG), None
            )
            if fitting is None and (len(floor.waiting) > MOST_WAITING or not self._new_pairing(most)):
                return  # the waiting matches are too heavy for now, and there are no others
            if fitting is None:
                continue
            floor.waiting.remove(fitting)
            order = self._order(fitting)
            self._store.begin(order.ids)
            floor.take_off(Flight(fitting, order))
            worker.playing[order.id] = self._weight(fitting)
            worker.say(order)

    def _weight(self, pairing: Pairing) -> int:
        """The share of a worker's backlog that a pairing takes."""
        return len(pairing.matches) if all(map(self.speeds.is_quick, pairing.bots)) else SLOW

    def _new_pairing(self, most: int | None) -> bool:
        """Draw a line-up and seat it. Returns whether there is a new pairing."""
        floor, plays = self._floor, self._plays
        if most is not None and floor.planned + plays.size > most:
            floor.all_planned = True
        if floor.all_planned or self.too_few:
            return False
        flying = floor.of_bots()
        board = self._scoreboard
        standings = {bot: Standing(board.rating(bot), board.matches(bot) + flying[bot]) for bot in self._roster.bots}
        busy = {bot for bot in standings if not self.speeds.is_quick(bot) and flying[bot] >= MOST_SLOW}
        if plays.format == "ladder" and len(standings) - len(busy) >= plays.list.seats:
            standings = {bot: standing for bot, standing in standings.items() if bot not in busy}
        if len(standings) < plays.list.seats:
            self.too_few = (
                f"only {counted(len(standings), 'bot')} left to play, and a table has {plays.list.seats} seats"
            )
            return False
        lineup = plays.schedule.next(standings)
        if lineup is None:
            floor.all_planned = True
            return False
        floor.add(Pairing([self._balance.seat(lineup)]) if plays.plan is None else group(plays.plan, lineup))
        return True

    def _order(self, pairing: Pairing) -> Play:
        """The order to play a pairing. Only now the deals are drawn, when it is settled who sits where."""
        seed = Seed.draw()
        matches: list[Match] = []
        for bots in pairing.matches:
            id = next(self._ids)
            first = matches[0].id if matches else id
            notes = {"match": id, "format": self._plays.format}
            if len(pairing.matches) > 1:
                notes |= {"group": first, "matches": len(pairing.matches)}
            seed = seed.again() if matches else seed
            players = [self._roster.bots[bot] for bot in bots]
            matches.append(Match(id, players, seed, self._record(id), {"ladder": notes}))
        return Play(self._plays.list.game, self._plays.list.options, matches)

    def _record(self, match: int) -> Path:
        """The path of a match's record, in a folder that exists."""
        record = self._home.record(match)
        if record.parent not in self._folders:
            try:
                record.parent.mkdir(exist_ok=True)
            except OSError as error:
                raise StoreError(f"{record.parent} cannot be made: {error.strerror or error}") from None
            self._folders.add(record.parent)
        return record


def _free(crew: Crew) -> Worker | None:
    """The worker with the smallest load; None if it has no room."""
    worker = min(crew.workers, key=lambda worker: worker.load)
    return worker if worker.load < BACKLOG else None

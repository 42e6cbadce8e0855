"""Dispatch: choose line-ups, store their groups, and give matches to the workers."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bullring.arena.rules.wording.words import counted
from bullring.arena.seeds import Seed
from bullring.errors import StoreError
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import Format, GroupRow, ListRow, match_id
from bullring.ladder.keeping.store import Store
from bullring.ladder.knowing.scoreboard import Scoreboard
from bullring.ladder.pairing.schedule import Schedule, Standing
from bullring.ladder.pairing.seating import Plan, seated
from bullring.ladder.running.crew import Crew, Worker
from bullring.ladder.running.floor import Flight, Floor, OpenGroup
from bullring.ladder.running.messages import PlayMatch
from bullring.ladder.running.roster import Roster
from bullring.ladder.running.speeds import Speeds

BACKLOG = 64
"""Most matches of quick bots given to a worker in advance, so that it never waits for the ladder. It plays a few of them side
by side (`worker`)."""

SLOW = BACKLOG // 2 + 1
"""Weight of a match with a slow bot, in matches of quick bots. A worker plays only one of these at a time, because bots that
think need the processor; beside it, it plays matches of quick bots."""

MOST_WAITING = 64
"""Once more matches than this wait for a worker, no more line-ups are drawn."""

MOST_SLOW = 4
"""Most open groups of one slow bot; beyond it, other bots are drawn, so that nobody waits for it."""


@dataclass(frozen=True)
class Plays:
    """The list, format and schedule of a run."""

    list: ListRow
    format: Format
    plan: Plan
    schedule: Schedule
    start: int = 0
    """The starting seat, in games where it matters."""


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
        self._next_group = store.next_group()
        self._folders: set[Path] = set()
        """Record folders known to exist."""

    def wants_groups(self, crew: Crew) -> bool:
        """Whether `dispatch` may store new groups, and so must be called within a change of the store."""
        return not self._floor.all_planned and _free(crew) is not None

    def dispatch(self, crew: Crew, most: int | None) -> None:
        """Fill the backlogs of all workers. Begin no group once `most` matches are planned."""
        floor = self._floor
        while (worker := _free(crew)) is not None:
            if not floor.waiting and not self._new_group(most):
                return
            fitting = next((entry for entry in floor.waiting if worker.load + self._weight(entry[0]) <= BACKLOG), None)
            if fitting is None and not self._new_group(most):
                return  # the waiting matches are too heavy for now, and no new group can be begun
            if fitting is None:
                if len(floor.waiting) > MOST_WAITING:
                    return
                continue
            group, number = fitting
            floor.waiting.remove(fitting)
            order = self._order(group.row, number)
            floor.take_off(Flight(group, number, order))
            worker.playing[order.id] = self._weight(group)
            worker.say(order)

    def _weight(self, group: OpenGroup) -> int:
        """The share of a worker's backlog that a match takes."""
        return 1 if all(map(self.speeds.is_quick, group.row.lineup)) else SLOW

    def _new_group(self, most: int | None) -> bool:
        """Draw a line-up and store its group. Returns whether there is a new group."""
        floor, plays = self._floor, self._plays
        if floor.all_planned or self.too_few:
            return False
        flying = floor.of_bots()
        board = self._scoreboard
        standings = {bot: Standing(board.rating(bot), board.groups(bot) + flying[bot]) for bot in self._roster.bots}
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
        seed = Seed.draw().seed
        row = GroupRow(self._next_group, plays.list.id, plays.format, plays.plan, lineup, seed, "open")
        self._next_group += 1
        self._store.add_group(row)
        floor.open(OpenGroup(row))
        if most is not None and floor.planned >= most:
            floor.all_planned = True
        return True

    def _order(self, row: GroupRow, number: int) -> PlayMatch:
        id = match_id(row.id, number)
        record = self._home.record(id)
        if record.parent not in self._folders:
            try:
                record.parent.mkdir(exist_ok=True)
            except OSError as error:
                raise StoreError(f"{record.parent} cannot be made: {error.strerror or error}") from None
            self._folders.add(record.parent)
        notes = {
            "group": row.id,
            "match": number,
            "plan": row.plan,
            "format": row.format,
            "lineup": [self._roster.name(bot) for bot in row.lineup],
        }
        return PlayMatch(
            id=id,
            group=row.id,
            game=self._plays.list.game,
            options=self._plays.list.options,
            start=self._plays.start,
            bots=[self._roster.bots[bot] for bot in seated(row.plan, row.lineup, number)],
            seed=Seed.of_group(row.seed),
            began=datetime.now(UTC).isoformat(timespec="seconds"),
            record=record,
            notes={"ladder": notes},
        )


def _free(crew: Crew) -> Worker | None:
    """The worker with the smallest load; None if it has no room."""
    worker = min(crew.workers, key=lambda worker: worker.load)
    return worker if worker.load < BACKLOG else None

"""Matches out: line-ups are chosen, groups written down, matches given to the workers."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

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
"""Matches of quick bots that a worker is given at once, so that it never waits for the ladder. It plays a few of them side by
side (`worker`)."""

SLOW = BACKLOG // 2 + 1
"""How many matches of quick bots one with a slow bot counts as. A worker plays one such at a time, for bots that think need the
processor, and beside it matches of quick bots."""

MOST_WAITING = 64
"""Matches that may wait for room before no more line-ups are drawn."""

MOST_SLOW = 4
"""Open groups of one slow bot; while it has so many, others are drawn, so that nobody waits for it."""


@dataclass(frozen=True)
class Plays:
    """What a run plays."""

    list: ListRow
    format: Format
    plan: Plan
    schedule: Schedule
    start: int = 0
    """The starting seat, in games where one matters."""


class Dispatch:
    """Gives matches to workers as long as they have room."""

    def __init__(
        self, home: Home, store: Store, plays: Plays, scoreboard: Scoreboard, floor: Floor, roster: Roster
    ) -> None:
        self.speeds = Speeds()
        self.too_few = ""
        """Why no table can be filled; empty if one can."""
        self._home = home
        self._store = store
        self._plays = plays
        self._scoreboard = scoreboard
        self._floor = floor
        self._roster = roster
        self._next_group = store.next_group()
        self._folders: set[Path] = set()
        """Folders of records that are there."""

    def wants_groups(self, crew: Crew) -> bool:
        """Whether `dispatch` may write down new groups, for which it wants a change of the store."""
        return not self._floor.all_planned and _free(crew) is not None

    def dispatch(self, crew: Crew, most: int | None) -> None:
        """Fill the backlogs of all workers. No group is begun once `most` matches are planned."""
        floor = self._floor
        while (worker := _free(crew)) is not None:
            if not floor.waiting and not self._new_group(most):
                return
            fitting = next((entry for entry in floor.waiting if worker.load + self._weight(entry[0]) <= BACKLOG), None)
            if fitting is None and not self._new_group(most):
                return  # what waits is too heavy for now, and nothing light is left to begin
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
        """The share of a worker that a match takes."""
        return 1 if all(map(self.speeds.is_quick, group.row.lineup)) else SLOW

    def _new_group(self, most: int | None) -> bool:
        """Draw a line-up and write its group down."""
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
            bots = "1 bot is" if len(standings) == 1 else f"{len(standings)} bots are"
            self.too_few = f"{bots} left that may play, and a table has {plays.list.seats} seats"
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
    """The worker with the least to do, if it has room."""
    worker = min(crew.workers, key=lambda worker: worker.load)
    return worker if worker.load < BACKLOG else None

"""Intake: store the results of matches, count complete groups, and seal their records."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bullring.errors import StoreError
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import GroupRow, MatchRow, SeatRow
from bullring.ladder.keeping.sealing import seal_records, sync_files
from bullring.ladder.keeping.store import Store
from bullring.ladder.knowing.scoreboard import Scoreboard
from bullring.ladder.pairing.seating import seated
from bullring.ladder.running.crew import Crew, Worker
from bullring.ladder.running.floor import Flight, Floor, OpenGroup
from bullring.ladder.running.happenings import Happening, Listener
from bullring.ladder.running.messages import Answer, Dropped, Failed, Forget, Played
from bullring.ladder.running.roster import Roster
from bullring.ladder.running.speeds import Speeds

UPSET = 200.0
"""Rating gap, in Elo, from which winning a group against a higher-rated bot is worth telling."""

SETTLED = 5
"""Groups a bot must have played before its rating counts for upsets."""


class Intake:
    """Processes the answers of the workers."""

    def __init__(
        self,
        home: Home,
        store: Store,
        scoreboard: Scoreboard,
        floor: Floor,
        roster: Roster,
        speeds: Speeds,
        listener: Listener,
    ) -> None:
        self._home = home
        self._store = store
        self._scoreboard = scoreboard
        self._floor = floor
        self._roster = roster
        self._speeds = speeds
        self._listener = listener

    @contextmanager
    def change(self) -> Iterator[None]:
        """A change of the store that ends with the scoreboard's own changes."""
        with self._store.change():
            yield
            self._scoreboard.write()

    def take(self, crew: Crew, answers: Sequence[tuple[Worker, Answer | None]], *, again: bool) -> None:
        """Process answers. If `again`, matches of a worker that has died are played again. Raises `StoreError`, `LadderError`."""
        touched: dict[int, OpenGroup] = {}
        # A stored result must not survive a loss of power that its record does not survive.
        sync_files(self._home.records)
        with self.change():
            for worker, answer in answers:
                if answer is None:
                    touched |= {group.row.id: group for group in self._lose(crew, worker, again=again)}
                    continue
                if isinstance(answer, Failed):
                    raise StoreError(answer.error)
                worker.playing.pop(answer.id, None)
                flight = self._floor.land(answer.id)
                if not isinstance(answer, Dropped):
                    self._add(flight, answer)
                touched[flight.group.row.id] = flight.group
            ended = [group for group in touched.values() if group.over]
            for group in ended:
                self.end(group)
        self.finish(crew, ended)
        for group in touched.values():
            for bot in self._roster.judge(group):
                self.drop(crew, bot)

    def drop(self, crew: Crew, bot: int) -> None:
        """Stop playing a bot. Groups with it are given up, so that nobody waits for it."""
        del self._roster.bots[bot]
        for group in list(self._floor.groups.values()):
            if bot in group.row.lineup:
                self._floor.give_up(group)
                if not group.playing:
                    with self.change():
                        self.end(group)
                    self.finish(crew, [group])

    def end(self, group: OpenGroup) -> None:
        """End a group; it counts if it is complete. Call within `change`."""
        matches = [group.matches[number] for number in sorted(group.matches)]
        # A group that was given up counts if it is complete all the same, as it would after `rebuild`.
        void = len(matches) < group.row.size or any(match.void is not None for match in matches)
        self._store.end_group(group.row, matches, void=void)
        self._floor.close(group)
        if not void:
            self._tell_upset(group.row, matches)
            self._scoreboard.add(group.row, matches)

    def finish(self, crew: Crew, ended: Sequence[OpenGroup]) -> None:
        """Let the workers forget the deals of ended groups, and seal their records."""
        for group in ended:
            crew.say(Forget(group.row.id))
        self.seal([match for group in ended for match in group.matches.values()])

    def seal(self, matches: Sequence[MatchRow]) -> None:
        """Seal the records of these matches."""
        seal_records(self._home, self._store, matches)

    def _lose(self, crew: Crew, worker: Worker, *, again: bool) -> list[OpenGroup]:
        """Replace a worker that has died; if `again`, queue its matches again. Returns their groups."""
        touched = []
        for id in worker.playing:
            flight = self._floor.land(id)
            touched.append(flight.group)
            if again and not flight.group.void:
                self._floor.waiting.appendleft((flight.group, flight.number))
        crew.replace(worker)
        self._listener.happened(
            Happening("worker", f"referee process {worker.process.pid} died; its matches are played again")
        )
        return touched

    def _add(self, flight: Flight, answer: Played) -> None:
        group, number, order = flight.group, flight.number, flight.order
        bots = seated(group.row.plan, group.row.lineup, number)
        seats = [
            SeatRow(bot, seat.heads, seat.rank, seat.faults, seat.closed, seat.times, seat.metrics)
            for bot, seat in zip(bots, answer.seats, strict=True)
        ]
        match = MatchRow(group.row.id, number, order.seed, answer.void, answer.deals, seats)
        self._store.add_match(match)
        group.matches[number] = match
        self._floor.played += 1
        if match.void is not None and not group.void:
            self._floor.give_up(group)
            self._listener.happened(Happening("void", f"match {match.id} is void: {match.void}"))
        for seat in seats:
            self._speeds.learn(seat, self._floor.played)
        for bot, outcome in zip(bots, answer.seats, strict=True):
            if outcome.fault is not None:
                name, fault = self._roster.name(bot), outcome.fault
                text = f"{name}: {fault['kind']} in match {match.id} ({fault['decision']}): {fault['got']}"
                self._listener.happened(Happening("fault", text, {"bot": name, "match": match.id, **fault}))
        self._tell_match(match, flight.names)

    def _tell_match(self, match: MatchRow, names: Sequence[str]) -> None:
        scores = ", ".join(f"{name} {seat.heads}" for name, seat in zip(names, match.seats, strict=True))
        facts = {
            "match": match.id,
            "bots": names,
            "heads": [seat.heads for seat in match.seats],
            "ranks": [seat.rank for seat in match.seats],
            "void": match.void,
        }
        self._listener.happened(Happening("match", f"match {match.id}: {scores}", facts))

    def _tell_upset(self, row: GroupRow, matches: list[MatchRow]) -> None:
        """Tell if the winner of a group was rated far below a rival."""
        board = self._scoreboard
        ratings = {bot: board.rating(bot) for bot in row.lineup if board.groups(bot) >= SETTLED}
        places = Counter(
            {bot: sum(seat.rank for match in matches for seat in match.seats if seat.bot == bot) for bot in row.lineup}
        )
        *_, (best, least) = places.most_common()
        mine = ratings.get(best)
        beaten = {bot: rating for bot, rating in ratings.items() if places[bot] > least and rating is not None}
        if mine is None or not beaten:
            return
        highest = max(beaten, key=beaten.__getitem__)
        if (gap := beaten[highest] - mine) >= UPSET:
            winner, loser = self._roster.name(best), self._roster.name(highest)
            text = f"{winner} wins group {row.id} against {loser}, who is rated {gap:.0f} higher"
            self._listener.happened(Happening("upset", text))

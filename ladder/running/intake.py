"""Intake: store the results of matches, and tell what happened in them."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bullring.ladder.crews.crew import Crew, Worker
from bullring.ladder.crews.messages import Answer, Changed, Drop, Dropped, Failed, Held, Outcome, Played
from bullring.ladder.keeping.files import give_up, sync_files
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import MatchRow, SeatRow
from bullring.ladder.keeping.store import Store
from bullring.ladder.knowing.scoreboard import Scoreboard
from bullring.ladder.running.dispatch import Plays
from bullring.ladder.running.floor import Flight, Floor
from bullring.ladder.running.happenings import Happening, Listener
from bullring.ladder.running.paces import Paces
from bullring.ladder.running.roster import Roster


class Intake:
    """Processes the answers of the workers."""

    def __init__(
        self,
        home: Home,
        store: Store,
        plays: Plays,
        scoreboard: Scoreboard,
        floor: Floor,
        roster: Roster,
        paces: Paces,
        listener: Listener,
    ) -> None:
        self._home = home
        self._store = store
        self._plays = plays
        self._scoreboard = scoreboard
        self._floor = floor
        self._roster = roster
        self._paces = paces
        self._listener = listener

    @contextmanager
    def _change(self) -> Iterator[None]:
        """A change of the store that ends with the scoreboard's own changes."""
        with self._store.change():
            yield
            self._scoreboard.write()

    def take(self, crew: Crew, answers: Sequence[tuple[Worker, Answer | None]], *, again: bool) -> None:
        """Process answers. If `again`, what a worker that has died was playing is played with new deals.

        Raises `StoreError`, `LadderError`.
        """
        played: list[MatchRow] = []
        changed: dict[str, str] = {}
        # A stored result must not survive a loss of power that its record does not survive.
        sync_files(self._home.records)
        with self._change():
            for worker, answer in answers:
                if answer is None:
                    self._lose(crew, worker, again=again)
                    continue
                if isinstance(answer, Held):
                    self._floor.hold(answer.id, answer.bots)
                    continue
                worker.playing.pop(answer.id, None)
                flight = self._floor.land(answer.id)
                match answer:
                    case Played():
                        crew.troubles.played()
                        played += self._add(flight, answer)
                    case Failed(_, error):
                        self._give_back(flight, again=again)
                        text = f"match {flight.order.id} could not be played, another one is in its place: {error}"
                        self._listener.happened(Happening("host", text))
                        crew.troubles.failed(time.monotonic(), error)
                    case Dropped():
                        # A ladder draws another line-up, so that slow bots do not pile up; other formats must play this one.
                        self._give_back(flight, again=again and self._plays.format != "ladder")
                    case Changed():
                        self._give_back(flight, again=False)
                        changed |= answer.reasons
        for match in played:
            for bot in self._roster.judge(match):
                self.drop(crew, bot)
        for bot in [bot for bot in self._roster.bots if self._roster.name(bot) in changed]:
            self._roster.bench(bot, changed[self._roster.name(bot)])
            self.drop(crew, bot)

    def drop(self, crew: Crew, bot: int) -> None:
        """Begin no more matches with a bot. Those that it is playing count."""
        del self._roster.bots[bot]
        self._floor.drop(bot)
        crew.say(Drop([self._roster.name(bot)]))

    def give_up_begun(self) -> None:
        """Give up the matches that an earlier run began and did not store."""
        with self._store.change():
            give_up(self._home, self._store, self._store.playing())

    def _lose(self, crew: Crew, worker: Worker, *, again: bool) -> None:
        """Replace a worker that has died; if `again`, queue anew what it was playing."""
        for id in worker.playing:
            self._give_back(self._floor.land(id), again=again)
        crew.lost(worker)
        self._listener.happened(Happening("worker", f"{worker.name} died; others are played in place of its matches"))

    def _give_back(self, flight: Flight, *, again: bool) -> None:
        """Give up matches that nobody plays any more; if `again`, the same bots play with other deals, else others may."""
        give_up(self._home, self._store, flight.order.ids)
        if again and all(bot in self._roster.bots for bot in flight.pairing.bots):
            self._floor.again(flight)
        else:
            self._floor.cancel(flight.pairing)

    def _add(self, flight: Flight, answer: Played) -> list[MatchRow]:
        """Store the matches of an order, and tell what happened in them."""
        order, plays = flight.order, self._plays
        counted = len(answer.matches) == len(order.matches) and all(match.void is None for match in answer.matches)
        matches = [
            MatchRow(
                id=outcome.id,
                list=plays.list.id,
                format=plays.format,
                group=order.id if len(order.matches) > 1 else None,
                seed=match.seed,
                began=outcome.began,
                ended=outcome.ended,
                void=outcome.void,
                counted=counted,
                deals=outcome.deals,
                seats=[
                    SeatRow(
                        *(bot, seat.heads, seat.rank, seat.faults, seat.closed, seat.times, seat.metrics, seat.spent)
                    )
                    for bot, seat in zip(bots, outcome.seats, strict=True)
                ],
                seal=outcome.seal,
            )
            for match, bots, outcome in zip(order.matches, flight.pairing.matches, answer.matches, strict=False)
        ]
        give_up(self._home, self._store, order.ids[len(matches) :])
        self._store.add(matches)
        if counted:
            self._scoreboard.add(matches)
        for match, outcome in zip(matches, answer.matches, strict=True):
            self._floor.played += 1
            self._floor.void += not counted
            least_us = min(seat.spent.wall_us for seat in match.seats)
            for seat, known in zip(match.seats, outcome.seats, strict=True):
                self._paces.learn(seat, least_us, known.start_us)
            self._tell(match, outcome)
        return matches

    def _tell(self, match: MatchRow, outcome: Outcome) -> None:
        names = [self._roster.name(bot) for bot in match.bots]
        if match.void is not None:
            self._listener.happened(Happening("void", f"match {match.id} is void: {match.void}"))
        for name, seat in zip(names, outcome.seats, strict=True):
            if seat.fault is not None:
                fault = seat.fault
                text = f"{name}: {fault['kind']} in match {match.id} ({fault['decision']}): {fault['got']}"
                self._listener.happened(Happening("fault", text, {"bot": name, "match": match.id, **fault}))
        scores = ", ".join(f"{name} {seat.heads}" for name, seat in zip(names, match.seats, strict=True))
        facts = {
            "match": match.id,
            "bots": names,
            "heads": [seat.heads for seat in match.seats],
            "ranks": [seat.rank for seat in match.seats],
            "void": match.void,
        }
        self._listener.happened(Happening("match", f"match {match.id}: {scores}", facts))

"""Store the results of matches, and tell people about them."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain

from bullring.arena.games.rulebook.language import say, spoken
from bullring.errors import LadderError
from bullring.ladder.pairing.schedule import Duel
from bullring.ladder.pairing.seats import Pairing, group
from bullring.ladder.run.bot_speeds import Paces
from bullring.ladder.run.dispatch import Plays
from bullring.ladder.run.progress import Happening, Listener
from bullring.ladder.run.roster import Roster
from bullring.ladder.run.unfinished import Flight, Unfinished
from bullring.ladder.run.workers.crew import Crew, Worker
from bullring.ladder.run.workers.messages import (
    MOST_TRIES,
    Answer,
    Block,
    Changed,
    Drop,
    Dropped,
    Failed,
    Held,
    Outcome,
    Played,
    Seated,
    Spoiled,
)
from bullring.ladder.standings.scoreboard import Scoreboard
from bullring.ladder.store.cleanup import give_up
from bullring.ladder.store.home import Home
from bullring.ladder.store.packed_row import PackedRow
from bullring.ladder.store.records import Records
from bullring.ladder.store.store import Store


class Results:
    """Processes the answers of the workers."""

    def __init__(
        self,
        home: Home,
        store: Store,
        records: Records,
        plays: Plays,
        scoreboard: Scoreboard,
        unfinished: Unfinished,
        roster: Roster,
        paces: Paces,
        listener: Listener,
    ) -> None:
        self._home = home
        self._store = store
        self._records = records
        self._plays = plays
        self._scoreboard = scoreboard
        self._unfinished = unfinished
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
        changed: dict[str, str] = {}
        # A stored result must not survive a loss of power that its record does not survive.
        self._records.append(chain.from_iterable(answer.records for _, answer in answers if isinstance(answer, Block)))
        rows: list[PackedRow] = []
        played: list[Outcome] = []
        spoiled: list[tuple[int, str]] = []
        with self._change():
            for worker, answer in answers:
                match answer:
                    case None:
                        self._lose(crew, worker, again=again)
                        continue
                    case Held():
                        self._unfinished.hold(answer.id, answer.bots)
                        continue
                    case Seated():
                        self._unfinished.seated[worker] = answer.ids
                        continue
                    case Block():
                        crew.failures.played()
                        for one in answer.played:
                            worker.playing.pop(one.id, None)
                            rows += self._add(self._unfinished.land(one.id), one)
                            played += one.matches
                            spoiled += [(one.id, why) for _, why in one.spoiled]
                        continue
                worker.playing.pop(answer.id, None)
                flight = self._unfinished.land(answer.id)
                match answer:
                    case Failed(_, error):
                        # What fails with all others is no reason to end before `failures` says so.
                        self._give_back(flight, again=again, lost=error, alone=not crew.failures.failing)
                        key = "run.failed_again" if self._plays.ordered else "run.failed"
                        text = say(key, match=flight.order.id, why=error)
                        self._listener.happened(Happening("host", text))
                        crew.failures.failed(time.monotonic(), error)
                    case Dropped():
                        # A ladder draws another line-up, so that slow bots do not pile up; other formats must play this one.
                        self._give_back(flight, again=again and self._plays.format != "ladder")
                    case Changed():
                        self._give_back(flight, again=False)
                        changed |= answer.reasons
            self._store.add(rows)
            self._scoreboard.add(rows)
        self._scoreboard.settle(self._unfinished.numbers())
        for id, why in spoiled:
            self._listener.happened(Happening("void", say("run.void_again", match=id, why=why)))
        for outcome in played:
            self._tell(outcome)
        for seat in chain.from_iterable(outcome.seats for outcome in played):
            if self._roster.is_at_fault(seat):
                self.drop(crew, seat.bot)
        for bot in [bot for bot in self._roster.bots if self._roster.name(bot) in changed]:
            self._roster.bench(bot, changed[self._roster.name(bot)])
            self.drop(crew, bot)

    def drop(self, crew: Crew, bot: int) -> None:
        """Begin no more matches with a bot. Those that it is playing count."""
        del self._roster.bots[bot]
        begun = [one for one in self._unfinished.waiting if one in self._unfinished.begun and bot in one.bots]
        self._unfinished.drop(bot)
        for pairing in begun:
            self.go_on(pairing)
        crew.say(Drop([self._roster.name(bot)]))

    def go_on(self, pairing: Pairing) -> None:
        """Queue a group of a duel that was begun and does not wait, with others of the pool for bots that do not play any more.

        If there are none, no later group is judged.
        """
        assert isinstance(self._plays.schedule, Duel)
        lineup = self._plays.schedule.refilled(tuple(pairing.bots), self._roster.bots)
        if lineup is not None:
            self._unfinished.add(group("swap", lineup), self._unfinished.begun.pop(pairing))

    def _lose(self, crew: Crew, worker: Worker, *, again: bool) -> None:
        """Clear away a worker that has died; if `again`, queue anew what it was playing."""
        ended = crew.lost(worker)
        self._unfinished.seated.pop(worker, None)
        for id in sorted(worker.playing, reverse=True):  # the first of them shall be the first again
            self._give_back(self._unfinished.land(id), again=again, lost=f"{worker.name} died ({ended})")
        key = "run.died_again" if self._plays.ordered else "run.died"
        text = say(key, worker=worker.name, how=ended)
        self._listener.happened(Happening("worker", text))

    def _give_back(self, flight: Flight, *, again: bool, lost: str | None = None, alone: bool = True) -> None:
        """Give up matches that are not played any more; if `again`, the same bots play with other deals, else others may.

        A group of a duel that was begun, and `lost` for this reason, is played again with its own. Raises `LadderError` if it was
        lost too often, and this time `alone`.
        """
        give_up(self._home, self._store, flight.order.ids)
        spoiled = None
        if self._plays.ordered and (lost is not None or flight.again):
            spoiled = [*flight.order.spoiled, *([] if lost is None else [Spoiled(False, lost)])]
            if len(spoiled) >= MOST_TRIES and alone:
                raise LadderError(
                    f"the group of match {flight.order.id} was lost {len(spoiled)} times, the last time because {lost};"
                    " a duel cannot leave it out: find out what ends it, and continue"
                )
        elif self._plays.ordered:
            self._store.withdraw_groups([flight.order.id])
        if spoiled is not None:
            self._unfinished.keep(flight, spoiled)
        if (again or spoiled is not None) and all(bot in self._roster.bots for bot in flight.pairing.bots):
            self._unfinished.again(flight)
            return
        self._unfinished.cancel(flight.pairing)
        if spoiled is not None:
            self.go_on(flight.pairing)

    def _add(self, flight: Flight, played: Played) -> Iterator[PackedRow]:
        """Note the matches of an order, and yield their rows."""
        outcomes, ids = played.matches, flight.order.ids
        if len(outcomes) < len(ids):  # a group that a void match has ended
            give_up(self._home, self._store, ids[len(outcomes) :])
        unfinished, paces = self._unfinished, self._paces
        if not all(outcome.row.counted for outcome in outcomes):
            unfinished.cancelled.append(flight.pairing)  # it told nothing
        for outcome in outcomes:
            unfinished.played += 1
            unfinished.void += not outcome.row.counted
            least_us = min(seat.wall_us for seat in outcome.seats)
            for seat in outcome.seats:
                paces.learn(seat.bot, seat.wall_us, seat.cpu_us, least_us, seat.decisions, seat.start_us)
            yield outcome.row

    def _tell(self, outcome: Outcome) -> None:
        if outcome.void is not None:
            self._listener.happened(Happening("void", say("run.void", match=outcome.id, why=outcome.void)))
        for seat in outcome.seats:
            if (fault := seat.fault) is not None:
                name = self._roster.name(seat.bot)
                kind = spoken().find(f"shared.faults.{fault['kind']}") or fault["kind"]
                where = {"match": outcome.id, "decision": fault["decision"], "got": fault["got"]}
                text = say("run.fault", bot=name, fault=kind, **where)
                self._listener.happened(Happening("fault", text, {"bot": name, "match": outcome.id, **fault}))
        if not self._listener.wants_matches:
            return
        names, heads = [self._roster.name(seat.bot) for seat in outcome.seats], [seat.heads for seat in outcome.seats]
        scores = ", ".join(f"{name} {score}" for name, score in zip(names, heads, strict=True))
        facts = {
            "match": outcome.id,
            "bots": names,
            "heads": heads,
            "ranks": [seat.rank for seat in outcome.seats],
            "void": outcome.void,
        }
        self._listener.happened(Happening("match", f"match {outcome.id}: {scores}", facts))

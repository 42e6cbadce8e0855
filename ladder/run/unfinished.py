"""The pairings of a run that wait or are being played."""

import time
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from bullring.ladder.pairing.seats import Pairing
from bullring.ladder.run.progress import RunningMatch
from bullring.ladder.run.workers.crew import Worker
from bullring.ladder.run.workers.messages import Play, Spoiled


@dataclass(frozen=True)
class Begun:
    """A group of a duel that is played again, because the machine lost it. It keeps its place in the order of the groups."""

    id: int
    """Its first match."""
    seed: str | None = None
    """Its deal; None after a run that was killed, because no disk has the seed of a match that has not ended."""
    spoiled: Sequence[Spoiled] = ()


@dataclass(frozen=True, eq=False)
class Flight:
    """A pairing that a worker is playing."""

    pairing: Pairing
    order: Play
    again: bool = False
    """Whether it was begun before."""


class Unfinished:
    """All pairings of a run that are not finished."""

    def __init__(self) -> None:
        self.waiting: deque[Pairing] = deque()
        """Pairings not given to a worker yet."""
        self.begun: dict[Pairing, Begun] = {}
        """Those of them that are played again. One that cannot be stays here without waiting, so that no later one is judged."""
        self.flights: dict[int, Flight] = {}
        """Pairings being played, by the id of their order."""
        self.held: dict[int, set[int]] = {}
        """The bots that an order waits for, though they were thought to be quick, by its id."""
        self.seated: dict[Worker, Sequence[int]] = {}
        """The orders at the tables of each worker, as it told last."""
        self.cancelled: list[Pairing] = []
        """Pairings that were planned and will not be played; the schedule that drew them takes them back from here."""
        self.began = time.monotonic()
        self.played = 0
        """Number of matches played in this run."""
        self.void = 0
        """Matches of these that do not count."""
        self.planned = 0
        """Number of matches of all pairings of this run, played or not."""
        self.all_planned = False
        """Whether to draw no more pairings."""
        self.of_bots: Counter[int] = Counter()
        """The number of matches of each bot that wait or are being played."""

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.began

    def add(self, pairing: Pairing, begun: Begun | None = None) -> None:
        """Queue a pairing: a new one, unless it was `begun` by an earlier run."""
        if begun is not None:
            self.begun[pairing] = begun
        self.waiting.append(pairing)
        self.planned += len(pairing.matches)
        self._count(pairing, 1)

    def take_off(self, flight: Flight) -> None:
        """Note that a worker was given a pairing."""
        self.flights[flight.order.id] = flight

    def cancel(self, pairing: Pairing) -> None:
        """Note that a pairing that neither waits nor is being played will not be: another one may be planned in its place."""
        self.cancelled.append(pairing)
        self.planned -= len(pairing.matches)
        self.all_planned = False

    def land(self, id: int) -> Flight:
        """Note that a worker no longer plays a pairing, and return it."""
        flight = self.flights.pop(id)
        self.held.pop(id, None)
        self._count(flight.pairing, -1)
        return flight

    def keep(self, flight: Flight, spoiled: Sequence[Spoiled]) -> None:
        """Note that a group of a duel, which was begun, is played again, and the attempts so far."""
        self.begun[flight.pairing] = Begun(flight.order.id, flight.order.matches[0].seed.seed, spoiled)

    def again(self, flight: Flight) -> None:
        """Queue a pairing that was lost, to be played with new deals unless it is kept."""
        self.waiting.appendleft(flight.pairing)
        self._count(flight.pairing, 1)

    def numbers(self) -> Iterator[int]:
        """The groups that were begun and have not ended, by their first matches."""
        return chain(self.flights, (begun.id for begun in self.begun.values()))

    def drop(self, bot: int | None = None) -> None:
        """Queue no more matches of a bot; without one, none that were not begun."""
        for pairing in list(self.waiting):
            if pairing not in self.begun if bot is None else bot in pairing.bots:
                self.waiting.remove(pairing)
                self._count(pairing, -1)
                self.cancel(pairing)

    def hold(self, id: int, names: Collection[str]) -> None:
        """Note that an order waits for these bots."""
        flight = self.flights[id]
        seats = zip(flight.pairing.bots, flight.order.matches[0].bots, strict=True)
        self.held[id] = {bot for bot, player in seats if player.name in names}

    def answered(self) -> set[int]:
        """The bots at tables that wait for others: they have shown that they are quick."""
        return {bot for id, held in self.held.items() for bot in self.flights[id].pairing.bots if bot not in held}

    def is_held(self, bot: int) -> bool:
        """Whether an order waits for this bot."""
        return any(bot in bots for bots in self.held.values())

    def _count(self, pairing: Pairing, by: int) -> None:
        for bot in pairing.bots:
            self.of_bots[bot] += by * len(pairing.matches)

    @property
    def tables(self) -> int:
        """The number of tables being played."""
        return sum(map(len, self.seated.values()))

    def playing(self, most: int) -> list[RunningMatch]:
        """The matches that workers were given, those at tables first, else the oldest, at most so many."""
        at_tables = dict.fromkeys(id for id in sorted(chain(*self.seated.values())) if id in self.flights)
        flights = (self.flights[id] for id in chain(at_tables, (id for id in self.flights if id not in at_tables)))
        matches = (match for flight in flights for match in flight.order.matches)
        return [RunningMatch(match.id, [bot.name for bot in match.bots]) for match in islice(matches, most)]

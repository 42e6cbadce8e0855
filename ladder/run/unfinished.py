"""The pairings of a run that wait or are being played."""

import time
from collections import Counter, deque
from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice

from bullring.ladder.pairing.seats import Pairing
from bullring.ladder.run.progress import RunningMatch
from bullring.ladder.run.workers.messages import Play


@dataclass(frozen=True, eq=False)
class Flight:
    """A pairing that a worker is playing."""

    pairing: Pairing
    order: Play


class Unfinished:
    """All pairings of a run that are not finished."""

    def __init__(self) -> None:
        self.waiting: deque[Pairing] = deque()
        """Pairings not given to a worker yet."""
        self.flights: dict[int, Flight] = {}
        """Pairings being played, by the id of their order."""
        self.held: dict[int, set[int]] = {}
        """The bots that an order waits for, though they were thought to be quick, by its id."""
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

    def add(self, pairing: Pairing) -> None:
        """Queue a new pairing."""
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

    def again(self, flight: Flight) -> None:
        """Queue a pairing that was lost, to be played with new deals."""
        self.waiting.appendleft(flight.pairing)
        self._count(flight.pairing, 1)

    def drop(self, bot: int | None = None) -> None:
        """Queue no more matches of a bot; without one, of all bots."""
        for pairing in list(self.waiting):
            if bot is None or bot in pairing.bots:
                self.waiting.remove(pairing)
                self._count(pairing, -1)
                self.cancel(pairing)

    def hold(self, id: int, names: Collection[str]) -> None:
        """Note that an order waits for these bots."""
        flight = self.flights[id]
        seats = zip(flight.pairing.bots, flight.order.matches[0].bots, strict=True)
        self.held[id] = {bot for bot, player in seats if player.name in names}

    def is_held(self, bot: int) -> bool:
        """Whether an order waits for this bot."""
        return any(bot in bots for bots in self.held.values())

    def _count(self, pairing: Pairing, by: int) -> None:
        for bot in pairing.bots:
            self.of_bots[bot] += by * len(pairing.matches)

    def playing(self, most: int) -> list[RunningMatch]:
        """The matches being played, oldest first, at most so many."""
        matches = (match for flight in self.flights.values() for match in flight.order.matches)
        return [RunningMatch(match.id, [bot.name for bot in match.bots]) for match in islice(matches, most)]

"""The floor of a run: which matches wait, and which are being played."""

import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass

from bullring.ladder.pairing.seating import Pairing
from bullring.ladder.running.happenings import RunningMatch
from bullring.ladder.running.messages import Play


@dataclass(frozen=True, eq=False)
class Flight:
    """A pairing that a worker is playing."""

    pairing: Pairing
    order: Play


class Floor:
    """All pairings of a run that are not finished."""

    def __init__(self) -> None:
        self.waiting: deque[Pairing] = deque()
        """Pairings not given to a worker yet."""
        self.flights: dict[int, Flight] = {}
        """Pairings being played, by the id of their order."""
        self.began = time.monotonic()
        self.played = 0
        """Number of matches played in this run."""
        self.planned = 0
        """Number of matches of all pairings of this run, played or not."""
        self.all_planned = False
        """Whether to draw no more pairings."""

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.began

    def add(self, pairing: Pairing) -> None:
        """Queue a new pairing."""
        self.waiting.append(pairing)
        self.planned += len(pairing.matches)

    def take_off(self, flight: Flight) -> None:
        """Note that a worker was given a pairing."""
        self.flights[flight.order.id] = flight

    def land(self, id: int) -> Flight:
        """Note that a worker no longer plays a pairing, and return it."""
        return self.flights.pop(id)

    def again(self, flight: Flight) -> None:
        """Queue a pairing that was lost, to be played with new deals."""
        self.waiting.appendleft(flight.pairing)

    def drop(self, bot: int) -> None:
        """Queue no more matches of a bot."""
        self.waiting = deque(pairing for pairing in self.waiting if bot not in pairing.bots)

    def of_bots(self) -> Counter[int]:
        """The number of matches of each bot that wait or are being played."""
        pairings = [*self.waiting, *(flight.pairing for flight in self.flights.values())]
        return Counter(bot for pairing in pairings for seats in pairing.matches for bot in seats)

    def playing(self) -> Iterator[RunningMatch]:
        """The matches being played, oldest first."""
        for flight in self.flights.values():
            for match in flight.order.matches:
                yield RunningMatch(match.id, [bot.name for bot in match.bots], str(match.record))

"""The open groups of a run: which of their matches wait, and which are being played."""

import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from bullring.ladder.keeping.rows import GroupRow, MatchRow
from bullring.ladder.running.happenings import RunningMatch
from bullring.ladder.running.messages import PlayMatch


@dataclass(eq=False)
class OpenGroup:
    """A group that is not finished."""

    row: GroupRow
    matches: dict[int, MatchRow] = field(default_factory=dict)
    """The matches played, by number."""
    playing: int = 0
    """The number of matches being played."""
    void: bool = False
    """Whether the group is given up."""

    @property
    def over(self) -> bool:
        """Whether no match of it is being played or still to be played."""
        return not self.playing and (self.void or len(self.matches) == self.row.size)


@dataclass(frozen=True, eq=False)
class Flight:
    """A match that a worker is playing."""

    group: OpenGroup
    number: int
    order: PlayMatch

    @property
    def names(self) -> list[str]:
        """The names of the bots, by seat."""
        return [bot.name for bot in self.order.bots]


class Floor:
    """All open groups of a run."""

    def __init__(self) -> None:
        self.groups: dict[int, OpenGroup] = {}
        self.waiting: deque[tuple[OpenGroup, int]] = deque()
        """Matches not given to a worker yet: the group, and the number of the match."""
        self.flights: dict[str, Flight] = {}
        """Matches being played, by id."""
        self.began = time.monotonic()
        self.played = 0
        """Number of matches played in this run."""
        self.planned = 0
        """Number of matches of all groups taken in this run, played or not."""
        self.all_planned = False
        """Whether to begin no more groups."""

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.began

    def open(self, group: OpenGroup) -> bool:
        """Add a group and queue its missing matches. Returns whether there are any."""
        self.groups[group.row.id] = group
        numbers = [number for number in range(group.row.size) if number not in group.matches]
        self.waiting.extend((group, number) for number in numbers)
        self.planned += len(numbers)
        return bool(numbers)

    def take_off(self, flight: Flight) -> None:
        """Note that a worker was given a match."""
        flight.group.playing += 1
        self.flights[flight.order.id] = flight

    def land(self, id: str) -> Flight:
        """Note that a worker no longer plays a match. Returns the match."""
        flight = self.flights.pop(id)
        flight.group.playing -= 1
        return flight

    def give_up(self, group: OpenGroup) -> None:
        """Queue no more matches of a group."""
        group.void = True
        self.waiting = deque(entry for entry in self.waiting if entry[0] is not group)

    def close(self, group: OpenGroup) -> None:
        """Remove a group that has ended."""
        self.groups.pop(group.row.id, None)

    def of_bots(self) -> Counter[int]:
        """The number of open groups of each bot."""
        return Counter(bot for group in self.groups.values() for bot in group.row.lineup)

    def playing(self) -> Iterator[RunningMatch]:
        """The matches being played, oldest first."""
        for id, flight in self.flights.items():
            yield RunningMatch(id, flight.names, str(flight.order.record), flight.order.began)

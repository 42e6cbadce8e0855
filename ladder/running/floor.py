"""The groups that are open: which of their matches wait, and which are being played."""

import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from bullring.ladder.keeping.rows import GroupRow, MatchRow
from bullring.ladder.running.happenings import RunningMatch
from bullring.ladder.running.messages import PlayMatch


@dataclass(eq=False)
class OpenGroup:
    """A group that is not played to its end."""

    row: GroupRow
    matches: dict[int, MatchRow] = field(default_factory=dict)
    """Those that were played, by number."""
    playing: int = 0
    """How many are being played."""
    void: bool = False
    """Whether it is given up."""

    @property
    def over(self) -> bool:
        """Whether nothing of it is still to be played."""
        return not self.playing and (self.void or len(self.matches) == self.row.size)


@dataclass(frozen=True, eq=False)
class Flight:
    """A match that a worker plays."""

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
        """Matches that nobody plays yet: the group, and the number of the match."""
        self.flights: dict[str, Flight] = {}
        """Matches that are being played, by id."""
        self.began = time.monotonic()
        self.played = 0
        """Matches that were played in this run."""
        self.planned = 0
        """Matches that were played or will be."""
        self.all_planned = False
        """Whether no new group is begun."""

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return time.monotonic() - self.began

    def open(self, group: OpenGroup) -> bool:
        """Take a group; its missing matches wait. Returns whether there are any."""
        self.groups[group.row.id] = group
        numbers = [number for number in range(group.row.size) if number not in group.matches]
        self.waiting.extend((group, number) for number in numbers)
        self.planned += len(numbers)
        return bool(numbers)

    def take_off(self, flight: Flight) -> None:
        """A worker has got a match."""
        flight.group.playing += 1
        self.flights[flight.order.id] = flight

    def land(self, id: str) -> Flight:
        """A worker plays a match no more."""
        flight = self.flights.pop(id)
        flight.group.playing -= 1
        return flight

    def give_up(self, group: OpenGroup) -> None:
        """Play nothing more of a group."""
        group.void = True
        self.waiting = deque(entry for entry in self.waiting if entry[0] is not group)

    def close(self, group: OpenGroup) -> None:
        """A group has ended."""
        self.groups.pop(group.row.id, None)

    def of_bots(self) -> Counter[int]:
        """How many open groups each bot is in."""
        return Counter(bot for group in self.groups.values() for bot in group.row.lineup)

    def playing(self) -> Iterator[RunningMatch]:
        """The matches that are being played, the oldest first."""
        for id, flight in self.flights.items():
            yield RunningMatch(id, flight.names, str(flight.order.record), flight.order.began)

"""Seats of the bots of a match.

On a ladder each deal is played once, so seats are evened out over many matches: each bot sits in each seat about equally often
(`Balance`). In games with a starting player seat 0 starts, so starts are evened out with the seats.

In a *group* the same deals are played again on purpose, with the bots in other seats. Its plan has the seats in each match:

* ``rotation``: as many matches as bots; in match k, seat s belongs to place (s - k) mod n of the line-up. For two bots, a swap.
* ``swap``: two matches; in the second, the first two places swap seats and the others stay.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Literal, TypeVar

Plan = Literal["rotation", "swap"]

Seats = tuple[int, ...]
"""The ids of the bots of a match, by seat."""

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Pairing:
    """The bots of one match or of all matches of a group, by seat."""

    matches: Sequence[Seats]

    @property
    def bots(self) -> Seats:
        """Its bots, as they sit in its first match."""
        return self.matches[0]


class Balance:
    """Seats bots so that each sits in each seat about equally often."""

    def __init__(self, sat: Mapping[tuple[int, int], int], random: Random) -> None:
        """`sat` has how often each bot sat in each seat before, by bot and seat.

        Matches count as soon as they are paired, whatever becomes of them, so no bot can influence its seat.
        """
        self._sat = Counter(sat)
        self._random = random

    def seat(self, lineup: Sequence[int]) -> Seats:
        """Seat the bots of a match.

        The sum of the squares of all counts grows least where the sum of the counts of the seats taken is least. From a random
        order on, any two bots swap seats as long as that lowers the sum; the order decides among equals.
        """
        seats = list(lineup)
        self._random.shuffle(seats)
        sat = self._sat
        better = True
        while better:
            better = False
            for a, b in combinations(range(len(seats)), 2):
                one, other = seats[a], seats[b]
                if sat[one, b] + sat[other, a] < sat[one, a] + sat[other, b]:
                    seats[a], seats[b] = other, one
                    better = True
        for seat, bot in enumerate(seats):
            sat[bot, seat] += 1
        return tuple(seats)


def matches_of(plan: Plan, seats: int) -> int:
    """The number of matches in a group."""
    return {"rotation": seats, "swap": 2}[plan]


def places(plan: Plan, seats: int, match: int) -> list[int]:
    """For each seat, the place of the line-up that sits there in match number `match` (from 0)."""
    if plan == "rotation":
        return [(seat - match) % seats for seat in range(seats)]
    order = list(range(seats))
    if match == 1:
        order[0], order[1] = 1, 0
    return order


def seated(plan: Plan, lineup: Sequence[T], match: int) -> list[T]:
    """The members of a line-up by seat, in match number `match` (from 0)."""
    return [lineup[place] for place in places(plan, len(lineup), match)]


def group(plan: Plan, lineup: Sequence[int]) -> Pairing:
    """The matches of a group."""
    return Pairing([tuple(seated(plan, lineup, match)) for match in range(matches_of(plan, len(lineup)))])

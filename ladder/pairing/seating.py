"""Duplicate groups: the same deals, played again with the bots in other seats.

A *line-up* is the bots of a group in a fixed order. The plan of a group says who sits where in each of its matches:

* ``rotation``: as many matches as bots; in match k, seat s belongs to place (s - k) mod n of the line-up. For two bots, a swap.
* ``swap``: two matches; in the second, the first two places swap seats and the others stay.
* ``single``: one match, for games that are a duplicate group by themselves (`tournament`).
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

from bullring.arena.rules.game import Game

Plan = Literal["rotation", "swap", "single"]

T = TypeVar("T")


def plan_of(game: type[Game[Any]]) -> Plan:
    """The plan for groups of this game on a ladder."""
    return "single" if game.is_duplicate else "rotation"


def matches_of(plan: Plan, seats: int) -> int:
    """The number of matches in a group."""
    return {"rotation": seats, "swap": 2, "single": 1}[plan]


def places(plan: Plan, seats: int, match: int) -> list[int]:
    """For each seat, the place of the line-up that sits there in match number `match` (from 0)."""
    if plan == "rotation":
        return [(seat - match) % seats for seat in range(seats)]
    order = list(range(seats))
    if plan == "swap" and match == 1:
        order[0], order[1] = 1, 0
    return order


def seated(plan: Plan, lineup: Sequence[T], match: int) -> list[T]:
    """The members of a line-up by seat, in match number `match` (from 0)."""
    return [lineup[place] for place in places(plan, len(lineup), match)]

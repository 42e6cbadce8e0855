"""When to bench a bot because of what it costs: more than a bot that thinks for as long as it may.

The budget of a match is the time that its limits grant: the limit of each of its decisions, the bank, and a part of the limit for
a start. So a bot that keeps its process never exceeds it by starting or thinking; one that wants a new process for each match,
which takes long to start or to end, does, and so does one that uses the processor when it is not asked. Slowness within the budget
is what the limits allow: it costs the others nothing, as slow bots play in a lane of their own.
"""

from bullring.arena.clock.limits import MICRO, Limits
from bullring.arena.seats.cost import Spent
from bullring.ladder.keeping.store import Store

WINDOW = 20
"""Number of last matches that are added up."""

ENOUGH = 5
"""Matches before a bot is judged."""

STARTS = 10
"""A bot is granted one start for as many matches, beside those that the arena needs."""


def wall_us(limits: Limits, decisions: int) -> int:
    """The microseconds granted in a match with so many decisions."""
    return decisions * max(limits.card_us, limits.row_us, limits.other_us) + limits.bank_us + limits.start_us // STARTS


def cpu_us(limits: Limits, decisions: int, starts: int) -> int:
    """The microseconds of processor time granted: as above, on one core, and all of each start."""
    return wall_us(limits, decisions) + starts * limits.start_us


def exceeds(limits: Limits, decisions: int, spent: Spent) -> bool:
    """Whether one match cost more than its budget. A single one may, so this only says when to look at more."""
    return spent.wall_us > wall_us(limits, decisions) or spent.cpu_us > cpu_us(limits, decisions, spent.starts)


def verdict(store: Store, limits: Limits, bot: int, since: int) -> str | None:
    """Why to bench the bot, judged by its matches from match `since` on; None if it may go on."""
    recent = store.recent_costs(bot, since, WINDOW)
    matches = len(recent)
    if matches < ENOUGH:
        return None
    wall = sum(spent.wall_us for _, spent in recent)
    granted = sum(wall_us(limits, decisions) for decisions, _ in recent)
    if wall > granted:
        return f"it took {_each(wall, matches)} a match in its last {matches} matches, where {_each(granted, matches)} are granted"
    cpu = sum(spent.cpu_us for _, spent in recent)
    granted = sum(cpu_us(limits, decisions, spent.starts) for decisions, spent in recent)
    if cpu > granted:
        return (
            f"it used {_each(cpu, matches)} of processor time a match in its last {matches} matches,"
            f" where {_each(granted, matches)} are granted"
        )
    return None


def _each(total_us: int, matches: int) -> str:
    return f"{total_us / matches / MICRO:.3g} s"

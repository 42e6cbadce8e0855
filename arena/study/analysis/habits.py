"""A summary of many analyses of one bot."""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, stdev
from typing import Any

from pydantic import BaseModel

from bullring.arena.study.analysis.result import Analysis, Choice


class Habit(BaseModel):
    """The cost of one group of decisions."""

    title: str
    count: int
    cost: float
    """Mean cost, in heads."""
    share: float
    """The share that is marked, from 0 to 1."""


class Habits(BaseModel):
    """A bot's decisions over several matches."""

    matches: int
    """Seats of the bot in matches; a match in which it plays twice counts twice."""
    moves: int
    cost: float
    """Mean cost of a move."""
    cost_error: float
    """Its standard error, from match to match."""
    parts: dict[str, float]
    """Means a match of its heads and what they are made of."""
    kinds: tuple[Habit, ...]
    """By kind of decision."""
    turns: tuple[Habit, ...]
    """Decisions that begin a move, by turn."""
    higher: int
    """Marked choices of a number where a lower one was best."""
    lower: int
    """Marked choices of a number where a higher one was best."""


PARTS = ("heads", "par", "deal", "others", "edge", "mistakes")
"""A result, and the parts that add up to it."""


def habits(analyses: Sequence[tuple[Analysis, int]], begins: Callable[[str], bool]) -> Habits:
    """The habits of a bot from analyses of its matches, each with its seat. `begins` tells whether a kind begins a move."""
    accounts = [analysis.accounts[seat] for analysis, seat in analyses]
    choices = [choice for analysis, seat in analyses for choice in analysis.choices if choice.seat == seat]
    moves = [choice for choice in choices if begins(choice.kind)]
    numbers = [(choice.options[choice.chosen], choice.options[choice.best]) for choice in moves if choice.mark]
    pairs = [(own, best) for own, best in numbers if isinstance(own, int) and isinstance(best, int)]
    costs = [account.cost for account in accounts]
    total = sum(account.moves for account in accounts)
    return Habits(
        matches=len(accounts),
        moves=total,
        cost=round(sum(choice.cost for choice in choices) / max(1, total), 4),
        cost_error=round(stdev(costs) / len(costs) ** 0.5, 4) if len(costs) > 1 else accounts[0].cost_error,
        parts={part: round(fmean(getattr(account.parts, part) for account in accounts), 3) for part in PARTS},
        kinds=tuple(_grouped(choices, lambda choice: choice.kind)),
        turns=tuple(_grouped(moves, lambda choice: choice.turn)),
        higher=sum(own > best for own, best in pairs),
        lower=sum(own < best for own, best in pairs),
    )


def _grouped(choices: Iterable[Choice], key: Callable[[Choice], Any]) -> Iterable[Habit]:
    groups: dict[Any, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(key(choice), []).append(choice)
    for title, group in sorted(groups.items()):
        marked = sum(bool(choice.mark) for choice in group)
        cost = fmean(choice.cost for choice in group)
        share = round(marked / len(group), 4)
        yield Habit(title=str(title), count=len(group), cost=round(cost, 4), share=share)

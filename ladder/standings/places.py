"""The places of a list: those that are decided, and the cost of deciding the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bullring.arena.games.rulebook.language import spoken
from bullring.ladder.rating.connected import Marks

RUNS = 6
"""Most groups of places that are named; more are only counted."""


@dataclass(frozen=True)
class Span:
    """Places that follow each other."""

    first: int
    last: int


@dataclass(frozen=True)
class Deciding:
    """The cost of deciding the places that are open, at 95 %."""

    matches: int
    seconds: float | None
    """By the clock; None if nothing tells how fast this list is played."""
    endless: bool
    """Whether some neighbours are so close that they may be equal: then no number of matches is enough."""


@dataclass(frozen=True)
class Places:
    """The places of a list that are decided beyond doubt, and those that are open: `rating.ranks`."""

    decided: Sequence[Span]
    open: Sequence[Span]
    """Bots in such a run change places among each other only."""
    deciding: Deciding | None = None
    """None if nothing is open, or nothing is known of it."""

    def __str__(self) -> str:
        return self.said()

    def said(self) -> str:
        """It, in a sentence; empty without places."""

        def say(key: str, **figures: object) -> str:
            return spoken().say(f"verdicts.places.{key}", **figures)

        def named(runs: Sequence[Span]) -> str:
            said = []
            for run in runs:
                if run.last > run.first + 1:
                    said.append(spoken().say("shared.span", low=run.first, high=run.last))
                else:
                    said += map(str, range(run.first, run.last + 1))
            return spoken().listed(said)

        decided, open_ = (sum(run.last - run.first + 1 for run in runs) for runs in (self.decided, self.open))
        if not decided + open_:
            return ""
        if not open_:
            return say("all", count=decided)
        if not decided:
            verdict = say("none", count=open_)
        elif len(self.decided) + len(self.open) > RUNS:
            verdict = say("counted", decided=decided, open=open_, all=decided + open_)
        else:
            verdict = say("one" if decided == 1 else "some", decided=named(self.decided), open=named(self.open))
        if self.deciding is None:
            return say("end", verdict=verdict)
        count = rounded(self.deciding.matches)
        cost = say("matches", count=count)
        if self.deciding.seconds is not None:
            cost += f", {lasting(self.deciding.seconds)}"
        return say("endless" if self.deciding.endless else "about", verdict=verdict, cost=cost)

    def facts(self) -> dict[str, Any]:
        """For JSON."""

        def spans(runs: Sequence[Span]) -> list[list[int]]:
            return [[run.first, run.last] for run in runs]

        deciding = None if self.deciding is None else vars(self.deciding)
        return {"decided": spans(self.decided), "open": spans(self.open), "deciding": deciding, "text": self.said()}


def places(better: Marks) -> Places:
    """The places of bots in the order of their ratings, from (P, P) whether the first is better than the second beyond doubt."""
    count = len(better)
    # A place is separated from the next one if all bots up to it are better than all after it.
    ends = [0, *(at for at in range(1, count) if better[:at, at:].all()), count] if count else [0]
    runs = [Span(first + 1, last) for first, last in pairwise(ends)]
    decided: list[Span] = []
    for run in runs:
        if run.first == run.last:
            if decided and decided[-1].last == run.first - 1:
                decided[-1] = Span(decided[-1].first, run.last)
            else:
                decided.append(run)
    return Places(decided, [run for run in runs if run.last > run.first])


def rounded(number: int) -> int:
    """A number with two digits that mean something."""
    return round(number, -max(0, len(str(number)) - 2))


def lasting(seconds: float) -> str:
    """A rough time, in words, in the unit that suits it."""
    for size, unit in ((1, "seconds"), (60, "minutes"), (3600, "hours")):
        if seconds < 99.5 * size:
            return spoken().say(f"verdicts.{unit}", count=max(1, round(seconds / size)))
    return spoken().say("verdicts.days", count=round(seconds / 86400))

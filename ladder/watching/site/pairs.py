"""The bots of a list two by two: what their own matches say, and what all matches of the list say."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import Any

from bullring.arena.games.rulebook.language import spoken
from bullring.ladder.standings.difference import Difference
from bullring.ladder.watching.site.words import isolated

SURPRISES = 5
"""Pairs whose own matches go otherwise than their ratings foretell."""

DEVIATES = 3.5
"""Standard errors from which on a pair is such a one: 40 bots have 780 pairs, and chance takes a few of them to three."""


@dataclass(frozen=True)
class Pair:
    """A bot against another one."""

    bot: str
    other: str
    matches: int
    """In which they met."""
    share: float | None
    """The points of the bot in these, 0 to 1; None if they never met."""
    low: float | None
    """The lower end of the difference that these matches alone tell, in Elo; None: no end."""
    high: float | None
    difference: Difference | None
    """By all matches of the list."""

    @property
    def foretold(self) -> float | None:
        """The share that the ratings foretell."""
        elo = None if self.difference is None else self.difference.elo
        return None if elo is None else 1 / (1 + 10 ** (-elo / 400))

    @property
    def is_decided(self) -> bool:
        """Whether all matches tell beyond doubt that the bot is the stronger one."""
        return self.difference is not None and (self.difference.low or -inf) > 0

    @property
    def deviates(self) -> float:
        """How many standard errors its own matches are from what the ratings foretell; 0 if that is not known."""
        elo = None if self.difference is None else self.difference.elo
        if elo is None or self.low is None or self.high is None:
            return 0.0
        return ((self.high + self.low) / 2 - elo) / max(1.0, (self.high - self.low) / 2 / 1.96)

    def said(self) -> str:
        """How its own matches went, beside what the ratings foretell."""
        names = {"bot": isolated(self.bot), "other": isolated(self.other)}
        shares = {"share": 100 * (self.share or 0.0), "foretold": 100 * (self.foretold or 0.0)}
        return spoken().say("site.surprise", count=self.matches, **names, **shares)


@dataclass(frozen=True)
class Pairs:
    """Some bots of a list, in the order of its standings, and all pairs of them by their labels."""

    bots: Sequence[str]
    of: Mapping[tuple[str, str], Pair]

    @property
    def surprises(self) -> Sequence[Pair]:
        """The most surprising pairs, each from the side of the bot that does better."""
        return surprising(pair for pair in self.of.values() if pair.deviates > 0)

    def said(self) -> str:
        """How many pairs are decided, and how many never met."""
        count = len(self.of) // 2
        decided = sum(pair.is_decided for pair in self.of.values())
        unmet = sum(not pair.matches for pair in self.of.values()) // 2
        told = [spoken().say("site.decided", count=count, decided=decided)]
        return " ".join([*told, spoken().say("site.unmet", count=unmet)] if unmet else told)


def surprising(pairs: Iterable[Pair]) -> Sequence[Pair]:
    """The pairs that go most otherwise than foretold, those that do so most first."""
    found = sorted(pairs, key=lambda pair: -abs(pair.deviates))
    return [pair for pair in found if abs(pair.deviates) >= DEVIATES][:SURPRISES]


def pair_of(bot: str, other: str, met: Mapping[str, Any], difference: Difference | None) -> Pair:
    """A bot against another one; `met` is their result (`Standings.pairs`), empty if they never met."""
    share, low, high = (met.get(key) for key in ("share", "low", "high"))
    return Pair(bot, other, met.get("matches", 0), share, low, high, difference)


def pairs_of(
    bots: Sequence[str], met: Mapping[tuple[str, str], Mapping[str, Any]], differences: Iterable[Difference]
) -> Pairs:
    """The pairs of some bots; `met` are the results of pairs (`Standings.pairs`)."""
    known = {(one.bot, one.other): one for found in differences for one in (found, found.turned)}
    found = {}
    for one, other in combinations(bots, 2):
        for names in ((one, other), (other, one)):
            found[names] = pair_of(*names, met.get(names, {}), known.get(names))
    return Pairs(bots, found)

"""The difference of two bots, by all matches of a list and not only those of the two."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import spoken
from bullring.ladder.rating.estimate import Estimate
from bullring.ladder.rating.scales import finite
from bullring.ladder.rating.superiority import Superiority


@dataclass(frozen=True)
class Difference:
    """The difference of two bots, in Elo: above 0 if `bot` is ahead of `other`."""

    bot: str
    other: str
    elo: float | None
    """None if nothing connects the two."""
    error: float | None
    """Half of its 95 % interval; None if the results do not bound it."""
    low: float | None
    """The lower end; None if the results set none."""
    high: float | None
    """The upper end; None if the results set none."""
    chance: float | None
    """The probability, 0 to 1, that `bot` is the stronger one, as in the column LOS: `rating.superiority`. None: not known."""
    matches: int
    """Matches in which they met."""

    def __str__(self) -> str:
        return self.said()

    @property
    def turned(self) -> "Difference":
        """The same, from the side of the other."""

        def less(value: float | None) -> float | None:
            return None if value is None else -value

        chance = None if self.chance is None else 1 - self.chance
        return Difference(
            self.other, self.bot, less(self.elo), self.error, less(self.high), less(self.low), chance, self.matches
        )

    def said(self) -> str:
        """It, in a sentence that begins with the stronger one, the same from both sides."""
        if self.elo is not None and (self.elo < 0 or (self.elo == 0 and str(self.other) < str(self.bot))):
            return self.turned.said()

        def say(key: str, **figures: object) -> str:
            return spoken().say(f"verdicts.{key}", **figures)

        names = {"bot": harmless(self.bot, 64), "other": harmless(self.other, 64)}
        met = say("met", count=self.matches) if self.matches else say("never_met")
        if self.elo is None:
            return say("apart", **names, met=met)
        elo, error = f"{abs(self.elo):.0f}", f"{self.error or 0:.0f}"
        beaten, level = self.low is not None and self.low > 0, elo == "0"
        if self.error is not None:
            verdict = say("beats" if beaten else "level" if level else "open", **names, elo=elo, error=error)
        elif beaten:
            verdict = say("beats_by_more", **names, low=f"{self.low:.0f}")
        else:
            verdict = say("level_unbounded" if level else "unbounded", **names)
        chance = () if self.chance is None else (say("chance", **names, chance=_percent(self.chance)),)
        return "; ".join((verdict, *chance, met))

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return {**vars(self), "text": self.said()}


def differences(
    estimate: Estimate, superiority: Superiority, names: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> list[Difference]:
    """The differences of pairs of bots, by their numbers; `names` has the names of all bots that the estimate knows."""
    low, high = estimate.bounds
    ones, others = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    chances = superiority.over(ones, others)
    found = []
    for (one, other), chance in zip(pairs, chances, strict=True):
        bot = (names[one], names[other])
        matches = int(estimate.met[one, other])
        if not isfinite(estimate.errors[one, other]):
            found.append(Difference(*bot, None, None, None, None, None, matches))
            continue
        ends = finite(low[one, other]), finite(high[one, other])
        error = None if None in ends else finite((high[one, other] - low[one, other]) / 2)
        elo = float(estimate.differences[one, other])
        # Only bots that are connected with the mean have a chance.
        found.append(Difference(*bot, elo, error, *ends, finite(chance), matches))
    return found


def _percent(chance: float) -> str:
    """A chance of which neither 0 nor 100 % is ever said."""
    if chance > 0.9995:
        return "> 99.9"
    return f"{100 * chance:.{1 if chance > 0.9 else 0}f}"

"""The score of one bot against the house."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from bullring.arena.study.house.luck import Luck
from bullring.ladder.rating.control_variates import ALARM, Adjusted, Mean, adjusted
from bullring.ladder.rating.scales import elo

ENOUGH = 40
"""Matches before an interval is believed: fewer tell too little about the scatter."""

LARGEST = 1e6
"""No number of a match comes near it. Larger ones are from a damaged file, and sums of their squares would overflow."""


@dataclass(frozen=True)
class Until:
    """The end of a gauge: when a bot has played enough."""

    error: float
    """Half of the adjusted interval, in Elo."""
    matches: int | None = None
    """The most matches of a bot in this run."""
    seconds: float | None = None
    """The longest time of this run."""
    jobs: int = 1
    """Matches played side by side."""


@dataclass(frozen=True)
class Sample:
    """One match of a bot against the house."""

    seat: int
    luck: Luck
    faults: int
    seconds: float
    """The time it took, the computation of its luck included."""

    def facts(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)

    @classmethod
    def of(cls, facts: dict[str, Any]) -> Self:
        """From `facts`. Raises `KeyError`, `TypeError`, `ValueError` or `IndexError` if they are none."""
        luck = facts["luck"]
        result, deal, draws = ((_number(luck[key][0]), _number(luck[key][1])) for key in ("result", "deal", "draws"))
        own, seat, faults, seconds = (_number(n) for n in (luck["own"], *map(facts.get, ("seat", "faults", "seconds"))))
        if min(own, seat, faults, seconds, result[1], 1 - result[1]) < 0:
            raise ValueError("a number is out of its range")
        return cls(int(seat), Luck(result, deal, draws, own), int(faults), seconds)


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not abs(value) <= LARGEST:
        raise ValueError("not a number that a match can have")
    return float(value)


@dataclass(frozen=True)
class Elo:
    """An Elo difference to the house with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of the interval's width; inf while an end is."""
        return (self.high - self.low) / 2 if math.isfinite(self.high) and math.isfinite(self.low) else math.inf


def as_elo(share: Mean) -> Elo:
    """Shares of points as Elo differences."""
    return Elo(
        *(
            float(elo(end)) if math.isfinite(end) else math.copysign(math.inf, end)
            for end in (share.value, share.low, share.high)
        )
    )


@dataclass
class Score:
    """All matches of one bot against the house."""

    name: str
    samples: list[Sample]
    void: int = 0
    """Matches that the machine spoiled, which do not count."""
    why_void: str = ""
    """The reason of the last one."""

    def add(self, sample: Sample) -> None:
        """Take one more match."""
        self.samples.append(sample)
        self.__dict__.pop("heads", None)
        self.__dict__.pop("share", None)

    @cached_property
    def heads(self) -> Adjusted:
        """Heads per deal: the bot's minus the mean of the house's."""
        return self._adjusted(0)

    @cached_property
    def share(self) -> Adjusted:
        """The share of the house's seats that the bot is ahead of."""
        return self._adjusted(1)

    def _adjusted(self, outcome: int) -> Adjusted:
        lucks = [sample.luck for sample in self.samples]
        return adjusted(
            [luck.result[outcome] for luck in lucks], [(luck.deal[outcome], luck.draws[outcome]) for luck in lucks]
        )

    @property
    def elo(self) -> Elo:
        """The adjusted Elo difference to the house."""
        return as_elo(self.share.adjusted)

    @property
    def raw_elo(self) -> Elo:
        """The Elo difference as it would be without the adjustment."""
        return as_elo(self.share.raw)

    @property
    def faults(self) -> int:
        """The number of faults. They score: the referee played in their place."""
        return sum(sample.faults for sample in self.samples)

    @property
    def seconds(self) -> float:
        """The time of a match on average."""
        return float(np.mean([sample.seconds for sample in self.samples])) if self.samples else math.nan

    def settled(self, until_error: float) -> bool:
        """Whether the adjusted interval is no wider than plus or minus `until_error` Elo."""
        return len(self.samples) >= ENOUGH and self.elo.half <= until_error

    def needed(self, half: float) -> int:
        """The number of further matches that an interval of plus or minus `half` Elo takes, by estimate."""
        now = self.elo.half
        if not math.isfinite(now) or not self.samples:
            return 0
        return max(0, math.ceil(len(self.samples) * ((now / half) ** 2 - 1)))

    def alarms(self) -> Iterator[str]:
        """Warnings about the numbers."""
        for title, part in (("heads", self.heads), ("points", self.share)):
            for of, deviate in zip(("the deal", "the house's draws"), part.alarms, strict=True):
                if len(self.samples) >= ENOUGH and abs(deviate) > ALARM:
                    yield (
                        f"the luck of {of}, in {title}, is {deviate:+.1f} standard errors from 0, where it must be: the bot may"
                        " know what it cannot know, or this program is wrong"
                    )
        if self.void > max(3, len(self.samples) / 50):
            yield f"{self.void} matches are void because the machine failed: too many to believe that this was by chance"

    def facts(self) -> dict[str, Any]:
        """As JSON values. Differences are to the house; more Elo and fewer heads are better."""
        return {
            "bot": self.name,
            "matches": len(self.samples),
            "void": self.void,
            "why_void": self.why_void or None,
            "faults": self.faults,
            "own_heads": float(np.mean([sample.luck.own for sample in self.samples])) if self.samples else None,
            "heads": _facts(self.heads),
            "share": _facts(self.share),
            "elo": {"raw": _plain(asdict(self.raw_elo)), "adjusted": _plain(asdict(self.elo))},
            "seconds_a_match": None if math.isnan(self.seconds) else self.seconds,
            "alarms": list(self.alarms()),
        }


@dataclass(frozen=True)
class Comparison:
    """The difference of two bots, each measured against the house in matches of its own."""

    one: str
    other: str
    elo: Elo
    heads: Mean

    def facts(self) -> dict[str, Any]:
        """As JSON values: `one` minus `other`."""
        return {"one": self.one, "other": self.other, "elo": _plain(asdict(self.elo)), "heads": _mean(self.heads)}


def comparisons(scores: Sequence[Score]) -> Iterator[Comparison]:
    """Every two bots, the stronger first."""
    ranked = sorted((score for score in scores if len(score.samples) > 1), key=lambda score: -score.elo.value)
    for at, one in enumerate(ranked):
        for other in ranked[at + 1 :]:
            difference, half = one.elo.value - other.elo.value, math.hypot(one.elo.half, other.elo.half)
            low, high = (difference - half, difference + half) if math.isfinite(half) else (-math.inf, math.inf)
            heads = one.heads.adjusted.value - other.heads.adjusted.value
            a, b = one.heads.adjusted, other.heads.adjusted
            yield Comparison(
                one.name,
                other.name,
                Elo(difference, low, high),
                Mean(heads, math.hypot(a.error, b.error), math.hypot(a.half, b.half)),
            )


def _facts(part: Adjusted) -> dict[str, Any]:
    return {
        "raw": _mean(part.raw),
        "adjusted": _mean(part.adjusted),
        "gain": None if part.gain is None else asdict(part.gain),
        "deviates": {"deal": part.alarms[0], "draws": part.alarms[1]},
        "coefficients": {"deal": part.coefficients[0], "draws": part.coefficients[1]},
    }


def _mean(mean: Mean) -> dict[str, float | None]:
    return _plain({"value": mean.value, "low": mean.low, "high": mean.high})


def _plain(values: dict[str, float]) -> dict[str, float | None]:
    """Numbers that JSON does not have become null."""
    return {key: value if math.isfinite(value) else None for key, value in values.items()}

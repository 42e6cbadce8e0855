"""How long decisions took, kept as counts in buckets a quarter of an octave wide: small, and they add up."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log2

_STEPS = 4
"""Buckets in which a time doubles."""


def buckets(times_us: Iterable[int]) -> dict[int, int]:
    """Times in microseconds as counts by bucket."""
    return dict(sorted(Counter(round(_STEPS * log2(time + 1)) for time in times_us).items()))


def quantile(counts: Mapping[int, int], share: float) -> float | None:
    """The time in microseconds, to about nine per cent, below which this share of the times is; None if there are none."""
    wanted = share * sum(counts.values())
    seen = 0
    for bucket in sorted(counts):
        seen += counts[bucket]
        if seen >= wanted and seen:
            return 2 ** (bucket / _STEPS) - 1
    return None

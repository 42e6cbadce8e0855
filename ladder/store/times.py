"""Times of decisions as counts in buckets a quarter of an octave wide: small, and easy to add up."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log2

_STEPS = 4
"""Buckets per doubling of the time."""


def buckets(times_us: Iterable[int]) -> dict[int, int]:
    """Count times, in microseconds, by bucket."""
    return dict(sorted(Counter(round(_STEPS * log2(time + 1)) for time in times_us).items()))


def quantile(counts: Mapping[int, int], share: float) -> float | None:
    """The quantile of the times in microseconds, accurate to about nine per cent; None if there are none."""
    wanted = share * sum(counts.values())
    seen = 0
    for bucket in sorted(counts):
        seen += counts[bucket]
        if seen >= wanted and seen:
            return 2 ** (bucket / _STEPS) - 1
    return None

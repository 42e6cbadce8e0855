"""Measurements of a bot in a match besides its result: the times of its decisions, and metrics that it reports.

Times are counts in buckets a quarter of an octave wide: small, and easy to add up. Metrics are lines `key = number` on stderr.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import log2

_STEPS = 4
"""Buckets per doubling of the time."""

MOST = 16
"""Most keys kept of one match."""

LINES = 256
WINDOW = 8192
"""Lines and characters at the end of a log that are read at most: other tables of a referee process wait meanwhile."""

_LINE = re.compile(
    r"^\s*([A-Za-z_][A-Za-z0-9_.-]{0,31})\s*=\s*([-+]?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,2})?)\s*$", re.ASCII
)


def buckets(times_us: Iterable[int]) -> dict[int, int]:
    """Count times, in microseconds, by bucket."""
    return dict(sorted(Counter(map(_bucket, times_us)).items()))


@lru_cache(1 << 14)
def _bucket(time_us: int) -> int:
    return round(_STEPS * log2(time_us + 1))


def quantile(counts: Mapping[int, int], share: float) -> float | None:
    """The quantile of the times in microseconds, accurate to about nine per cent; None if there are none."""
    wanted = share * sum(counts.values())
    seen = 0
    for bucket in sorted(counts):
        seen += counts[bucket]
        if seen >= wanted and seen:
            return 2 ** (bucket / _STEPS) - 1
    return None


def metrics(log: str) -> dict[str, float]:
    """The last number of each key at the end (`WINDOW`) of what a bot wrote to stderr in one match."""
    found: dict[str, float] = {}
    for line in log[-WINDOW:].splitlines()[-LINES:]:
        match = _LINE.match(line)
        if match and (match[1] in found or len(found) < MOST):
            found[match[1]] = float(match[2])
    return found

"""Durations as people write them (250ms, 1.5s, 2m), and the shortest and longest limits."""

import re

from bullring.errors import DurationError

MAX_DURATION = 3600.0
"""Seconds of the longest limit."""

LEAST = {"start": 0.001, "card": 0.001, "row": 0.001, "other": 0.001, "bank": 0.0, "tick": 0.0}
"""Seconds of the shortest limit, by its name."""

_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}


def parse_duration(text: str) -> float:
    """Convert a text like "250ms", "1.5s" or "2m" to seconds. Raises `DurationError`."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,6})?)(us|ms|s|m)", text.strip())
    if match is None:
        raise DurationError(f"a duration is a number with its unit, like 250ms, 1.5s or 2m, not {text[:40]!r}")
    return float(match[1]) * _UNITS[match[2]]

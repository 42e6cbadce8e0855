"""Metrics that bots report about themselves: lines `key = number` on stderr."""

import re

MOST = 16
"""Most keys kept of one match."""

LINES = 256
WINDOW = 8192
"""Only so many lines and characters at the end of what a bot wrote are read: other tables of a referee process wait meanwhile."""

_LINE = re.compile(
    r"^\s*([A-Za-z_][A-Za-z0-9_.-]{0,31})\s*=\s*([-+]?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,2})?)\s*$", re.ASCII
)


def metrics(log: str) -> dict[str, float]:
    """The last number of each key at the end (`WINDOW`) of what a bot wrote to stderr in one match."""
    found: dict[str, float] = {}
    for line in log[-WINDOW:].splitlines()[-LINES:]:
        match = _LINE.match(line)
        if match and (match[1] in found or len(found) < MOST):
            found[match[1]] = float(match[2])
    return found

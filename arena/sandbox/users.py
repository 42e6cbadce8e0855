"""Unprivileged users for bots, where the referee is root: a number of its own for each running bot, that nobody else has."""

import os
import secrets
from functools import cache
from pathlib import Path

_FIRST, _COUNT = 0x40000000, 0x10000000
"""Far above what machines give to people and services."""

_FEW = range(61184, 65520)
"""What is left in a container that knows 65536 users: nobody's, by systemd's list."""


def draw() -> int | None:
    """A new user's number (and its group's), or None if we are not root and bots run as who we are."""
    if os.geteuid() != 0:
        return None
    return _FIRST + secrets.randbelow(_COUNT) if _has_many() else secrets.choice(_FEW)


@cache
def _has_many() -> bool:
    """Whether this user namespace knows such high numbers."""
    for line in Path("/proc/self/uid_map").read_text("ascii").splitlines():
        first, _, count = map(int, line.split())
        if first <= _FIRST and first + count >= _FIRST + _COUNT:
            return True
    return False

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
    """A new user's number (and its group's), or None if we are not root, or know no other user: then bots run as who we are."""
    if os.geteuid() != 0:
        return None
    if _known(_FIRST, _COUNT):
        return _FIRST + secrets.randbelow(_COUNT)
    return secrets.choice(_FEW) if _known(_FEW.start, len(_FEW)) else None


@cache
def _known(first: int, count: int) -> bool:
    """Whether our user namespace knows these users and groups."""
    return all(
        any(
            start <= first and first + count <= start + length
            for start, _, length in (map(int, line.split()) for line in Path(path).read_text("ascii").splitlines())
        )
        for path in ("/proc/self/uid_map", "/proc/self/gid_map")
    )

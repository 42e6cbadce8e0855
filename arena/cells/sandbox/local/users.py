"""Unprivileged users for bots, where the referee is root: each running bot gets a user id of its own.

The kernel counts and permits much by user. Where the referee is not root, bots run as its user.
"""

import os
import secrets
from functools import cache
from pathlib import Path

_FIRST, _COUNT = 0x40000000, 0x10000000
"""Far above the ids of people and services."""

_FEW = range(61184, 65520)
"""For containers that know only 65536 users: unassigned ids, by systemd's list."""


def draw() -> int | None:
    """Draw an id for a new user and its group. None if we are not root or have no other users; then bots run as our user."""
    if os.geteuid() != 0:
        return None
    if _known(_FIRST, _COUNT):
        return _FIRST + secrets.randbelow(_COUNT)
    return secrets.choice(_FEW) if _known(_FEW.start, len(_FEW)) else None


@cache
def _known(first: int, count: int) -> bool:
    """Whether our user namespace has these users and groups."""
    return all(
        any(
            start <= first and first + count <= start + length
            for start, _, length in (map(int, line.split()) for line in Path(path).read_text("ascii").splitlines())
        )
        for path in ("/proc/self/uid_map", "/proc/self/gid_map")
    )

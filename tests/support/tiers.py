"""The tiers that tests can have on this machine."""

import os
from functools import cache

import pytest
import trio

from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import first_error
from tests.support.engine import MUST

LOCAL = ("bwrap", "landlock", "none")


def need(tier: str) -> None:
    """Skip the test, visibly, where the tier is not proven; where all must be there, it fails."""
    reason = _lacks(tier)
    if reason and os.environ.get(MUST):
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)


@cache
def _lacks(tier: str) -> str:
    async def look() -> None:
        async with open_sandbox(Wish(tier, allow_unsandboxed=True)):
            pass

    try:
        trio.run(look)
    except BaseExceptionGroup as group:
        return str(first_error(group))
    return ""

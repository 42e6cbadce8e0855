"""The tiers that tests can have on this machine."""

import os
from collections.abc import Collection, Iterator
from functools import cache

import pytest
import trio

from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import HostError, SandboxError, first_error
from tests.support.engine import MUST, named

CONFINING = tuple(name for name, tier in TIERS.items() if tier.confines)
STRONG = tuple(name for name, tier in TIERS.items() if tier.for_strangers)
"""With namespaces of their own for each bot."""

WITH_IMAGES = tuple(name for name, tier in TIERS.items() if tier.takes_images)
"""Whose bots are containers of an engine."""

LOCAL = tuple(name for name in TIERS if name not in WITH_IMAGES)
"""Whose bots are processes of ours."""


def in_each(*tiers: str, slow: Collection[str] = ()) -> pytest.MarkDecorator:
    """Run a test in each of these tiers, with the fixture `tier`; in those that are `slow` only with `make slow`."""
    return pytest.mark.parametrize(
        "tier", [pytest.param(tier, marks=_marks(tier, slow)) for tier in tiers], indirect=True
    )


def _marks(tier: str, slow: Collection[str]) -> list[pytest.MarkDecorator]:
    # Tests that need an engine run in one process, which starts it once.
    group = [pytest.mark.xdist_group(tier)] if tier in WITH_IMAGES else []
    return [*group, *([pytest.mark.slow] if tier in slow else [])]


@pytest.fixture
def tier(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of a tier. The test is skipped, visibly, where it is not proven; where all must be there, it fails."""
    if request.param in WITH_IMAGES:
        with named(request.getfixturevalue("engine_socket")):
            need(request.param)
            yield request.param
    else:
        need(request.param)
        yield request.param


def need(tier: str) -> None:
    """Skip the test, visibly, where the tier is not proven; where all must be there, it fails."""
    reason = lacks(tier)
    if reason and os.environ.get(MUST):
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)


@cache
def lacks(tier: str) -> str:
    """The reason why this machine does not prove the tier; empty if it does."""

    async def look() -> None:
        async with open_sandbox(Wish(tier, allow_unsandboxed=True)):
            pass

    try:
        trio.run(look)
    except BaseExceptionGroup as group:
        error = first_error(group)
        if not isinstance(error, (HostError, SandboxError)):
            raise
        return str(error)
    return ""

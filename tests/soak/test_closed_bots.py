"""Nothing of a bot stays with the referee when it is closed: the garbage collector is calmed, so it must not be needed."""

import gc
import weakref
from collections.abc import Iterator

import pytest
import trio

from bullring.arena.cells.bots.load import load
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.match.seats.player import Player
from bullring.arena.match.seats.pool import open_pool
from bullring.arena.settings.limits import Limits
from tests.ladder.homes import tiny


@pytest.fixture
def _no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_collector")
def test_a_closed_bot_is_gone_without_the_collector() -> None:
    bot = load(tiny("first"))
    gone: list[weakref.ref[Player]] = []

    async def play() -> None:
        wish = Wish("none", allow_unsandboxed=True, proven=False)
        async with open_sandbox(wish) as sandbox, open_pool(Limits(), sandbox) as pool:
            for _ in range(4):
                players = await pool.seat([bot])
                gone.extend(weakref.ref(player) for player in players if isinstance(player, Player))
                await pool.release(players, keep=False)

    trio.run(play)
    assert len(gone) == 4
    # The last one may be on the way: some frame of the loop still knows it.
    assert sum(ref() is not None for ref in gone) <= 1

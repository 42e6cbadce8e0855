"""The folder of a bot is watched: each save acts once, whatever writes how often."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from bullring.arena.cells.bots.saves import LOOK, SETTLED, on_each_save, seen_in
from bullring.arena.cells.files.walk import Bounds
from tests.support.coroutines import Test, made

MANIFEST = 'name = "bot"\nrun = ["{python}", "bot.py"]\n'


class Watched:
    """A watched folder, and what was acted upon."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.acts = self.ended = 0
        self.lasts = 0.0
        """Seconds that acting takes."""
        self._saves = 0

    async def act(self) -> None:
        self.acts += 1
        await trio.sleep(self.lasts)
        self.ended += 1

    def save(self, name: str = "bot.py", text: str = "") -> None:
        self._saves += 1
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        os.utime(path, ns=(self._saves, self._saves))  # two saves differ, however coarse the clock of the disk is

    async def look(self) -> object:
        return seen_in(self.folder, Bounds())

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[None]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(on_each_save, self.look, self.act)
            await self.wait()
            assert self.acts == 1
            yield
            nursery.cancel_scope.cancel()

    async def wait(self) -> None:
        await trio.sleep(4 * (LOOK + SETTLED))


def watching(test: Test) -> Callable[..., None]:
    """Make a test of a coroutine; its clock jumps to the next moment at which something happens."""
    return made(test, (), lambda main: trio.run(main, clock=MockClock(autojump_threshold=0)))


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    watched = Watched(tmp_path)
    watched.save("bot.toml", MANIFEST)
    watched.save()
    return watched


@watching
async def test_each_save_acts_once(watched: Watched) -> None:
    async with watched.watch():
        await watched.wait()
        assert watched.acts == 1, "nothing was saved"
        watched.save()
        await watched.wait()
        assert watched.acts == 2
        watched.save("helper/more.py")
        await watched.wait()
        assert watched.acts == 3
        (watched.folder / "helper/more.py").unlink()
        await watched.wait()
        assert watched.acts == 4


@watching
async def test_a_burst_is_one_save(watched: Watched) -> None:
    async with watched.watch():
        for number in range(10):
            watched.save(text=str(number))
            await trio.sleep(SETTLED / 2)
        await watched.wait()
        assert watched.acts == 2


@watching
async def test_what_is_not_of_the_bot_is_not_watched(watched: Watched) -> None:
    async with watched.watch():
        watched.save("__pycache__/bot.pyc")
        watched.save("bot.py~")
        await watched.wait()
        assert watched.acts == 1


@watching
async def test_a_save_in_the_middle_begins_anew(watched: Watched) -> None:
    watched.lasts = 1000.0
    async with watched.watch():
        watched.save()
        await watched.wait()
        assert (watched.acts, watched.ended) == (2, 0)


@watching
async def test_a_broken_manifest_is_waited_out(watched: Watched) -> None:
    async with watched.watch():
        watched.save("bot.toml", "name = ")
        await watched.wait()
        assert watched.acts == 2
        watched.save("bot.toml", MANIFEST)
        await watched.wait()
        assert watched.acts == 3

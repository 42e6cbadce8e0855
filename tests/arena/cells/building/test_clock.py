"""The time of a build: a machine that stands still takes none of it."""

from typing import Any

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from bullring.arena.cells.building.cell import LOOK, Attempt
from bullring.arena.cells.building.limits import BuildLimits


class Cell:
    killed = False

    def kill(self) -> None:
        self.killed = True


def test_a_machine_that_stands_still_is_not_blamed_on_the_build() -> None:
    clock, cell = MockClock(), Cell()
    anything: Any = cell

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Attempt(anything, None, BuildLimits(time=20 * LOOK)).watch_clock)
            await wait_all_tasks_blocked()
            for _ in range(9):
                clock.jump(3600.0)
                await wait_all_tasks_blocked()
            assert not cell.killed
            clock.jump(3600.0)

    trio.run(main, clock=clock)
    assert cell.killed

"""The referee processes of this machine: one that hangs must not hold a run for ever."""

import math
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from bullring.arena.cells.processes.frames import Frames
from bullring.arena.cells.processes.kinds import Kind
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.settings.limits import Limits
from bullring.ladder.run.workers.local import LOOK_EVERY, SILENT, LocalCrew, Referee
from bullring.ladder.run.workers.messages import BEAT, Drop, Played, Setup
from bullring.ladder.run.workers.outbox import BEAT_EVERY, GATHER, SOON, CarriedOut, Outbox, packer
from bullring.ladder.store.rows import ListRow
from tests.support.processes import UNCONFINED

LIVES = """\
import os
while os.read(0, 65536):
    os.write(1, bytes([0, 0, 0, 6, 0x91, 0xa4]) + b"Beat")
"""
"""A program that says that it lives whenever it hears something."""


def _with_crew(script: Callable[[MockClock, LocalCrew], Coroutine[Any, Any, None]]) -> None:
    clock = MockClock()
    setup = Setup(Limits(), UNCONFINED, Owner("home"), ListRow(1, "standard", {}, 2), "ladder")

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            crew = LocalCrew(nursery, 1, setup.owner)
            crew.begin(setup)
            try:
                await wait_all_tasks_blocked()
                await script(clock, crew)
            finally:
                for worker in crew.workers:
                    worker.child.kill()
                    worker.child.wait()
                    await worker.child.close()
                nursery.cancel_scope.cancel()

    trio.run(main, clock=clock)


def test_a_referee_process_that_says_nothing_is_killed_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kind, "command", lambda _: ["sleep", "600"])

    async def script(clock: MockClock, crew: LocalCrew) -> None:
        hung: Referee = crew.workers[0]
        for _ in range(SILENT + 1):
            clock.jump(LOOK_EVERY)
            await wait_all_tasks_blocked()
        [(worker, answer)] = await crew.answers(math.inf, 0.0)
        assert (worker, answer) == (hung, None)
        assert crew.lost(worker) == "it was killed by SIGKILL"
        assert crew.workers[0].child.pid != hung.child.pid
        assert hung.child.status == -9

    _with_crew(script)


def test_one_that_says_that_it_lives_is_left_alone_and_nobody_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kind, "command", lambda _: [sys.executable, "-c", LIVES])

    async def script(clock: MockClock, crew: LocalCrew) -> None:
        worker = crew.workers[0]
        for _ in range(3 * SILENT):
            clock.jump(LOOK_EVERY)
            await wait_all_tasks_blocked()
            assert worker.silent
            crew.say(Drop())
            await crew.flush()
            while worker.silent:  # until it has answered
                await trio.sleep(0)
        assert worker.child.status is None
        clock.autojump_threshold = 0
        assert not await crew.answers(1.0, 0.0)

    _with_crew(script)


def test_a_referee_process_that_has_nothing_to_tell_says_that_it_lives() -> None:
    async def main() -> None:
        read, write = os.pipe()
        async with (
            trio.lowlevel.FdStream(read) as source,
            trio.lowlevel.FdStream(write) as sink,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(Outbox(packer(b"")).send, sink)
            began = trio.current_time()
            said = list(Frames().feed(bytes(await source.receive_some(64))))
            assert (said, trio.current_time() - began) == ([BEAT], BEAT_EVERY)
            nursery.cancel_scope.cancel()

    trio.run(main, clock=MockClock(autojump_threshold=0.0))


def test_a_result_alone_is_told_at_once_and_those_of_a_busy_process_together() -> None:
    read, write = os.pipe()
    told: list[tuple[float, int]] = []

    async def listen(source: trio.lowlevel.FdStream) -> None:
        frames = Frames()
        async for data in source:
            told.extend((trio.current_time(), len(message[1])) for message in frames.feed(bytes(data)))

    async def main() -> None:
        outbox = Outbox(packer(b""))
        async with (
            trio.lowlevel.FdStream(read) as source,
            trio.lowlevel.FdStream(write) as sink,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(listen, source)
            nursery.start_soon(outbox.send, sink)
            began = trio.current_time()
            for number in range(50):
                outbox.tell(CarriedOut(Played(number, []), []))
                await trio.sleep(GATHER / 20)
            assert [at - began for at, _ in told[:2]] == pytest.approx([0.0, SOON])
            assert 3 <= len(told) <= 5
            told.clear()
            await trio.sleep(2 * GATHER)
            for number in (50, 51):
                told.clear()
                began = trio.current_time()
                outbox.tell(CarriedOut(Played(number, []), []))
                await trio.sleep(2 * GATHER)
            [(at, count)] = told
            assert at == began
            assert count == 1
            nursery.cancel_scope.cancel()

    trio.run(main, clock=MockClock(autojump_threshold=0.0))

"""Runtimes of this machine play in every tier."""

import os
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.wish import Wish
from tests.arena.cells.sandbox.containers import Ring, all_heard, run
from tests.arena.cells.sandbox.runtimes import RUNTIMES
from tests.support.patience import PATIENCE
from tests.support.tiers import LOCAL, need

each_runtime = pytest.mark.parametrize("name", RUNTIMES)


@pytest.fixture
def made(name: str, tmp_path: Path) -> Program:
    """The program of this runtime, if the machine has it."""
    runtime = RUNTIMES[name]
    if missing := runtime.missing():
        pytest.skip(f"not on this machine: {', '.join(missing)}")
    return runtime.made_in(tmp_path)


@each_runtime
@pytest.mark.parametrize("tier", LOCAL)
def test_a_runtime_of_the_machine_plays(tier: str, name: str, made: Program) -> None:
    need(tier)
    if name == "R" and tier == "landlock" and os.geteuid():
        pytest.skip("R needs a folder to write to, and only root can give one in this tier")
    log, said = bytearray(), bytearray()

    async def main() -> str:
        with trio.fail_after(PATIENCE):
            async with open_sandbox(Wish(tier, allow_unsandboxed=True, proven=False)) as sandbox:
                cell = await sandbox.start(made, log.extend)
                try:
                    while True:
                        await trio.lowlevel.wait_readable(cell.read_fd)
                        try:
                            more = cell.recv()
                        except BlockingIOError:
                            continue
                        if not more:
                            break
                        said.extend(more)
                    await cell.wait()
                    return cell.exit_text()
                finally:
                    await cell.end()

    ended = trio.run(main)
    assert (bytes(said), ended) == (b"hello\n", "exited with status 0"), bytes(log)


@each_runtime
def test_a_runtime_of_the_machine_plays_in_a_container(
    name: str, made: Program, engine_socket: Path, tmp_path: Path
) -> None:
    async def test(ring: Ring) -> None:
        cell = await ring.docker.start(made, ring.log.extend)
        try:
            assert await all_heard(cell) == b"hello\n", bytes(ring.log)
        finally:
            await cell.end()
        assert cell.exit_text() == "exited with status 0", bytes(ring.log)

    run(engine_socket, tmp_path, test)

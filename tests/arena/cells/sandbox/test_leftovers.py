"""Leftovers of a killed referee, which the next one removes."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.sandbox import identity
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.leftovers import environment_of, sweep
from bullring.arena.cells.sandbox.temporary import OWNER, PREFIX, temporary
from bullring.arena.cells.sandbox.wish import Wish
from tests.support.patience import PATIENCE
from tests.support.tiers import need

REFEREE = """
import sys
from pathlib import Path
import trio
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.cells.sandbox.program import PYTHON, Program

async def main():
    wish = Wish("none", allow_unsandboxed=True, freeze=True, proven=False)
    async with open_sandbox(wish) as sandbox:
        program = "import os\\nprint(os.getpid(), flush=True)\\nwhile True:\\n    pass"
        command = (PYTHON, "-I", "-S", "-c", program)
        cell = await sandbox.start(Program(command, Path.cwd()), lambda data: None)
        await trio.lowlevel.wait_readable(cell.read_fd)
        if cell.freezes:
            cell.freeze()
        print(cell.freezes, cell.recv().decode(), flush=True)
        await trio.sleep_forever()

trio.run(main)
"""


def test_a_frozen_bot_of_a_referee_that_was_killed_is_ended(tmp_path: Path) -> None:
    need("none")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4] / "src")}
    with subprocess.Popen(
        [sys.executable, "-c", REFEREE], stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=environment
    ) as referee:
        assert referee.stdout is not None
        freezes, pid = referee.stdout.readline().split()
        bot = os.pidfd_open(int(pid))
        referee.kill()
    if freezes != "True":
        os.close(bot)
        pytest.skip("nothing here can freeze it")
    sweep()
    gone, _, _ = select.select([bot], [], [], PATIENCE)
    os.close(bot)
    assert gone


def test_what_we_started_before_is_no_leftover_of_an_earlier_run() -> None:
    owner = Owner(f"{identity.me()}.home")

    async def open_and_close() -> None:
        async with open_sandbox(Wish("none", allow_unsandboxed=True, proven=False), owner):
            gone, _, _ = select.select([theirs], [], [], PATIENCE)
            assert gone
            assert ours.poll() is None

    line = ["sh", "-c", "sleep 600 & echo $!; wait; read _"]
    environment = {**os.environ, **environment_of(owner)}
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as ours:
        assert ours.stdout is not None
        theirs = os.pidfd_open(int(ours.stdout.readline()))
        trio.run(open_and_close)
        assert ours.poll() is None
        os.close(theirs)


@pytest.mark.parametrize("memory", [False, True])
def test_temporary_folders_of_dead_referees_go(memory: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "elsewhere" if memory else tmp_path))
    monkeypatch.setattr("bullring.arena.cells.sandbox.temporary.MEMORY", tmp_path)
    with temporary("ours", memory=memory) as ours, temporary("left", memory=memory) as left:
        (left.parent / OWNER).write_text(f"999999999-1-{identity.me().rpartition('-')[2]}")
        (left / "secret").touch()
        strange = tmp_path / f"{PREFIX}strange"
        strange.mkdir()
        os.mkfifo(strange / OWNER)
        sweep()
        assert ours.exists()
        assert strange.exists()
        assert not left.parent.exists()

"""Runtimes of this machine in containers: what plays in bubblewrap plays here."""

import subprocess
from pathlib import Path

import pytest

from tests.arena.sandbox.containers import Ring, all_heard, run
from tests.arena.sandbox.runtimes import RUNTIMES, Runtime


@pytest.mark.parametrize("runtime", [pytest.param(each, id=name) for name, each in RUNTIMES.items()])
def test_a_runtime_of_the_machine_plays_in_a_container(runtime: Runtime, engine_socket: Path, tmp_path: Path) -> None:
    if missing := runtime.missing():
        pytest.skip(f"not on this machine: {', '.join(missing)}")
    for name, text in runtime.files.items():
        (tmp_path / name).write_text(text + "\n")
        (tmp_path / name).chmod(0o755)
    if runtime.made_by:
        subprocess.run(runtime.made_by, cwd=tmp_path, check=True, capture_output=True)

    async def test(ring: Ring) -> None:
        cell = await ring.docker.start(runtime.program(tmp_path), ring.log.extend)
        try:
            assert await all_heard(cell) == b"hello\n", bytes(ring.log)
        finally:
            await cell.end()
        assert cell.exit_text() == "exited with status 0", bytes(ring.log)

    run(engine_socket, tmp_path, test)

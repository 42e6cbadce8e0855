"""Things that are made once for all test processes of a run."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all test processes; other users may enter it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"
    folder.mkdir(exist_ok=True)
    for path in (folder, folder.parent, folder.parent.parent):
        path.chmod(path.stat().st_mode | 0o755)
    return folder


def made_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """Return the folder, which the first process that asks for it fills by `make`. If that fails, the next one tries again."""
    finished = folder.with_name(f"{folder.name}.made")
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not finished.exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            finished.touch()
    return folder

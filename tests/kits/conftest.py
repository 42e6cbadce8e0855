"""What the tests of kits need of the machine."""

import os
from pathlib import Path

import pytest

from tests.hostile.conftest import docker as docker
from tests.support.engine import engine_socket as engine_socket


@pytest.fixture(scope="session")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the bots made from kits, for all test processes; other users may enter it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kits"
    folder.mkdir(exist_ok=True)
    for path in (folder, folder.parent, folder.parent.parent):
        path.chmod(path.stat().st_mode | 0o755)
    return folder

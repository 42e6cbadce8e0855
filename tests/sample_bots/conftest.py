"""The folder of built sample bots during the tests, so that each is built once."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for builds that all test processes share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "sample-builds"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder

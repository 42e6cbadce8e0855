"""What the contests need of the machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.matrix import named
from tests.support.engine import engine_socket as engine_socket


@pytest.fixture(scope="module")
def docker(engine_socket: Path) -> Iterator[None]:
    """The engine of the tier `docker`, named for this module alone."""
    with named(engine_socket):
        yield

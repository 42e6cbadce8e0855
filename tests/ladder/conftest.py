"""A store for tests of the ladder."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bullring.ladder.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with four bots."""
    with closing(Store.create(tmp_path / "ladder.db", "0123456789abcdef")) as store:
        for name in "abcd":
            store.add_bot(name, f"program {name}")
        yield store

"""Golden files are still made as they were."""

from types import ModuleType

import pytest

from tests.goldens import ROOMS


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_golden_files_are_what_is_made_today(room: ModuleType) -> None:
    files = room.files()
    assert {path.name for path in room.FOLDER.iterdir()} == files.keys(), "say: make goldens"
    for file, text in files.items():
        assert (room.FOLDER / file).read_text("utf-8") == text, f"{file}: say `make goldens`, and read what has changed"

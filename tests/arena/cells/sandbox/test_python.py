"""The Python of bots has no packages but those that a bot brings, in every tier."""

from pathlib import Path

import pytest

from bullring.arena.cells.sandbox import python
from bullring.arena.cells.sandbox.program import OURS
from bullring.arena.cells.sandbox.python import PACKAGES
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.errors import CellError
from tests.arena.cells.sandbox.stage import Stage, staged

LOOKS = """
import importlib.util, sys
exit(print(*(name for name in ("msgpack", "numpy", "pip", "mine", "json") if importlib.util.find_spec(name))))
"""


@staged(*TIERS)
async def test_a_bot_sees_the_packages_that_it_brings_and_no_others(stage: Stage) -> None:
    (stage.folder / PACKAGES).mkdir(parents=True)
    (stage.folder / PACKAGES / "mine.py").touch()
    assert (await stage.output(LOOKS)).split() == ["mine", "json"]
    assert (await stage.output(LOOKS, command=(OURS, "bot.py"))).split()[:2] == ["msgpack", "numpy"]


def test_it_is_made_again_where_it_was_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = python.environment()
    assert python.environment() == first
    first.rename(tmp_path / "gone")
    assert python.environment() == first


def test_a_cache_folder_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(CellError, match="set XDG_CACHE_HOME"):
        python.environment()


def test_one_that_others_could_replace_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = python.environment()
    (made / "bin").chmod(0o777)
    with pytest.raises(CellError, match=f"others may change {made}/bin"):
        python.environment()
    (made / "bin").chmod(0o755)
    assert python.environment() == made

"""Builds in containers."""

from pathlib import Path

import pytest

from bullring.errors import BuildFailure
from tests.arena.cells.building.test_building import MAKES_IT
from tests.arena.cells.building.yard import Yard
from tests.hostile.matrix import named


@pytest.fixture
def yard(engine_socket: Path, tmp_path: Path) -> Yard:
    tmp_path.chmod(0o755)
    return Yard(tmp_path, "docker")


def test_a_build(yard: Yard, engine_socket: Path) -> None:
    with named(engine_socket):
        bot = yard.build(MAKES_IT)
    assert {path.name for path in bot.program.folder.iterdir()} == {"bot.toml", "made", "tool", "link"}


def test_a_failure(yard: Yard, engine_socket: Path) -> None:
    with named(engine_socket), pytest.raises(BuildFailure, match=r"exited with status 3$") as caught:
        yard.build("import sys\nprint('the reason')\nsys.exit(3)")
    assert caught.value.log == "the reason\n"


def test_a_build_that_ends_what_runs_it(yard: Yard, engine_socket: Path) -> None:
    with named(engine_socket), pytest.raises(BuildFailure, match=r"ended before its result|exited with status"):
        yard.build("import os\nos.kill(os.getppid(), 9)")
    assert yard.left() <= {"log"}


def test_a_bot_with_an_image_is_built_by_it(yard: Yard, engine_socket: Path) -> None:
    yard.write("Dockerfile", "FROM scratch\n")
    with named(engine_socket):
        bot = yard.build("")
    assert (bot.build, bot.program.folder) == ((), yard.folder)
    assert not yard.builds.exists()

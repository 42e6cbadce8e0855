"""Bots made from kits for tests: `bullring new`, what it fetches, and the kit's own tests, once for each language."""

import os
import subprocess
from pathlib import Path

import pytest

from bullring.arena.cells.kits.kit import Declared
from bullring.arena.cells.kits.new_bot import make
from bullring.arena.cells.kits.toolchains import installing, missing, words
from tests.support.patience import PATIENCE
from tests.support.shared import made_once

MUST = "BULLRING_ALL_KITS"
"""The environment variable of `make kits`: all kits are tested in all tiers, and a missing toolchain is a failure."""

ALL = bool(os.environ.get(MUST))


def need(declared: Declared) -> None:
    """Skip the test, visibly, where the kit cannot be tested; `make kits` tests all, and there it fails."""
    lacking = missing(declared.kit)
    if lacking and ALL:
        pytest.fail(f"{declared.language} needs {', '.join(each.program for each in lacking)}: {installing(lacking)}")
    if lacking:
        pytest.skip(f"not here: {', '.join(each.program for each in lacking)}; to get it: {installing(lacking)}")
    if (declared.kit.build or declared.kit.fetch) and not ALL:
        pytest.skip("is built or fetches libraries: `make kits` tests it")


def made(declared: Declared, folder: Path) -> Path:
    """The folder of a bot made from a kit, in a folder that test processes share. Its own tests have passed."""

    def fill(bot: Path) -> None:
        make(declared, bot)
        _run(declared.kit.fetch, bot)
        _run(declared.kit.test, bot)

    return made_once(folder / f"my-{declared.language}", fill)


def _run(command: tuple[str, ...], bot: Path) -> None:
    if command:
        done = subprocess.run(words(command), cwd=bot, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"

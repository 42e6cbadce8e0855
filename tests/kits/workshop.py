"""Bots made from kits for tests: `bullring new`, what it fetches, and the kit's own tests, once for each language."""

import os
import subprocess
from functools import cache
from pathlib import Path

import pytest

from bullring.arena.kits.kit import Declared, kits
from bullring.arena.kits.toolchains import installing, missing, words
from tests.support.command import bullring
from tests.support.patience import PATIENCE

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
    """The folder of a bot made from a kit, in a folder for all of them. Its own tests have passed."""
    return _made(declared.language, folder)


@cache
def _made(language: str, folder: Path) -> Path:
    declared = kits()[language]
    bot = folder / f"my-{declared.language}"
    done = bullring("new", language, bot.name, cwd=folder)
    assert done.returncode == 0, done.stderr
    if declared.kit.test:
        tested = subprocess.run(
            words(declared.kit.test), cwd=bot, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert tested.returncode == 0, f"{tested.stdout}\n{tested.stderr}"
    return bot

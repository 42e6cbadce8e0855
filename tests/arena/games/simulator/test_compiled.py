"""Compiled kernels give the same numbers as plain ones, and a copy of the folder finds them again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bullring.arena.games import simulator

FINGERPRINT = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from simulator import GAMES, POLICIES, Tables, histories, playouts, position
found = hashlib.sha256()
for game in sorted(GAMES):
    for policy in POLICIES:
        for kept in histories(game, 4, {}, policy, 8, 1):
            found.update(kept.tobytes())
view = {"deal": 1, "turn": 5, "rows": [[10], [20], [30], [40, 44]], "row_heads": [3, 3, 3, 8], "seat": 1}
view |= {"hand": [3, 12, 36, 77, 99, 104], "played": [], "piles": [[]] * 4}
for policy in POLICIES:
    found.update(playouts(position("professional", {}, 4, view, "card"), [3, 36, 104], policy, 30, 2).tobytes())
from simulator import chains
for game in sorted(chains.CHAINS):
    for policy in ("random", "noisy"):
        for kept in chains.course(chains.opening(game, {}, 3, start=1, deals=2), 1, policy, range(3), 4):
            found.update(kept.tobytes())
tables = Tables("double", 4, {"doublets": True}, 5)
tables.deal(3)
while tables.left:
    found.update(tables.step(tables.choose("noisy")).tobytes())
import numpy as np, simulator
from simulator.table import goes_to
found.update(b"%d" % goes_to(1, np.arange(16), 5))  # a helper, which has become part of kernels, called by Python
print(simulator.COMPILED, found.hexdigest())
"""
"""A program that computes a bit of everything with the copy of the simulator in a folder."""


def fingerprint(folder: Path, **settings: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FINGERPRINT, str(folder)],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def files(folder: Path) -> dict[str, int]:
    """The files below a folder with the moments at which they were written."""
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_compiled_and_plain_kernels_give_the_same_and_a_copy_finds_what_was_compiled(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    source = Path(simulator.__file__).parent
    for name in ("one", "other"):
        shutil.copytree(source, tmp_path / name / "simulator", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (tmp_path / "other").rglob("*.py"):
        os.utime(path, (1, 1))
    kernels = tmp_path / "kernels"
    assert fingerprint(tmp_path / "one", BULLRING_COMPILE="0", BULLRING_KERNELS=str(kernels))[0] == "False"
    assert not kernels.exists()
    plain = fingerprint(tmp_path / "one", BULLRING_COMPILE="0")[1]
    assert fingerprint(tmp_path / "one", BULLRING_COMPILE="1", BULLRING_KERNELS=str(kernels)) == ["True", plain]
    compiled = files(kernels)
    assert compiled
    shutil.move(kernels, tmp_path / "moved")
    again = fingerprint(tmp_path / "other", BULLRING_COMPILE="1", BULLRING_KERNELS=str(tmp_path / "moved"))
    assert again == ["True", plain]
    assert files(tmp_path / "moved") == compiled

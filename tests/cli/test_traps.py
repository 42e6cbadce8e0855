"""Commands in a working folder full of traps: nothing of it is ever imported, neither by them nor by their children."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ladder.homes import tiny
from tests.support.command import BULLRING
from tests.support.patience import PATIENCE
from tests.support.traps import lay_traps


@pytest.fixture
def trapped(tmp_path: Path) -> Path:
    folder = tmp_path / "working folder"
    folder.mkdir()
    lay_traps(folder)
    return folder


def caught_nothing(folder: Path, *words: str, terminal: bool = False) -> str:
    """The output of a command that must succeed without importing a trap; in a terminal, the live table is drawn."""
    line = ["script", "-qec", shlex.join(words), "/dev/null"] if terminal else list(words)
    done = subprocess.run(
        line,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=folder,
        env={**os.environ, "COLUMNS": "100", "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (folder / "caught").exists(), (folder / "caught").read_text()
    return done.stdout


def run(folder: Path, *arguments: str, terminal: bool = False) -> str:
    """The output of the command bullring."""
    return caught_nothing(folder, str(BULLRING), *arguments, terminal=terminal)


def test_a_match_and_its_live_table(trapped: Path) -> None:
    told = run(
        trapped, "match", "@greedy", "@random", "--deals", "1", "--watch", "--time", "30s", "--record", "m.jsonl"
    )
    assert "takes row" in told
    assert "verified" in run(trapped, "verify", "m.jsonl")
    assert "takes row" in run(trapped, "replay", "m.jsonl")
    wish = ("--deals", "1", "--watch", "--pace", "0", "--time", "30s")
    drawn = run(trapped, "match", "@greedy", "@random", *wish, terminal=True)
    assert "deal 1 of 1" in drawn


def test_a_ladder_and_whoever_watches_it(trapped: Path) -> None:
    run(trapped, "ladder", "init", "home", "--time", "30s", "--time", "start=60s")
    run(trapped, "ladder", "add", "@greedy", "@random", "--home", "home")
    run(trapped, "ladder", "add", tiny("first"), "--name", "tiny", "--home", "home")
    told = run(trapped, "ladder", "run", "--home", "home", "--seats", "3", "--matches", "3", "--jobs", "1")
    assert "3 matches in this run" in told
    assert "greedy" in run(trapped, "watch", "--home", "home")
    assert "turn 10" in run(trapped, "watch", "1", "--home", "home")


def test_a_duel(trapped: Path) -> None:
    told = run(trapped, "duel", "@greedy", "@random", "--time", "30s", "--matches", "4", "--jobs", "1", "--json")
    assert json.loads(told.splitlines()[-1])["matches"] >= 4


def test_the_rest(trapped: Path) -> None:
    run(trapped, "games")
    run(trapped, "rules", "eleven")
    run(trapped, "docs", "spec")
    run(trapped, "bots")
    run(trapped, "completion", "bash")


def test_python_with_the_working_folder_imports_nothing_else_from_it(trapped: Path) -> None:
    for name in ("bullring", "functools"):  # what Python itself imports before any code of ours runs
        (trapped / f"{name}.py").unlink()
    assert json.loads(caught_nothing(trapped, sys.executable, "-m", "bullring", "games", "--json"))


def test_python_without_the_working_folder_finds_the_package(trapped: Path) -> None:
    assert caught_nothing(trapped, sys.executable, "-P", "-m", "bullring", "--version").startswith("bullring, version ")

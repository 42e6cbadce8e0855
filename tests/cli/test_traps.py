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


def run(folder: Path, *arguments: str) -> str:
    """What a command prints that must succeed, and not be caught."""
    done = subprocess.run(
        [str(BULLRING), *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=folder,
        env={**os.environ, "COLUMNS": "100"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not (folder / "caught").exists(), (folder / "caught").read_text()
    return done.stdout


def in_a_terminal(folder: Path, *arguments: str) -> str:
    """The same with a terminal around it, so that the live table is drawn."""
    line = shlex.join([str(BULLRING), *arguments])
    done = subprocess.run(
        ["script", "-qec", line, "/dev/null"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=folder,
        env={**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert not (folder / "caught").exists(), (folder / "caught").read_text()
    return done.stdout


def test_a_match_and_its_live_table(trapped: Path) -> None:
    told = run(
        trapped, "match", "@greedy", "@random", "--deals", "1", "--watch", "--time", "30s", "--record", "m.jsonl"
    )
    assert "takes row" in told
    assert "verified" in run(trapped, "verify", "m.jsonl")
    assert "takes row" in run(trapped, "replay", "m.jsonl")
    drawn = in_a_terminal(
        trapped, "match", "@greedy", "@random", "--deals", "1", "--watch", "--pace", "0", "--time", "30s"
    )
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
    done = subprocess.run(
        [sys.executable, "-m", "bullring", "games", "--json"],
        capture_output=True,
        text=True,
        cwd=trapped,
        timeout=PATIENCE,
        check=False,
    )
    assert json.loads(done.stdout)
    assert not (trapped / "caught").exists(), (trapped / "caught").read_text()


def test_python_without_the_working_folder_finds_the_package(trapped: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bullring", "--version"],
        capture_output=True,
        text=True,
        cwd=trapped,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stdout.startswith("bullring, version ")

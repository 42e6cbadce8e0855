"""A game is its file and its line in the registry: a toy game goes through everything without another line anywhere."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.display.tabletop import tabletop
from bullring.arena.watching.picture.reducer import Reducer
from bullring.cli.program import program
from docgen import games
from tests.arena.games.rules.toy import Toy
from tests.ladder.homes import home_with, tiny
from tests.support.command import BULLRING
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[4]

REGISTERED = """
from bullring.arena.games.rules.registry import GAMES
from tests.arena.games.rules.toy import Toy
GAMES[Toy.id] = Toy
"""
"""The line of the registry, which every Python of the test runs first."""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "registered"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(REGISTERED)
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "COLUMNS": "100"}


def bullring(environment: dict[str, str], *arguments: str) -> str:
    """Run a command that must succeed, and return its output."""
    done = subprocess.run(
        [str(BULLRING), *arguments], capture_output=True, text=True, env=environment, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_played_recorded_shown_and_verified(environment: dict[str, str], tmp_path: Path) -> None:
    record = tmp_path / "toy.jsonl"
    bots = [tiny("first"), tiny("last"), tiny("first")]
    told = bullring(environment, "match", *bots, "--game", "toy", "--record", str(record), "--watch")
    assert "bids most" in told
    assert "verified: 2 deals and 18 answers" in bullring(environment, "verify", str(record))
    replayed = bullring(environment, "replay", str(record))
    assert "bids" in replayed
    assert "heads in this deal" in replayed
    kinds = [json.loads(line)["type"] for line in bullring(environment, "replay", "--json", str(record)).splitlines()]
    assert kinds.count("bids") == 6


def test_the_live_table_draws_it(environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "toy.jsonl"
    bullring(environment, "match", tiny("first"), tiny("last"), "--game", "toy", "--record", str(record))
    monkeypatch.setitem(GAMES, "toy", Toy)
    reducer = Reducer()
    frames = [frame for entry in read_lines(record).entries for frame in reducer.feed(entry)]
    shown = "\n".join(tabletop(frame, 80, 24).plain for frame in frames)
    assert "deal 1 of 2  turn 1" in shown
    assert "s to bid" in shown
    assert "bidding" in shown
    assert "bids most" in shown


def test_it_is_rated_on_a_ladder(environment: dict[str, str], tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", {"low": tiny("first"), "high": tiny("last"), "also low": tiny("first")})
    at = ("--home", str(home.path))
    said = bullring(environment, "ladder", "run", "--game", "toy", "--seats", "3", "--matches", "3", *at)
    assert "Toy, three at a table" in said
    table = json.loads(bullring(environment, "ladder", "table", "--format", "json", *at))
    assert [row["matches"] for row in table["rows"]] == [3, 3, 3]
    assert "3 matches from 3 records" in bullring(environment, "ladder", "rebuild", *at)


def test_documents_and_lists_tell_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "toy", Toy)
    run = CliRunner(env={"COLUMNS": "80", "LANG": "C"})
    rules = run.invoke(program, ["rules", "toy"]).output
    assert rules.startswith("Toy - toy\n")
    assert "From 2 to 5." in rules
    assert "Nobody's rulebook." in rules
    assert "Wer wenig bietet" in run.invoke(program, ["rules", "toy", "--lang", "de"]).output
    assert "toy" in run.invoke(program, ["games"]).output
    assert "| `toy` | 2 to 5 | `bid` | The highest bid loses. |" in games.games()
    assert "| `bid` | `toy` | all seats at the same time |" in games.decisions()
    assert "| `bid` | `toy` | The lowest card. |" in games.fallbacks()
    assert "**`bids`** (`toy`): All bids are shown." in games.events()
    assert "| `gone` | `toy` | lists of cards |" in games.views()
    assert "### The rules of `toy`\n\nToy. Source: nobody's rulebook.\n\nAll bid a card at once" in games.rules()
    assert "| `toy` | for each turn `bids` |" in games.courses()
    assert "| `deals` | `toy` | a whole number from 1 to 9 |" in games.options()
    assert "| `toy` | 1..20 | 3n for n seats |" in games.decks()

"""Bots made from all kits on one ladder."""

import json
from pathlib import Path

import pytest

from bullring.arena.cells.kits.kit import kits
from tests.kits import workshop
from tests.support.command import bullring
from tests.support.tiers import need


def run(*arguments: str | Path) -> str:
    done = bullring(*map(str, arguments))
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.skipif(not workshop.ALL, reason="`make kits` plays it")
def test_all_kits_play_on_one_ladder_without_a_fault(shared: Path, tmp_path: Path) -> None:
    need("bwrap")
    home = tmp_path / "home"
    run("ladder", "init", home, "--time", "30s")
    for declared in kits().values():
        workshop.need(declared)
        run("ladder", "add", workshop.made(declared, shared), "--home", home)
    wish = ("--matches", str(5 * len(kits())), "--seats", "4", "--sandbox", "bwrap")
    told = run("ladder", "run", "--home", home, *wish)
    rows = json.loads(run("ladder", "table", "--home", home, "--format", "json"))["rows"]
    assert {row["bot"] for row in rows} == {f"my-{language}" for language in kits()}
    wrong = [row["bot"] for row in rows if row["faults"] or not row["matches"]]
    logs = [run("bots", "log", bot, "--last", "3", "--home", home) for bot in wrong]
    assert wrong == [], "\n".join([told[-3000:], *logs])

"""`bullring cache`, and how the commands share what was built."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.test_builds import folder as folder
from tests.support.command import here


def kept() -> list[tuple[str, str]]:
    """The kinds and folders of what is kept."""
    return sorted((one["kind"], one["folder"]) for one in json.loads(here("cache", "--json").stdout)["kept"])


def test_what_was_checked_is_submitted_without_a_build(folder: Path, tmp_path: Path) -> None:
    text = (folder / "bot.toml").read_text()
    (folder / "bot.toml").write_text(text.replace("cp source", "touch ~/x; cp source"))
    assert here("match", str(folder), "@random", "--deals", "1", "--sandbox", "bwrap").exit_code == 0
    for name in ("home", "another"):
        home = str(tmp_path / name)
        here("ladder", "init", home)
        done = here("submit", str(folder), "--name", "mine", "--home", home, "--sandbox", "bwrap", "--json")
        assert done.exit_code == 0, done.stderr
        (build,) = (step for step in json.loads(done.stdout)["steps"] if step["step"] == "build")
        assert build["cached"]
        assert build["warm"] is False
    assert kept() == [("build", str(folder)), ("stock", str(folder))]


def test_the_list_is_harmless_and_clear_removes_what_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert here("match", str(folder), "@random", "--deals", "1", "--sandbox", "bwrap").exit_code == 0
    listed = here("cache").stdout
    assert "made \\x1b[2J" in listed
    assert "of at most 4.3 GB in" in listed
    refused = here("cache", "clear", "nobody")
    assert refused.exit_code != 0
    assert "nothing is kept of nobody" in refused.stderr
    assert ("build", str(folder)) in kept()
    monkeypatch.chdir(folder.parent)
    assert here("cache", "clear", os.fspath(folder.name)).stdout.startswith("removed ")
    assert ("build", str(folder)) not in kept()
    assert here("cache", "clear").exit_code == 0
    assert kept() == []

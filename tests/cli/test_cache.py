"""`bullring cache`, and how the commands share what was built."""

import json
import os
import tarfile
from pathlib import Path

import pytest

from tests.cli.test_builds import folder as folder
from tests.support.command import here


def kept(folder: Path) -> list[str]:
    """The kinds of what is kept of the bot in a folder."""
    return sorted(
        one["kind"] for one in json.loads(here("cache", "--json").stdout)["kept"] if one["folder"] == str(folder)
    )


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
    assert kept(folder) == ["build", "stock"]


def test_a_check_goes_on_from_what_the_last_one_left_and_one_of_an_archive_does_not(folder: Path) -> None:
    text = (folder / "bot.toml").read_text()
    (folder / "bot.toml").write_text(
        text.replace("made \\u001b[2J", "mine").replace("cp source", "test -e ~/x && touch warm; touch ~/x; cp source")
    )
    archive = folder.parent / "bot.tar"

    def warm(bot: Path) -> bool:
        (folder / "changed").write_text(os.urandom(8).hex())
        with tarfile.open(archive, "w") as packed:
            packed.add(folder, "bot")
        done = here("check", str(bot), "--game", "standard", "--sandbox", "bwrap")
        assert "PASS    builds" in done.output
        shelves = (folder.parent / "cache/bullring/builds").iterdir()
        newest = max(shelves, key=lambda shelf: (shelf / "built.json").stat().st_mtime_ns)
        return (newest / "bot/warm").exists()

    assert [warm(folder), warm(folder), warm(archive)] == [False, True, False]


def test_the_list_is_harmless_and_clear_removes_what_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert here("match", str(folder), "@random", "--deals", "1", "--sandbox", "bwrap").exit_code == 0
    listed = here("cache").stdout
    assert "made \\x1b[2J" in listed
    assert "of at most 4.3 GB in" in listed
    refused = here("cache", "clear", "nobody")
    assert refused.exit_code != 0
    assert "nothing is kept of nobody" in refused.stderr
    assert kept(folder) == ["build"]
    monkeypatch.chdir(folder.parent)
    assert here("cache", "clear", os.fspath(folder.name)).stdout.startswith("removed ")
    assert kept(folder) == []
    assert json.loads(here("cache", "--json").stdout)["kept"]
    assert here("cache", "clear").exit_code == 0
    assert json.loads(here("cache", "--json").stdout)["kept"] == []


def test_what_a_home_built_is_known_by_the_author_s_folder(folder: Path, tmp_path: Path) -> None:
    here("ladder", "init", str(tmp_path / "home"))
    added = here("ladder", "add", str(folder), "--name", "mine", "--home", str(tmp_path / "home"), "--sandbox", "bwrap")
    assert added.exit_code == 0, added.stderr
    assert kept(folder) == ["build"]
    assert here("cache", "clear", str(folder)).exit_code == 0
    assert kept(folder) == []

"""Strangers' folders on their way into a home."""

import json
import os
from pathlib import Path

import pytest

from bullring.errors import BotError
from bullring.ladder.keeping.home import Home

MANIFEST = 'name = "bot"\nrun = ["{python}", "bot.py"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    folder.mkdir(mode=0o700)
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text("")
    return folder


def adopted(tmp_path: Path, folder: Path) -> Path:
    home = Home.create(tmp_path / "home", ())
    return home.adopt(str(folder), None, []).program.folder


def test_of_a_mode_only_whether_it_is_a_program_is_kept(tmp_path: Path, folder: Path) -> None:
    tool = folder / "tool"
    tool.write_text("")
    tool.chmod(0o6755)
    (folder / "bot.py").chmod(0o600)
    copy = adopted(tmp_path, folder)
    assert (copy / "tool").stat().st_mode & 0o7777 == 0o755
    assert (copy / "bot.py").stat().st_mode & 0o7777 == 0o644
    assert copy.stat().st_mode & 0o7777 == 0o755


@pytest.mark.parametrize("target", ["/etc/hostname", "../../secret", "../bot2/x"])
def test_links_that_lead_out_are_refused(target: str, tmp_path: Path, folder: Path) -> None:
    (folder / "link").symlink_to(target)
    with pytest.raises(BotError, match="leads out of the bot's folder"):
        adopted(tmp_path, folder)
    assert not any((tmp_path / "home" / "bots").iterdir())


def test_links_inside_are_kept(tmp_path: Path, folder: Path) -> None:
    (folder / "link.py").symlink_to("bot.py")
    assert (adopted(tmp_path, folder) / "link.py").readlink() == Path("bot.py")


def test_what_is_neither_file_nor_folder_is_refused(tmp_path: Path, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(BotError, match="neither a file nor a folder"):
        adopted(tmp_path, folder)


def test_a_manifest_that_never_ends_is_refused(tmp_path: Path, folder: Path) -> None:
    (folder / "bot.toml").unlink()
    os.mkfifo(folder / "bot.toml")
    with pytest.raises(BotError, match="is not a file of at most 65536 bytes"):
        adopted(tmp_path, folder)


def test_no_file_in_a_folder_is_taken_for_one_of_the_arena_s_own(tmp_path: Path, folder: Path) -> None:
    facts = {"name": "evil", "command": ["sh"], "folder": "/", "reads": ["/"], "caps": {"memory": 1 << 40}}
    (folder / "command.json").write_text(json.dumps(facts))
    home = Home.create(tmp_path / "home", ())
    home.adopt(str(folder), None, [])
    bot = home.bot("bot")
    assert bot.program.command == ("{python}", "bot.py")
    assert bot.program.folder == home.bots / "bot"
    assert bot.program.reads == ()

"""New bots from a kit."""

import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from bullring.arena.cells.bots.load import load
from bullring.arena.cells.kits.kit import Declared, find, read_kit
from bullring.arena.cells.kits.new_bot import make
from bullring.errors import BotError

KIT = """
title = "Esperanto \\"2\\""
dialect = "frames"
strategy = "bot.eo"
fetch = ["eo", "get"]
build = ["eo", "build"]
run = ["{python}", "-c", "pass # ü"]
test = ["{python}", "-m", "a test"]
vectors = true
ignore = ["out/"]
[[needs]]
program = "eo"
version = ["eo", "--version"]
elsewhere = "https://esperanto.example"
[limits]
processes = 100
"""


@pytest.fixture
def kit(tmp_path: Path) -> Declared:
    folder = tmp_path / "kits" / "esperanto"
    for name in ("bot.eo", "out/built", "__pycache__/cached", "parts/more.eo", ".eo/settings"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (folder / "kit.toml").write_text(KIT)
    return read_kit(folder)


def test_a_new_bot_holds_the_kit_and_what_is_made_of_its_declaration(kit: Declared, tmp_path: Path) -> None:
    bot = tmp_path / "my-bot"
    make(kit, bot)
    files = {str(path.relative_to(bot)) for path in bot.rglob("*") if path.is_file() and "vectors" not in path.parts}
    assert files == {"bot.eo", "parts/more.eo", ".eo/settings", "bot.toml", "README.md", ".bullringignore"}
    assert (bot / "vectors" / "from-referee" / "welcome.json").is_file()
    assert (bot / ".bullringignore").read_text() == ".git/\nout/\nvectors/\n"
    manifest = tomllib.loads((bot / "bot.toml").read_text("utf-8"))
    assert manifest == {
        "name": "my-bot",
        "language": 'Esperanto "2"',
        "build": ["eo", "build"],
        "run": ["{python}", "-c", "pass # ü"],
        "limits": {"processes": 100},
    }


def test_the_readme_names_the_strategy_and_its_commands(kit: Declared, tmp_path: Path) -> None:
    make(kit, tmp_path / "my-bot")
    text = (tmp_path / "my-bot" / "README.md").read_text()
    assert "[bot.eo](bot.eo)" in text
    assert "`eo get`" in text
    commands = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
    assert commands == [
        shlex.join([sys.executable, "-m", "a test"]),
        "bullring dev .",
        "bullring check .",
        "bullring match . @greedy --watch",
        "bullring submit . --home LADDER",
    ]


def test_what_is_there_already_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    with pytest.raises(BotError, match="exists already; choose another name"):
        make(find("python"), mine)
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(BotError, match="exists already"):
        make(find("python"), tmp_path / "link")
    assert not list(mine.iterdir())


@pytest.mark.parametrize("name", ["..", "-x", ".hidden", "a\nb", "x" * 65, "näme", "a b", "\x1b[31m"])
def test_a_name_that_is_not_safe_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BotError, match="cannot be the name of a bot's folder"):
        make(find("python"), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_the_folder_above_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="is not a folder; make it first"):
        make(find("python"), tmp_path / "no" / "bot")


def test_a_kit_is_found_by_folder_or_title_and_others_are_suggested() -> None:
    assert find("Python") is find("python")
    with pytest.raises(BotError, match=r"no kit for 'pyton' \(did you mean 'python'\?\).*adding-a-language"):
        find("pyton")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("strategy", "stratgy"), "unknown key 'stratgy'"),
        (('"frames"', '"xml"'), "dialect: must be 'json', 'msgpack' or 'frames'"),
        (('run = ["{python}", "-c", "pass # ü"]', "run = []"), "run: must not be empty"),
    ],
)
def test_mistakes_in_a_declaration_are_named(kit: Declared, change: tuple[str, str], says: str) -> None:
    (kit.folder / "kit.toml").write_text(KIT.replace(*change))
    with pytest.raises(BotError, match=says):
        read_kit(kit.folder)


def test_the_python_kit_makes_a_bot_that_loads(tmp_path: Path) -> None:
    make(find("python"), tmp_path / "mine")
    assert load(str(tmp_path / "mine")).name == "mine"

"""The files that belong to a bot, and those that its ignore file leaves out."""

from pathlib import Path

import pytest

from bullring.arena.cells.bots import builtin
from bullring.arena.cells.bots.snapshot import IGNORE, LeftOut, hash_of, take
from bullring.arena.cells.files.walk import Bounds
from bullring.errors import BotError

MANIFEST = 'name = "bot"\nrun = ["{python}", "bot.py"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    fill(folder, {"bot.toml": MANIFEST, "bot.py": "play"})
    return folder


def fill(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def taken(folder: Path) -> set[str]:
    """The files of a snapshot, and that its hash is the one that is foretold."""
    target = folder.parent / "snapshot"
    target.mkdir()
    assert take(folder, target, Bounds()).hash == hash_of(folder, Bounds())
    return {str(path.relative_to(target)) for path in target.rglob("*") if not path.is_dir()}


def test_by_default_what_tools_leave_behind_is_left_out(folder: Path) -> None:
    fill(
        folder,
        {".git/config": "", "lib/__pycache__/a.pyc": "", "lib/a.py": "", "target/bot": "", "node_modules/x.js": ""},
    )
    assert taken(folder) == {"bot.toml", "bot.py", "lib/a.py"}


FOREIGN = {".venv/pyvenv.cfg": "", ".git/config": "", "node_modules/x/x.js": "", "target/x": ""}


def test_environments_and_repositories_are_left_out_whatever_an_ignore_file_says_of_others(folder: Path) -> None:
    fill(folder, {IGNORE: "*.log\n", "a.log": "", **FOREIGN})
    (folder / ".venv" / "bin").symlink_to("/usr/bin")  # leads out, as in every environment
    assert taken(folder) == {"bot.toml", "bot.py", IGNORE}


@pytest.mark.parametrize("file", FOREIGN)
def test_an_ignore_file_may_bring_each_of_them_back(folder: Path, file: str) -> None:
    fill(folder, {IGNORE: f"!{file.partition('/')[0]}/\n", **FOREIGN})
    assert taken(folder) == {"bot.toml", "bot.py", IGNORE, file}


def test_packages_that_are_brought_are_taken_whole(folder: Path) -> None:
    brought = {".packages/x/node_modules/a.js": "", "vendor/x/target/a.rs": "", "vendor/x/b.rs~": ""}
    fill(folder, brought)
    assert taken(folder) == {"bot.toml", "bot.py", *brought}


def test_what_the_build_makes_is_left_out_where_there_is_a_build(folder: Path) -> None:
    fill(folder, {"bot.toml": MANIFEST + 'build = ["cargo", "build"]', "target/release/bot": "", "src/main.rs": ""})
    assert taken(folder) == {"bot.toml", "bot.py", "src/main.rs"}


def test_what_run_names_belongs_to_the_bot(folder: Path) -> None:
    fill(folder, {"bot.toml": 'name = "bot"\nrun = ["target/bot"]\n', "target/bot": "", "node_modules/x.js": ""})
    assert taken(folder) == {"bot.toml", "bot.py", "target/bot"}


def test_an_environment_that_run_names_belongs_to_the_bot(folder: Path) -> None:
    fill(folder, {"bot.toml": 'name = "bot"\nrun = ["./.venv/bin/bot"]\n', ".venv/bin/bot": "", ".venv/lib": ""})
    assert taken(folder) == {"bot.toml", "bot.py", ".venv/bin/bot", ".venv/lib"}


def test_an_ignore_file_takes_the_place_of_the_defaults_but_never_leaves_out_the_manifest(folder: Path) -> None:
    fill(folder, {IGNORE: "*\n!lib/a.py\n", ".git/config": "", "lib/a.py": "", "lib/b.py": ""})
    assert taken(folder) == {IGNORE, "bot.toml", "lib/a.py"}


def test_what_patterns_bring_back_from_any_folder_brings_back_nothing_else(folder: Path) -> None:
    fill(folder, {IGNORE: "*\n!**/*.py\n", "key": "secret", "lib/a.py": "", "lib/key": "secret"})
    assert taken(folder) == {IGNORE, "bot.toml", "bot.py", "lib/a.py"}


def test_what_is_left_out_of_a_folder_does_not_count(folder: Path) -> None:
    fill(folder, {IGNORE: "games/*.json"} | {f"games/{number}.json": "" for number in range(50)})
    assert hash_of(folder, Bounds(files=4))


def test_what_is_left_out_is_listed_with_its_size(folder: Path, tmp_path: Path) -> None:
    fill(folder, {IGNORE: "big\n**/*.log", "big/deep/a": "x" * 100, "big/b": "y" * 10, "lib/new\nline.log": "z"})
    target = tmp_path / "snapshot"
    target.mkdir()
    found = take(folder, target, Bounds(size=1000, files=6))
    assert found.left_out == (LeftOut("big/", 110, 2), LeftOut("lib/new\nline.log", 1, 1))
    assert not found.by_default


def test_what_is_too_large_names_the_ignore_file(folder: Path) -> None:
    with pytest.raises(BotError, match=r"more than 1 files and folders.*or list it in \.bullringignore"):
        hash_of(folder, Bounds(files=1))


def test_an_ignore_file_has_bounds(folder: Path) -> None:
    fill(folder, {IGNORE: "x\n" * 201})
    with pytest.raises(BotError, match=r"the \.bullringignore has more than 200 patterns"):
        hash_of(folder, Bounds())
    fill(folder, {IGNORE: "x" * 70_000})
    with pytest.raises(BotError, match="more than 65536 bytes"):
        hash_of(folder, Bounds())


def test_links_of_a_built_in_bot_count_as_what_they_lead_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(
        tmp_path, {"sample_bots/python/bot/bot.toml": MANIFEST, "sample_bots/python/bot/bot.py": "", "arena/a.py": "a"}
    )
    (tmp_path / "sample_bots/python/bot/shared").symlink_to("../../../arena")
    monkeypatch.setattr(builtin, "FOLDER", tmp_path)
    assert taken(tmp_path / "sample_bots/python/bot") == {"bot.toml", "bot.py", "shared/a.py"}


def test_links_of_other_bots_may_not_lead_out_of_the_folder(folder: Path) -> None:
    fill(folder.parent, {"arena/a.py": "a"})
    (folder / "shared").symlink_to("../arena")
    with pytest.raises(BotError, match="shared"):
        taken(folder)

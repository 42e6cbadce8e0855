"""Bots as users name them, before anything is started."""

from pathlib import Path

import pytest

from bullring.arena.cells.bots import builtin
from bullring.arena.cells.bots.bot import Bot, told_apart
from bullring.arena.cells.bots.load import folder_of, load
from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.sandbox.program import PYTHON
from bullring.errors import BotError


def folder(path: Path, text: str) -> Path:
    path.mkdir()
    (path / "bot.toml").write_text(text)
    (path / "bot.py").write_text("")
    return path


def test_a_folder_by_its_path_or_by_its_manifest(tmp_path: Path) -> None:
    mine = folder(tmp_path / "mine", 'name = "my bot"\nrun = ["{python}", "bot.py"]\n[limits]\nmemory_mib = 300\n')
    bot = load(str(mine))
    assert bot == load(str(mine / "bot.toml"))
    assert (bot.name, bot.program.command, bot.program.folder) == ("my bot", (PYTHON, "bot.py"), mine)
    assert bot.asks == {"memory": 300 * MIB}
    assert bot.restart == "never"


def test_every_built_in_bot_loads_by_its_name() -> None:
    assert {"greedy", "greedy-js", "montecarlo", "random"} <= set(builtin.names())
    for name in builtin.names():
        assert folder_of(f"@{name}") == builtin.folder(name)
        assert builtin.manifest(name).about
    with pytest.raises(
        BotError, match=r"there is no built-in bot @greddy; there are: @.*@greedy, .*bullring bots --builtin"
    ):
        load("@greddy")


def test_built_in_bots_are_rated_against_greedy() -> None:
    tables = builtin.rated_tables()
    assert (tables[0]["game"], tables[0]["seats"]) == ("standard", 4)
    for table in tables:
        assert table["command"].startswith("python sample_bots/rate.py --game")
        assert set(table["bots"]) <= set(builtin.names())
    greedy, random = builtin.rating("greedy"), builtin.rating("random")
    assert greedy
    assert random
    assert (greedy.elo, greedy.error) == (1500, 0)
    assert random.elo < 1500
    assert builtin.rating("stranger") is None


def test_a_command_line_sees_the_files_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "there" / "bot.py"
    program.parent.mkdir()
    program.write_text("")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    bot = load("python3 ../there/bot.py --fast")
    assert bot.program.command == ("python3", str(program), "--fast")
    assert bot.program.folder == tmp_path / "here"
    assert set(bot.program.reads) == {program, program.parent}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not an empty string"),
        ("python3 'bot.py", "is not a command line: No closing quotation"),
        ("no/such/folder", "there is no such folder or program"),
        ("no-such-program x", "no-such-program"),
    ],
)
def test_what_is_no_bot_is_said(text: str, says: str) -> None:
    with pytest.raises(BotError, match=says):
        load(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("greedy", r"did you mean @greedy\?"),
        ("my-bott", r"did you mean my-bot\?"),
        ("sub/my-bott", r"did you mean sub/my-bot\?"),
        ("nothing-like-it", "a bot is @NAME"),
        ("no/such/folder", "a bot is @NAME"),
    ],
)
def test_the_bot_that_may_be_meant_is_named(
    text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (tmp_path / "my-bot", tmp_path / "sub" / "my-bot"):
        folder.mkdir(parents=True)
        (folder / "bot.toml").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BotError, match=says):
        load(text)


def test_bots_of_one_name_are_told_apart() -> None:
    def named(*names: str) -> list[str]:
        some = load("@random")
        return [bot.name for bot in told_apart([Bot(name, some.program) for name in names])]

    assert named("a", "b") == ["a", "b"]
    assert named("a", "b", "a") == ["a #1", "b", "a #2"]

"""The command itself: what it lists, completes and prints without playing anything."""

import gc
import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.display.wire import DIALECTS
from bullring.cli.program import Commands, program
from bullring.cli.support.docs import topics
from tests.ladder.homes import four, listed
from tests.support.command import BULLRING, here
from tests.support.patience import PATIENCE


def groups() -> list[Commands]:
    """The command and those of its commands that have commands."""
    found = [program.get_command(click.Context(program), name) for name in program.helps]
    return [program, *(command for command in found if isinstance(command, Commands))]


@pytest.mark.parametrize("group", groups(), ids=lambda group: group.name)
def test_the_list_of_commands_says_what_their_help_says(group: Commands) -> None:
    for name, text in group.helps.items():
        command = group.get_command(click.Context(group), name)
        assert command is not None
        assert command.name == name
        first = " ".join((command.help or "").partition("\n\n")[0].split())
        assert first == text


def test_the_list_has_every_command_once() -> None:
    for group in groups():
        words = [line.split()[0] for line in group.get_help(click.Context(group)).splitlines() if line.strip()]
        assert all(words.count(name) == 1 for name in group.helps)


def test_alone_it_names_three_commands_to_begin_with() -> None:
    done = here()
    assert done.exit_code == 2
    named = [line.split() for line in done.stderr.splitlines() if line.startswith("  bullring ")]
    assert len(named) == 3
    assert all(words[1] in program.helps for words in named)


def test_garbage_is_collected_from_when_a_command_runs() -> None:
    """Not before: what is imported is no garbage."""
    context = click.Context(program)
    gc.disable()
    try:
        completion = program.get_command(context, "completion")
        assert completion is not None
        assert not gc.isenabled()
        context.invoke(completion, shell="bash")
        assert gc.isenabled()
    finally:
        gc.enable()
        gc.unfreeze()


def test_the_dialects_of_replay_are_those_that_it_prints() -> None:
    """They are named twice, because the wire takes time to import."""
    command = program.get_command(click.Context(program), "replay")
    assert command is not None
    dialect = next(param.type for param in command.params if param.name == "dialect")
    assert isinstance(dialect, click.Choice)
    assert list(dialect.choices) == list(DIALECTS)


def offered(*words: str) -> dict[str, str | None]:
    """The completions of the last of these words, with their descriptions."""
    found = ShellComplete(program, {}, "bullring", "_BULLRING_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return {item.value: item.help for item in found}


def completed(*words: str) -> set[str]:
    """The completions of the last of these words."""
    return set(offered(*words))


def test_games_and_bots_complete_as_values(tmp_path: Path) -> None:
    assert completed("rules", "nif") == {"nifty"}
    assert completed("match", "--game", "") >= set(GAMES)
    assert completed("match", "@g") == {"@greedy", "@greedy-js"}
    assert completed("duel", "@greedy", "@ran") == {"@random"}
    assert offered("match", "@greedy")["@greedy"] == "rated 1500"
    assert completed("ladder", "in") == {"init"}
    assert completed("docs", "sp") == {"spec"}
    assert "--watch" in completed("match", "--w")
    home = four(tmp_path / "home")
    names = set(listed(home))
    assert completed("bots", "remove", "--home", str(home.path), "") == names


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_its_completion(shell: str) -> None:
    done = here("completion", shell)
    assert done.exit_code == 0
    assert "_BULLRING_COMPLETE" in done.output


@pytest.mark.parametrize(
    ("line", "words", "offered"),
    [
        ("bullring match @greedy @rand", "bullring match @ greedy @ rand", "random"),
        ("bullring match --game=nif", "bullring match --game = nif", "nifty"),
        ("bullring duel --pool=@rand", "bullring duel --pool =@ rand", "random"),
    ],
)
def test_bash_completes_what_it_splits(line: str, words: str, offered: str) -> None:
    split = words.split()
    called = (
        f"COMP_LINE='{line}' COMP_WORDS=({words}) COMP_CWORD={len(split) - 1}\n"
        f"_bullring_completion_joined {BULLRING} {split[-1]} {split[-2]}\n"
        'echo "${COMPREPLY[@]}"'
    )
    script = here("completion", "bash").output + called
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout.split() == [offered], done.stderr


def test_the_documents() -> None:
    listed = here("docs")
    assert {line.split()[0] for line in listed.output.splitlines()} == set(topics())
    assert here("docs", "spec").output.startswith("# ")
    assert here("docs", "samples").output.startswith("# Sample bots\n")
    assert here("docs", "security").output.startswith("# Security\n")
    assert Path(here("docs", "sandbox", "--path").output.strip()).is_file()
    done = here("docs", "specs")
    assert done.exit_code == 2
    assert "there is no document 'specs'" in done.stderr
    assert "spec, " in done.stderr


def test_messages_point_at_documents_that_are_there() -> None:
    """A message that says `bullring docs X` names a document of the installation."""
    root = Path(__file__).parents[2]
    for folder in ("arena", "ladder", "protocol", "src/bullring/cli", "src/bullring/api"):
        for file in (root / folder).rglob("*.py"):
            for word in file.read_text("utf-8").split("bullring docs ")[1:]:
                assert word.split()[0].strip("`.,;:)\"'") in {*topics(), "spec|sandbox|..."}, file


def test_the_built_in_bots() -> None:
    bots = {row["bot"]: row for row in json.loads(here("bots", "--builtin", "--json").output)}
    assert {"@greedy", "@random", "@montecarlo", "@greedy-js"} <= set(bots)
    assert all(Path(row["folder"], "bot.toml").is_file() and row["about"] for row in bots.values())
    shown = here("bots", "--builtin").output
    assert all(name in shown for name in bots)
    assert shown.index("@quick ") < shown.index("@greedy ") < shown.index("@random ")


DRAWING = {"rich"}
REFEREE = {"trio", "msgpack"}
MODELS = {"pydantic"}
HEAVY = {
    "asyncio",
    "cryptography",
    "dask",
    "docker",
    "matplotlib",
    "numba",
    "numpy",
    "plotext",
    "pyarrow",
    "sqlite3",
    "textual",
}


def imported(code: str, among: set[str]) -> set[str]:
    """The modules among these that are imported when a process of its own runs this code."""
    told = f"import sys\ntry:\n    {code}\nfinally:\n    print('imported:', *({among!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", told], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    return set(done.stdout.rpartition("imported:")[2].split())


UNCONFINED = ("--sandbox", "none", "--allow-unsandboxed")


def command(*line: str) -> str:
    """Code that runs a command."""
    return f"from bullring.cli.program import program; program.main({[*line]})"


@pytest.mark.parametrize(
    ("code", "needed"),
    [
        pytest.param(command("--help"), set(), id="help"),
        pytest.param(command("--version"), set(), id="version"),
        pytest.param(command("ladder", "--help"), set(), id="ladder"),
        pytest.param(command("games"), DRAWING, id="games"),
        pytest.param(command("rules", "standard"), DRAWING, id="rules"),
        pytest.param(command("match", "@random", "@random", *UNCONFINED), DRAWING | REFEREE, id="match"),
        pytest.param("import bullring.ladder.run.workers.worker", REFEREE, id="referee process"),
    ],
)
def test_nothing_heavy_is_imported_that_is_not_needed(code: str, needed: set[str]) -> None:
    """Imports are most of what a short command costs; `python -m bench.commands` says how much."""
    assert imported(code, HEAVY | DRAWING | REFEREE | MODELS) <= needed


def test_no_help_imports_what_only_running_needs() -> None:
    """Neither packages nor rooms: what a command needs to run is imported in the block of `bullring.cli.late`."""
    listing = """
import sys, click
from bullring.cli.program import Commands, program
def helps(group):
    for name in group.helps:
        command = group.get_command(click.Context(group), name)
        command.get_help(click.Context(command))
        if isinstance(command, Commands):
            helps(command)
helps(program)
print(*sys.modules)
"""
    modules = set(
        subprocess.run(
            [sys.executable, "-P", "-c", listing], capture_output=True, text=True, timeout=PATIENCE, check=True
        ).stdout.split()
    )
    assert not modules & (HEAVY | DRAWING | REFEREE | MODELS)
    rooms = (
        "bullring.arena.match.",
        "bullring.ladder.store.",
        "bullring.ladder.run.",
        "bullring.arena.watching.display.",
    )
    assert not [name for name in modules if name.startswith(rooms)]


def test_only_the_game_that_is_played_is_imported() -> None:
    games = {f"bullring.arena.games.rules.variants.{name}" for name in GAMES}
    assert imported("import bullring; bullring.new_game('tournament')", games) == {
        "bullring.arena.games.rules.variants.tournament"
    }

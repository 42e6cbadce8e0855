"""`bullring play`: what it refuses, playing in lines of text, and a whole evening on a terminal."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bullring.arena.watching.people.opponents import built_in
from bullring.arena.watching.people.unfinished import left
from bullring.ladder.standings.opponents import opponents
from bullring.ladder.store.add import add
from bullring.ladder.store.home import Home
from tests.support.command import BULLRING, bullring, here
from tests.support.patience import PATIENCE
from tests.support.terminal import terminal

UNSANDBOXED = ("--sandbox", "none", "--allow-unsandboxed")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("BULLRING_HOME", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("Ann", "@gone"), "no built-in bot @gone"),
        (("Ann", "greedy"), "the built-in bot is @greedy"),
        (("Ann", "./gone"), "no such folder or program"),
        (("Ann", "--game", "tournament", "--seats", "6"), "tournament is for 2 to 5 seats, not 6"),
        (("Ann", "--game", "nope"), "no game 'nope'"),
        (("Ann", "--option", "colour=red"), "no option 'colour'"),
        (("Ann", "--deals", "0"), "option deals must be"),
        (("Ann", "--game", "logic", "--tactics"), "logic has no tactics"),
        (("Ann", "--time", "soon"), "--time"),
        (("Ann", "--time", "0.1s"), "1s to 1h"),
        (("Ann", "--fall-back"), "set a time"),
        (("Ann", "Ann"), "two people are called 'Ann'"),
        (("Ann", "--home", "nowhere"), "nowhere is not a home"),
        (("--resume",), "no match was left"),
        (("--resume", "gone.jsonl"), "is not the record of a match that was left"),
        (("Ann", "--resume"), "leave out all names"),
        (("--stats",), "there is no finished match here yet"),
        (("--stats", "Ann"), "no finished match of Ann here yet"),
        (("Ann",), "add --plain"),
        ((), "add --plain"),
        (("Ann", "--json"), "--json goes with"),
    ],
)
def test_a_mistake_is_told_in_a_line_and_nothing_is_begun(
    arguments: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    result = here("play", *arguments)
    assert result.exit_code == 2
    lines = result.output.strip().splitlines()
    assert told in lines[-1]
    assert not (tmp_path / "data").exists()


def test_the_list_has_built_in_bots_with_a_description_each() -> None:
    found = json.loads(here("play", "--list", "--json").output)
    assert [one["bot"] for one in found] == [one.bot for one in built_in()]
    assert all(one["about"] and one["language"] for one in found)
    assert "@greedy" in here("play", "--list").output


def test_bots_of_a_ladder_can_be_chosen(tmp_path: Path) -> None:
    home = Home.create(tmp_path / "home", ())
    store = home.store()
    add(home, store, "@random", "rival")
    store.close()
    (found,) = opponents(home)
    assert (found.name, found.source, found.language, found.lacks) == ("rival", "ladder", "Python", "")
    assert Path(found.bot).is_dir()
    result = here("play", "Ann", "@rival", "--home", str(tmp_path / "home"))
    assert "add --plain" in result.output  # it was found


def played(*arguments: str, leave_after: int | None = None) -> tuple[str, int]:
    """Play in lines of text, always the first card of the hand, and the first row. Returns what was told, and the exit code."""
    command = [str(BULLRING), "play", *arguments, "--plain", *UNSANDBOXED]
    told = ""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "COLUMNS": "200"}
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers = 0
        while data := os.read(process.stdout.fileno(), 65536):
            told += data.decode()
            if told.endswith("> "):
                answers += 1
                hand = "1" if told.endswith("row> ") else re.findall(r"hand: (\d+)", told)[-1]
                typed = "q" if leave_after == answers else "nonsense" if answers == 1 else hand
                process.stdin.write(f"{typed}\n".encode())
                process.stdin.flush()
        return told, process.wait(PATIENCE)


@pytest.mark.slow
def test_a_match_is_played_in_lines_left_and_gone_on_with() -> None:
    told, code = played("Ann", "@random", "--deals", "1", "--teach", leave_after=4)
    assert code == 0
    assert "'nonsense' is not possible" in told
    assert "Why: " in told
    told, code = played("--resume")
    assert code == 0
    assert re.search(r"^1\. (Ann|random): \d+ heads?$", told, re.MULTILINE)
    record = re.search(r"bullring replay (\S+)", told)
    assert record is not None
    assert bullring("verify", record[1]).returncode == 0
    found = json.loads(here("play", "--stats", "Ann", "--json").output)
    assert [one["matches"] for one in found] == [1]
    assert re.match(r"Ann\n", here("play", "--stats").output)


RIGHT = "\x1b[C"
"""The key that moves the cursor: after it, Enter is not taken for the end of a movement that somebody was looking at."""


def asked(turn: int) -> Callable[[str], bool]:
    """Whether Ann is asked for a card of this turn."""
    return lambda text: bool(re.search(rf"turn {turn}\b", text)) and "Choose a card" in text


def test_a_terminal_that_knows_only_lines_is_played_on_in_lines(tmp_path: Path) -> None:
    environment = {"XDG_DATA_HOME": str(tmp_path), "TERM": "dumb"}
    with terminal(
        str(BULLRING), "play", "Ann", "@random", *UNSANDBOXED, columns=100, lines=60, env=environment
    ) as screen:
        screen.until("Your hand:")
        screen.press("q\r")
        assert screen.wait() == 0
        assert "--resume" in screen.text


@pytest.mark.slow
def test_in_lines_a_choice_is_held_taken_back_by_another_and_sent_by_enter(tmp_path: Path) -> None:
    environment = {"XDG_DATA_HOME": str(tmp_path), "TERM": "dumb"}
    with terminal(
        str(BULLRING),
        "play",
        "Ann",
        "@random",
        "--send",
        "confirmed",
        *UNSANDBOXED,
        columns=100,
        lines=60,
        env=environment,
    ) as screen:
        first, second = re.findall(r"(\d+)[ ,]", screen.until("play>").partition("Your hand:")[2])[:2]
        screen.press(f"{first}\r")
        screen.until(f"{first}: Enter sends it")
        screen.press(f"{second}\r")
        screen.until(f"{second}: Enter sends it")
        screen.press("\r")
        screen.until(f"you {second}")
        screen.press("q\r")
        assert screen.wait() == 0


@pytest.mark.slow
def test_an_evening_on_a_terminal(tmp_path: Path) -> None:
    """From the shell to the result and to the next deal by keys; leaving says how to go on."""
    command = (str(BULLRING), "play", "Ann", "@greedy", "@random", "@greedy", "--pace", "0", "--send", "at-once")
    with terminal(*command, *UNSANDBOXED, columns=100, lines=30) as screen:
        for turn in range(1, 11):
            screen.until(asked(turn))
            screen.press(f"{RIGHT}\r")
        screen.until("Enter: the result")
        screen.press("\r")
        assert "greedy #2" in screen.until("change the table")
        screen.press("a")
        screen.until(asked(1))
        screen.press("q")
        told = screen.until("bullring play --resume")
        assert "record: " in told
        assert screen.wait() == 0, screen.text
    (one,) = left()
    assert [chair.name or chair.bot for chair in one.sitting.chairs] == ["Ann", "@greedy", "@random", "@greedy"]

"""A run on a terminal: a screen of its own process with the keys of `bullring watch`, and lines where there is none."""

import os
import re
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from bullring.arena.cells.processes.kinds import SCREEN
from bullring.ladder.run.progress import Happening, Notice, Progress, RunningMatch
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display import run as module
from bullring.ladder.watching.display.progress import fitted, noted, parts, whole
from bullring.ladder.watching.display.run import ScreenListener
from tests.ladder.homes import four
from tests.support.command import BULLRING
from tests.support.patience import PATIENCE
from tests.support.terminal import terminal

BOARD = re.compile(r"match \d+  (live|over|replay)")
"""The title of a board."""


def test_in_a_terminal(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    with terminal(str(BULLRING), "ladder", "run", "--home", str(home.path), columns=100, lines=30) as seen:
        seen.until(lambda text: bool(BOARD.search(text)) and bool(re.search("^ 4 [abcd] ", text, re.M)))
        seen.press("\x1b[B")
        seen.press("\r")
        seen.until("deal 1 of 1")  # the first table
        seen.press("q")  # leaves it, and not the ladder
        seen.until("last results")
        seen.press("\x1b[B\x1b[B")
        seen.press("\r")
        seen.until(" of 4, rating")
        seen.press("\x1b")
        seen.resize(60, 15)
        seen.until(lambda text: "rating" in text and not BOARD.search(text))
        seen.resize(80, 24)
        seen.until("last results")
        seen.press("q")
        seen.until(lambda text: bool(re.search(r"continue with:\s+bullring ladder run", text)))
        assert seen.wait() == 128 + signal.SIGINT
    assert " ".join(seen.text.split()).count(" matches in this run") == 1


@pytest.mark.slow
def test_what_ends_a_run_ends_its_screen(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    words = ("ladder", "run", "--matches", "20", "--home", str(home.path))
    with terminal(str(BULLRING), *words, columns=100, lines=40) as seen:
        seen.until("20 matches in this run")
        assert seen.wait() == 0
    assert "sandbox" in seen.text  # what must be read in full stays


def test_without_its_screen_a_run_is_told_in_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "SCREEN", replace(SCREEN, module="bullring.no_such_module"))
    deadline = time.monotonic() + PATIENCE
    told = ""
    with Path(os.devnull).open("w") as out, (listener := ScreenListener(Home(tmp_path), 1, Console(file=out))):
        while "the ladder stops" not in told:
            assert time.monotonic() < deadline
            listener.happened(Happening("stop", "the ladder stops"))
            told += capsys.readouterr().out


def progress(**more: object) -> Progress:
    running = [RunningMatch(61, ("ann", "bob"))]
    return replace(Progress(matches=60, seconds=61.0, playing=running, tables=1), **more)  # type: ignore[arg-type]


def test_the_progress_is_told_in_parts_that_are_whole_or_left_out() -> None:
    told = progress(all_matches=120, void=1)
    assert fitted(parts(told), 100).plain == "this run: 60 of 120 matches (1 void) in 1:01  1.0/s  1:01 left"
    assert fitted(parts(told), 60).plain == "this run: 60 of 120 matches (1 void) in 1:01  1.0/s"
    assert fitted(parts(told), 20).plain == "1.0/s  1:01 left"
    stopping = progress(stopping="interrupted")
    assert fitted(parts(stopping), 80).plain == "ending: interrupted  this run: 60 matches in 1:01  1.0/s"


def test_notices_are_whole_or_left_out() -> None:
    long, short = "a sentence that goes on " * 5 + "and ends", "\x1b[2Jshort"
    notices = [Notice("12:00:00", "void", short), Notice("12:00:01", "fault", long)]
    lines = [line.plain for line in whole(noted(notices), 60, 3)]
    assert lines[0].startswith("12:00:01 a sentence")
    assert lines[-1].endswith("and ends")
    assert len(lines) == 3
    assert [line.plain for line in whole(noted(notices), 160, 3)][-1] == "12:00:00 \\x1b[2Jshort"
    assert whole(noted(notices), 60, 2) == []

"""Whoever waits is told what is done: after half a second, on stderr, and for no longer than it lasts."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import click
import pyte
import pytest

from bullring.arena.cells.text.doing import doing, shown_on, unshown
from bullring.arena.cells.text.log import Log
from bullring.cli.progress import Line, long_work, telling
from tests.support.command import bullring


class Screen(io.StringIO):
    """A terminal of 60 columns that shows what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self._screen = pyte.Screen(60, 10)
        self._stream = pyte.Stream(self._screen)

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._stream.feed(text.replace("\n", "\r\n"))
        return super().write(text)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._screen.display if line.strip()]


class Waiting:
    """Somebody who waits at a stream, and the moment, which tests move on."""

    def __init__(self, stream: io.StringIO) -> None:
        self.stream = stream
        self._tenths = 0
        self.line = Line(lambda: self._tenths / 10, alive=False)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self._tenths += 1
            self.line.tick()

    @property
    def lines(self) -> list[str]:
        return self.stream.lines if isinstance(self.stream, Screen) else self.stream.getvalue().splitlines()


@contextmanager
def waiting_at(stream: io.StringIO) -> Iterator[Waiting]:
    found = Waiting(stream)
    with redirect_stdout(stream), redirect_stderr(stream), shown_on(found.line):
        yield found
        found.line.close()


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")


def test_a_live_line_is_shown_after_half_a_second_and_wiped() -> None:
    with waiting_at(Screen()) as waiting:
        with doing("proving bwrap"):
            waiting.wait(0.4)
            assert waiting.lines == []
            waiting.wait(0.6)
            assert waiting.lines == ["proving bwrap  1 s"]
            waiting.wait(3)
            assert waiting.lines == ["proving bwrap  4 s"]
        waiting.wait(0.5)
        assert waiting.lines == []


def test_after_five_seconds_it_says_how_far_it_is() -> None:
    with waiting_at(Screen()) as waiting, doing("playing", total=4) as work:
        waiting.wait(2)
        assert waiting.lines == ["playing  0 of 4  2 s"]
        work.done = 2
        waiting.wait(6)
        assert waiting.lines == ["playing  [=====     ] 2 of 4, about 8 s left  8 s"]


def test_it_names_what_is_done_within_what() -> None:
    with (
        waiting_at(Screen()) as waiting,
        doing("submitting it"),
        doing("building it"),
        doing("in a cell"),
        doing("make") as work,
    ):
        work.look = lambda: "cc -o \x1b[2J bot.c"
        waiting.wait(1)
        assert waiting.lines == [r"submitting it: in a cell: make  cc -o \x1b[2J bot.c  1 s"]


def test_short_works_one_after_another_are_one_wait() -> None:
    with waiting_at(Screen()) as waiting:
        for number in range(4):
            with doing(f"asking question {number}"):
                waiting.wait(0.3)
        assert waiting.lines == ["asking question 3  1 s"]


def test_what_is_printed_meanwhile_has_its_own_line() -> None:
    with waiting_at(Screen()) as waiting:
        with doing("checking"):
            waiting.wait(1)
            click.echo("1 PASS builds")
            assert waiting.lines == ["1 PASS builds"]
            waiting.wait(0.1)
            assert waiting.lines == ["1 PASS builds", "checking  1 s"]
            click.echo("name? ", nl=False)
            waiting.wait(0.1)
            assert waiting.lines == ["1 PASS builds", "name?"], "the line of somebody else is not drawn over"
            click.echo("Ann", err=True)
            waiting.wait(0.1)
        assert waiting.lines == ["1 PASS builds", "name? Ann", "checking  1 s"]


def test_it_is_no_wider_than_the_terminal() -> None:
    with waiting_at(Screen()) as waiting, doing("building " + 60 * "\u6f22"):
        waiting.wait(1)
        assert len(waiting.lines) == 1


def test_an_error_wipes_it() -> None:
    with waiting_at(Screen()) as waiting:

        def fail() -> None:
            with doing("checking"):
                waiting.wait(1)
                raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            fail()
        waiting.line.close()
        assert waiting.lines == []
        assert sys.stdout is waiting.stream


def test_a_full_screen_is_not_drawn_over() -> None:
    with waiting_at(Screen()) as waiting:
        with unshown(), doing("rating"):
            waiting.wait(10)
        assert waiting.lines == []


def test_in_a_pipe_it_is_said_once_and_then_rarely() -> None:
    with waiting_at(io.StringIO()) as waiting:
        with long_work("verifying the ladder") as tell:
            waiting.wait(0.4)
            assert waiting.lines == []
            tell("records verified", 0, 40)
            waiting.wait(0.3)
            assert waiting.lines == ["verifying the ladder ..."]
            tell("records verified", 10, 40)
            waiting.wait(99.4)
        _, *lines = waiting.lines
        assert lines[0] == "verifying the ladder  10 of 40, about 15 s left  records verified  5 s"
        assert [line.rpartition("  ")[2] for line in lines] == ["5 s", "10 s", "20 s", "40 s", "80 s"]


def test_short_work_in_a_pipe_says_nothing() -> None:
    with waiting_at(io.StringIO()) as waiting:
        for _ in range(20):
            with doing("asking"):
                waiting.wait(0.3)
        assert waiting.lines == []


def test_a_log_tells_its_last_line() -> None:
    log = Log(10_000, keep=64)
    assert log.last_line() == ""
    log.write(b"Compiling one\nCompiling two\n\n")
    assert log.last_line() == "Compiling two"
    log.write(b"a long line about many things\n 10 %\r 20 %\r")
    assert log.last_line() == "20 %"


def test_nothing_is_told_to_whoever_wants_to_hear_of_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    monkeypatch.setattr(Line, "begin", lambda line, work: begun.append(work.what))
    for value, what in (("never", "secret"), ("", "open")):
        monkeypatch.setenv("BULLRING_PROGRESS", value)
        with telling(), doing(what):
            pass
    assert begun == ["open"]


def test_json_stays_alone_on_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BULLRING_PROGRESS")
    done = bullring("check", "@random", "--json", "--sandbox", "none", "--allow-unsandboxed", "--game", "standard")
    assert done.stdout.startswith("{")
    assert done.stdout.count("\n") == 1

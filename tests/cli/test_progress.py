"""Work that takes long shows how far it has come: on stderr, if that is a terminal, and for no longer than it lasts."""

import io
import sys

import pytest

from bullring.cli.progress import long_work


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The moment, which tests move on."""
    now = [100.0]
    monkeypatch.setattr("bullring.cli.progress.time.monotonic", lambda: now[0])
    monkeypatch.setenv("TERM", "xterm")
    return now


def shown(err: io.StringIO, monkeypatch: pytest.MonkeyPatch, clock: list[float], seconds: float, **hidden: bool) -> str:
    monkeypatch.setattr(sys, "stderr", err)
    with long_work(**hidden) as tell:
        for done in range(10):
            tell("records verified", done, 10)
            clock[0] += seconds / 10
        tell("files packed", 1, 2)
    return err.getvalue()


def test_a_bar_is_shown_and_wiped(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    text = shown(Terminal(), monkeypatch, clock, 10)
    assert " 2/10" in text
    assert " 9/10" in text
    assert "records verified" in text
    assert "1/2" in text
    assert text.endswith("\x1b[2K")


@pytest.mark.parametrize(
    ("err", "seconds", "hidden"), [(Terminal(), 1, False), (io.StringIO(), 10, False), (Terminal(), 10, True)]
)
def test_short_work_and_files_and_pipes_show_nothing(
    err: io.StringIO, seconds: float, hidden: bool, monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    assert shown(err, monkeypatch, clock, seconds, hidden=hidden) == ""


def test_an_error_wipes_it(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    err = Terminal()
    monkeypatch.setattr(sys, "stderr", err)

    def fail() -> None:
        with long_work() as tell:
            clock[0] += 10
            tell("records verified", 5, 10)
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    assert err.getvalue().endswith("\x1b[2K")

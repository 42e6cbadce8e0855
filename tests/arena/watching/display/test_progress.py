import io

import pytest

from bullring.arena.watching.display import progress
from bullring.arena.watching.display.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_it_counts_in_a_terminal_and_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_EVERY_S", 0.0)
    out = Terminal()
    count = Progress(out, 12)
    count(0)
    count(7)
    assert out.getvalue() == "\r0 of 12 questions asked\r7 of 12 questions asked"
    count.end()
    assert out.getvalue().endswith("\r\x1b[K")


def test_what_is_done_soon_is_not_counted() -> None:
    out = Terminal()
    count = Progress(out, 12)
    count(1)
    count.end()
    assert out.getvalue() == ""


def test_a_file_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_EVERY_S", 0.0)
    out = io.StringIO()
    count = Progress(out, 12)
    count(7)
    count.end()
    assert out.getvalue() == ""

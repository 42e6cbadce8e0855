"""Errors on a terminal break between words; elsewhere they are one line."""

import pytest

from bullring.cli.complaints import wrapped
from tests.support.command import BULLRING, bullring
from tests.support.terminal import terminal

TEXT = (
    "bullring: expected a toolchain-name such as /a/path/that/is/longer/than/a/narrow/terminal; run: bullring languages"
)
COMMAND = ("match", "git+file:///somewhere@main", "@greedy")


@pytest.mark.parametrize("width", [80, 40])
def test_lines_break_between_words_and_what_is_longer_stays_whole(width: int) -> None:
    lines = wrapped(TEXT, width).splitlines()
    assert " ".join(lines) == TEXT
    assert all(len(line) <= width or " " not in line for line in lines)
    assert wrapped(TEXT, None) == TEXT


@pytest.mark.parametrize("columns", [80, 40])
def test_an_error_breaks_between_words_at_the_width_of_the_terminal(columns: int) -> None:
    (whole,) = bullring(*COMMAND).stderr.splitlines()
    with terminal(str(BULLRING), *COMMAND, columns=columns) as shown:
        text = shown.until("give the folder")
    lines = [line for line in text.splitlines() if line]
    assert len(lines) > 1
    assert " ".join(lines) == whole

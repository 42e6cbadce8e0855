"""`bullring match --watch` in a real terminal."""

import re
import shlex

import pytest

from tests.support.command import BULLRING, POLITE
from tests.support.terminal import terminal

SHELL = ("script", "-qec", "bash --norc --noprofile -i", "/dev/null")
"""A shell with job control."""

MATCH = shlex.join(
    [str(BULLRING), "match", POLITE, POLITE, "--deals", "1", "--time", "30s", "--watch", "--pace", "100ms"]
)


def test_a_match_is_watched_in_a_terminal() -> None:
    """Resizing leaves no ghosts, Ctrl-Z gives the terminal back as it was, q ends watching, the result is printed."""
    with terminal(*SHELL) as seen:
        seen.until("bash")
        seen.press(f"{MATCH}\n")
        seen.until("deal 1 of 1  turn 2")
        seen.press(" ")
        seen.until("paused")

        seen.resize(60, 15)
        rows = re.compile(r"^[ !▶][1-4] ", re.MULTILINE)
        small = seen.until(lambda text: "last ms" not in text and len(rows.findall(text)) == 4)
        assert len(re.findall("deal 1 of 1", small)) == 1
        seen.resize(100, 30)
        large = seen.until(lambda text: "╭ 0 " in text and "╭ 1 " in text)
        assert len(re.findall("╭ [01] ", large)) == 2

        seen.clear()
        seen.press("\x1a")
        seen.until("Stopped")
        assert seen.raw.index(b"\x1b[?1049l") < seen.raw.index(b"Stopped"), "first the terminal is put in order"
        assert b"\x1b[?25h" in seen.raw
        seen.clear()
        seen.press("fg\n")
        seen.until(lambda text: "paused" in text and "╭ 1 " in text)

        seen.clear()
        seen.press("q")
        seen.until("seed")
        assert b"\x1b[?1049l" in seen.raw
        seen.press("echo status $?\n")
        seen.until("status 0")


@pytest.mark.slow
def test_a_terminal_that_knows_only_lines_gets_them_as_they_happen() -> None:
    with terminal(*SHELL, env={"TERM": "dumb"}) as seen:
        seen.until("bash")
        seen.press(f"{MATCH}\n")
        seen.until("seed")
        assert b"turn 10" in seen.raw
        assert b"\x1b[?1049h" not in seen.raw

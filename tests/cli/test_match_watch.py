"""`bullring match --watch` in a real terminal."""

import re
import shlex

from tests.support.command import BULLRING, POLITE
from tests.support.terminal import Terminal

MATCH = shlex.join(
    [str(BULLRING), "match", POLITE, POLITE, "--deals", "1", "--time", "30s", "--watch", "--pace", "100ms"]
)


def test_a_match_is_watched_in_a_terminal() -> None:
    """Resizing leaves no ghosts, Ctrl-Z gives the terminal back as it was, q ends watching, the result is printed."""
    with Terminal(80, 24) as terminal:
        terminal.until(lambda text: "$" in text)
        terminal.type(f"{MATCH}\n")
        terminal.until(lambda text: "deal 1 of 1  turn 2" in text)
        terminal.type(" ")
        terminal.until(lambda text: "paused" in text)

        terminal.resize(60, 15)
        small = terminal.until(lambda text: "6 nimmt!" in text and "last ms" not in text)
        assert len(re.findall("deal 1 of 1", small)) == 1
        assert len(re.findall(r"^[ !▶][1-4] ", small, re.MULTILINE)) == 4
        terminal.resize(100, 30)
        large = terminal.until(lambda text: "╭ 0 " in text)
        assert len(re.findall("╭ [01] ", large)) == 2

        terminal.clear()
        terminal.type("\x1a")
        terminal.until(lambda text: "Stopped" in text)
        assert terminal.raw.index(b"\x1b[?1049l") < terminal.raw.index(b"Stopped"), "first the terminal is put in order"
        assert b"\x1b[?25h" in terminal.raw
        terminal.clear()
        terminal.type("fg\n")
        terminal.until(lambda text: "paused" in text and "╭ 1 " in text)

        terminal.clear()
        terminal.type("q")
        terminal.until(lambda text: "seed" in text)
        assert b"\x1b[?1049l" in terminal.raw
        terminal.type("echo status $?\n")
        terminal.until(lambda text: "status 0" in text)


def test_a_terminal_that_knows_only_lines_gets_them_as_they_happen() -> None:
    with Terminal(80, 24, {"TERM": "dumb"}) as terminal:
        terminal.until(lambda text: "$" in text)
        terminal.type(f"{MATCH}\n")
        terminal.until(lambda text: "seed" in text)
        assert b"turn 10" in terminal.raw
        assert b"\x1b[?1049h" not in terminal.raw

"""A live picture on a terminal: it never flickers, and keeps no ghosts."""

import io
from collections.abc import Iterator

import pyte
import pytest
from rich.console import Console
from rich.text import Text

from bullring.ladder.watching.display.steady import SteadyLive


class Screen:
    """A terminal with a live picture of some lines."""

    def __init__(self, width: int = 20, height: int = 8) -> None:
        self.lines = [""]
        self._out = io.StringIO()
        self.console = Console(
            file=self._out, force_terminal=True, width=width, height=height, _environ={"TERM": "xterm"}
        )
        self.live = SteadyLive(self, self.console)
        self.screen = pyte.Screen(width, height)
        self.screen.set_mode(pyte.modes.LNM)  # a line feed begins a line, as the terminals of programs have it
        self._stream = pyte.Stream(self.screen)

    def __rich__(self) -> Text:
        return Text("\n".join(self.lines))

    def draw(self, *lines: str) -> str:
        """Draw these lines. Returns what was written."""
        self.lines = [*lines]
        self.live.refresh()
        return self.flush()

    def flush(self) -> str:
        written = self._out.getvalue()
        self._out.seek(0)
        self._out.truncate()
        self._stream.feed(written)
        return written

    def resize(self, width: int, height: int) -> None:
        self.console.size = (width, height)
        self.screen.resize(height, width)

    @property
    def shown(self) -> list[str]:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip().split("\n")


@pytest.fixture(name="screen")
def _screen() -> Iterator[Screen]:
    screen = Screen()
    screen.live.start()
    yield screen
    screen.live.stop()


def test_only_what_has_changed_is_written_and_nothing_is_erased(screen: Screen) -> None:
    screen.draw("one", "two", "three")
    written = screen.draw("one", "2", "three")
    assert screen.shown == ["one", "2", "three"]
    assert "three" not in written
    assert "\x1b[2K" not in written
    assert "\x1b[2J" not in written
    screen.draw("one", "2", "three", "four")
    assert screen.shown == ["one", "2", "three", "four"]


def test_a_key_that_the_terminal_echoes_is_drawn_over(screen: Screen) -> None:
    screen.draw("one", "two")
    screen._stream.feed("^C")
    screen.draw("one", "two")
    assert screen.shown == ["one", "two"]


def test_a_picture_that_gets_shorter_leaves_nothing_behind(screen: Screen) -> None:
    screen.draw("one", "two", "three")
    screen.draw("1", "2")
    screen.draw("first", "2")
    assert screen.shown == ["first", "2"]


def test_what_is_printed_is_shown_above_the_last_picture() -> None:
    screen = Screen()
    with screen.live:
        screen.draw("one", "two")
        screen.console.print("news\nof today")
        screen.draw("one", "2")
        assert screen.shown == ["one", "2"]
    screen.screen.reset()  # pyte has no second screen, which the picture leaves here
    screen.screen.set_mode(pyte.modes.LNM)
    screen.flush()
    assert screen.shown == ["news", "of today", "one", "2"]


def test_a_full_screen_stays_where_it_is(screen: Screen) -> None:
    for turn in range(3):
        screen.draw(*(f"{line} {turn:>17}" for line in "abcdefghij"))
        assert screen.shown == [f"{line} {turn:>17}" for line in "abcdefgh"]


@pytest.mark.parametrize("size", [(12, 5), (30, 12)])
def test_a_terminal_of_another_size_keeps_no_ghosts(size: tuple[int, int], screen: Screen) -> None:
    screen.draw(*(f"{line} at first, in 20" for line in "abcdefgh"))
    before = screen.live.resized
    screen.resize(*size)
    assert (before, screen.live.resized) == (False, True)
    screen.draw("one", "two")
    assert screen.shown == ["one", "two"]
    screen.draw("1", "two")
    assert screen.shown == ["1", "two"]


def test_the_picture_has_a_screen_of_its_own_and_stays_in_the_end() -> None:
    """Lines that a terminal keeps when it shrinks would be back when it grows, or above the picture."""
    screen = Screen()
    with screen.live:
        assert "\x1b[?1049h" in screen.draw("one", "two")
        assert screen.screen.cursor.hidden
    screen.screen.reset()
    screen.screen.set_mode(pyte.modes.LNM)
    assert "\x1b[?1049l" in screen.flush().partition("one")[0]
    assert screen.shown == ["one", "two"]
    assert (screen.screen.cursor.y, screen.screen.cursor.hidden) == (2, False)

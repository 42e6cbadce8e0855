"""Following a match on a full screen, while it is played."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from bullring.arena.cells.processes.frames import tell
from bullring.arena.watching.screens.live_messages import News
from bullring.arena.watching.screens.live_screen import LiveScreen
from bullring.arena.watching.screens.shell import Keys, TooSmall
from tests.arena.watching.display.pictures import RECORD
from tests.arena.watching.screens.showing import run, until

LINES = RECORD.read_text("ascii").splitlines(keepends=True)


class Played:
    """A match that is being played: its record, and the pipe of news."""

    def __init__(self, folder: Path) -> None:
        self.record = folder / "match.jsonl"
        self.record.write_text("", "ascii")
        self.theirs, self.ours = os.pipe()
        self.news = News(self.theirs)

    def tell(self, *message: object) -> None:
        tell(self.ours, *message)

    def show(self) -> None:
        self.tell("show", str(self.record), "", False)

    def write(self, lines: list[str]) -> None:
        with self.record.open("a") as file:
            file.write("".join(lines))


@pytest.fixture
def played(tmp_path: Path) -> Played:
    return Played(tmp_path)


def screen_of(
    played: Played, act: Callable[[LiveScreen, "Pilot[int]"], Awaitable[None]], *, pace: float, size: tuple[int, int]
) -> LiveScreen:
    """Run the screen, and do something with it."""
    app = run(LiveScreen(played.news, pace), act, size)
    os.close(played.theirs)
    os.close(played.ours)
    return app


def shown(app: LiveScreen) -> str:
    """The table as text."""
    return app.view.render().plain


def test_a_match_is_staged_step_by_step_while_others_think(played: Played) -> None:
    """Seats that still think are shown with a clock, and answers stay hidden until all are in."""

    async def act(app: LiveScreen, pilot: "Pilot[int]") -> None:
        played.show()
        played.write(LINES[:2])
        await until(lambda: "thinking" in shown(app))
        played.tell("thinking", 1, 1, 1, 3)
        await until(lambda: shown(app).count("ready") == 2)
        assert shown(app).count("thinking") == 2
        assert shown(app).count("░░░░") >= 2
        played.write(LINES[2:])
        await until(lambda: app.pacing.behind > 100)
        assert "behind" in str(app.view.note)
        before = app.pacing.at
        await until(lambda: app.pacing.at > before)
        await pilot.press("end")
        await until(lambda: "montecarlo wins" in shown(app))

    screen_of(played, act, pace=0.05, size=(100, 30))


def test_the_screen_ends_when_all_matches_have_been_shown(played: Played) -> None:
    async def act(app: LiveScreen, pilot: "Pilot[int]") -> None:
        played.write(LINES)
        played.show()
        played.show()
        played.tell("end")
        await until(lambda: app.return_value is not None or not app.is_running)

    app = screen_of(played, act, pace=0.0, size=(80, 24))
    assert app.return_code == 0


def test_keys(played: Played) -> None:
    """Space pauses, + and - change the pace, ? lists the keys, a small terminal is told so, q ends."""

    async def act(app: LiveScreen, pilot: "Pilot[int]") -> None:
        played.show()
        played.write(LINES)
        await until(lambda: app.pacing.frame is not None)
        await pilot.press("space")
        assert not app.pacing.playing
        await pilot.press("minus", "minus", "plus")
        assert app.pacing.pace == 0.8
        await pilot.press("question_mark")
        await until(lambda: isinstance(app.screen, Keys))
        keys = dict(app.keys())
        assert {"q", "?", "Ctrl-Z", "Space", "+", "-", "End"} <= set(keys) or isinstance(app.screen, Keys)
        await pilot.press("x")
        await until(lambda: not isinstance(app.screen, Keys))
        assert {"q", "?", "Ctrl-Z", "Space", "+", "-", "End"} <= set(dict(app.keys()))
        await pilot.resize_terminal(39, 11)
        await until(lambda: isinstance(app.screen, TooSmall))
        await pilot.resize_terminal(60, 15)
        await until(lambda: not isinstance(app.screen, TooSmall))
        assert app.view.size == (60, 15)
        await pilot.press("q")

    assert screen_of(played, act, pace=0.4, size=(80, 24)).return_code == 0


def test_what_bots_write_to_stderr_is_shown_below_as_text(played: Played) -> None:
    async def act(app: LiveScreen, pilot: "Pilot[int]") -> None:
        played.show()
        played.write(LINES)
        played.tell("said", "0 mine | [red]careful[/red]")
        await until(lambda: app.query_one("#said").display)
        assert "[red]careful[/red]" in str(app.query_one("#said").render())

    screen_of(played, act, pace=0.4, size=(80, 24))


def test_a_record_that_is_none_ends_the_screen_with_a_message(played: Played) -> None:
    async def act(app: LiveScreen, pilot: "Pilot[int]") -> None:
        played.show()
        played.write(["no record\n"])
        await until(lambda: app.return_code == 1)

    screen_of(played, act, pace=0.4, size=(80, 24))


def test_the_screen_ends_when_whoever_plays_is_gone(played: Played) -> None:
    async def act(app: LiveScreen, pilot: "Pilot[int]") -> None:
        played.show()
        played.write(LINES[:5])
        await until(lambda: app.pacing.frame is not None)
        os.dup2(os.open(os.devnull, os.O_WRONLY), played.ours)
        await until(lambda: not app.is_running)

    screen_of(played, act, pace=0.4, size=(80, 24))

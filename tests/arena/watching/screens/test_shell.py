"""A full screen whose terminal goes away, and the keys that full screens list."""

import os
import pty
import subprocess
import sys
from typing import ClassVar

import pytest
from textual.binding import Binding, BindingType
from textual.pilot import Pilot
from textual.widget import Widget

from bullring.arena.games.rulebook.language import LANGUAGES, speaking
from bullring.arena.watching.screens.result import Result
from bullring.arena.watching.screens.shell import Keys, Shell
from bullring.arena.watching.screens.start import Start
from bullring.arena.watching.screens.table.screen import Play
from tests.arena.watching.screens.showing import run, text_of, until
from tests.support.patience import PATIENCE

PROGRAM = """
from bullring.arena.watching.screens.shell import Shell
from textual.widgets import Static

class Busy(Shell):
    def compose(self):
        yield Static("ready")
    def on_mount(self):
        if {busy}:
            self.set_interval(0.001, lambda: self.query_one(Static).update("x" * 5000))

Busy().run()
"""


@pytest.mark.parametrize("busy", [True, False], ids=["drawing", "resting"])
def test_it_ends_when_its_terminal_is_closed_without_a_signal(busy: bool) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(busy=busy)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,  # it has no terminal that would send it a signal
        env={**os.environ, "TERM": "xterm-256color"},
    )
    os.close(slave)
    seen = b""
    while b"ready" not in seen and b"xxx" not in seen:
        seen += os.read(master, 4096)
    os.close(master)
    assert process.wait(PATIENCE) == 129


@pytest.mark.parametrize("screen", [Shell, Start, Play, Result])
def test_the_keys_of_those_who_play_are_described_in_their_language(screen: type[Shell | Widget]) -> None:
    for binding in Binding.make_bindings(screen.BINDINGS):
        what = binding.description
        assert not what or all(language.say(f"screens.{what}") for language in LANGUAGES.values())


def test_the_list_of_keys_speaks_the_language_of_the_process() -> None:
    async def steps(app: Shell, pilot: Pilot[int]) -> None:
        await pilot.press("question_mark")
        await until(lambda: isinstance(app.screen, Keys))
        await pilot.pause()
        shown = text_of(app.screen)
        assert "beenden" in shown
        assert "schließt diese Liste" in shown

    with speaking("de"):
        run(Shell(), steps)


def test_keys_of_the_same_effect_are_listed_together() -> None:
    class Leaving(Shell):
        BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape", "quit", "keys.quit")]

    async def steps(app: Shell, pilot: Pilot[int]) -> None:
        listed = {told: keys for keys, told in iter(app.keys())}
        assert listed["quit"] == "q, Esc"

    run(Leaving(), steps)

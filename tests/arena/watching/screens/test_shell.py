"""A full screen whose terminal goes away."""

import os
import pty
import subprocess
import sys

import pytest

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

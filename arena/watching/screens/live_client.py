"""Show matches while they are played: the part in the referee's process. The pictures are made by another process.

Drawing takes longer than a fast bot's turn, so it must not happen in the process that keeps the clocks. A child process reads the
records. Nobody waits for it: the pictures follow at their own pace.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from bullring.arena.watching.screens.terminal import full_screen

PACE = 0.4
"""Seconds of one step where nothing else is said."""

GRACE = 5.0
"""Seconds the program may take to put the terminal in order."""

PROGRAM = (sys.executable, "-P", "-m", "bullring.arena.watching.screens.live")
"""The command. With -P, Python imports nothing from the working folder, which may hold anything."""

MOST = 600
"""Characters of a line that is passed on. So a message stays below what a pipe takes at once, and messages never mix."""


class Watching:
    """The process that shows matches. All methods return at once, whether it reads or not."""

    def __init__(self, process: "subprocess.Popen[bytes]", pipe: int, *, on_screen: bool) -> None:
        self.on_screen = on_screen
        """Whether it has the whole terminal, so that nothing else may write there."""
        self._process = process
        self._pipe = pipe
        self._owed: deque[bytes] = deque()
        """Messages that must not be lost and did not fit into the pipe yet."""
        self.finished = False
        """Whether it was told that no more matches come."""
        self._match = 0

    @property
    def code(self) -> int | None:
        """The exit code of the process; None while it shows something."""
        self._pay()
        return self._process.poll()

    def show(self, record: Path, title: str = "", *, remove: bool = False) -> None:
        """Show another match after all earlier ones. Its record exists, even if it is empty. With `remove`, it is removed when it
        has been shown."""
        self._match += 1
        self._owe({"record": str(record.resolve()), "title": title, "remove": remove})

    def finish(self) -> None:
        """No more matches come: end when all have been shown."""
        self.finished = True
        self._owe({"end": True})

    def thinking(self, batch: int, seats: Sequence[int]) -> None:
        """Tell the seats that have not answered the batch with this number, in the match that was shown last."""
        self._send({"thinking": [self._match, batch, *seats]})

    def say(self, text: str) -> None:
        """Show a line of text beside the match."""
        self._send({"said": text[:MOST]})

    def _owe(self, message: dict[str, Any]) -> None:
        self._owed.append(_line(message))
        self._pay()

    def _pay(self) -> None:
        while self._owed and self._write(self._owed[0]):
            self._owed.popleft()

    def _send(self, message: dict[str, Any]) -> None:
        """Send a message that may be lost."""
        if not self._owed:
            self._write(_line(message))

    def _write(self, line: bytes) -> bool:
        try:
            os.write(self._pipe, line)
        except BlockingIOError:
            return False
        except OSError:
            return True  # nobody watches any more
        return True


@contextmanager
def watching(pace: float, out: TextIO) -> Iterator[Watching]:
    """Run the program: on the whole of `out` if it is a terminal, else as text. It ends when the context is left.

    `pace` is the time of a step on a terminal in seconds.
    """
    screen = full_screen(out)
    ours, theirs = _pipe()
    command = [*PROGRAM, "screen" if screen else "text", str(theirs), str(pace)]
    # It hears from us when it is to end. A Ctrl-C that comes before it has the keyboard would only make it print a traceback.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process = subprocess.Popen(
            command,
            stdin=None if screen else subprocess.DEVNULL,
            stdout=out,
            stderr=out if screen else None,
            pass_fds=(theirs,),
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.close(theirs)
    try:
        yield Watching(process, ours, on_screen=screen)
    finally:
        os.close(ours)
        _end(process)


def _pipe() -> tuple[int, int]:
    """A pipe to write to without ever waiting, and its other end."""
    theirs, ours = os.pipe()
    os.set_blocking(ours, False)
    return ours, theirs


def _end(process: "subprocess.Popen[bytes]") -> None:
    for urge in (None, process.terminate, process.kill):
        if urge is not None:
            urge()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
            return


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode("ascii") + b"\n"

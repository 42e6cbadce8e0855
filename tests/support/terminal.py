"""A command in a real terminal: a pseudo-terminal, and pyte, which understands what is written to it."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyte

from tests.support.patience import PATIENCE


class Terminal:
    """A running command and its terminal."""

    def __init__(self, process: "subprocess.Popen[bytes]", master: int, columns: int, lines: int) -> None:
        self.process = process
        self._master = master
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        """The output since the beginning, or since `clear`."""

    @property
    def text(self) -> str:
        """The screen, line by line."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, keys: str) -> None:
        """Type, as the bytes that a terminal sends."""
        os.write(self._master, keys.encode())

    def clear(self) -> None:
        """Forget the output up to now."""
        self.raw = b""
        self.screen.reset()

    def resize(self, columns: int, lines: int) -> None:
        """Give the terminal another size."""
        self.screen.resize(lines, columns)
        _set_size(self._master, columns, lines)
        self.process.send_signal(signal.SIGWINCH)

    def until(self, found: str | Callable[[str], bool]) -> str:
        """Wait until this is shown. Returns all that is shown then."""
        condition = found if callable(found) else lambda text: found in text
        deadline = time.monotonic() + PATIENCE
        while not condition(self.text):
            assert time.monotonic() < deadline, f"it was never shown: {found}\n{self.text}"
            assert self._read(), f"it ended before this was shown: {found}\n{self.text}"
        return self.text

    def wait(self) -> int:
        """Wait for the end of the command. Returns its exit status."""
        while self._read():
            pass
        return self.process.wait(PATIENCE)

    def _read(self) -> bool:
        """Take the next output. Returns whether more can come."""
        if not select.select([self._master], [], [], 0.05)[0]:
            return True
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:
            return False  # the other end is closed
        self.raw += data
        self._stream.feed(data)
        return bool(data)


@contextmanager
def terminal(
    *command: str, columns: int = 80, lines: int = 24, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Iterator[Terminal]:
    """Run a command in a terminal of its own, which is closed in the end."""
    master, slave = pty.openpty()
    _set_size(slave, columns, lines)
    given = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        command,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=cwd,
        env={**given, "TERM": "xterm-256color", **(env or {})},
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Terminal(process, master, columns, lines)
    finally:
        process.kill()
        process.wait()
        os.close(master)


def _set_size(descriptor: int, columns: int, lines: int) -> None:
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

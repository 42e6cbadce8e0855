"""Our ends of the pipes that are a program's stdin, stdout and stderr."""

import contextlib
import os
from collections.abc import Callable
from fcntl import ioctl
from functools import partial
from termios import FIONREAD

import trio

from bullring.arena.cells.sandbox import first_process
from bullring.arena.cells.sandbox.cell import OnLog

READ_SIZE = 65536
"""Bytes per read: as many as a pipe holds."""

_NOTHING = bytes(4)
"""What the kernel says of a pipe without bytes in it."""

Ends = tuple[int, int, int]
"""Descriptors of stdin, stdout and stderr: either our ends or theirs."""


class Pipes:
    """What a program says and hears. `read_fd`, `write_fd`, `recv`, `send` and `read_log` are those of its `Cell`."""

    def __init__(self, ends: Ends, on_log: OnLog) -> None:
        self.write_fd, self.read_fd, self._stderr = ends
        for fd in ends:
            os.set_blocking(fd, False)
        self.recv: Callable[[], bytes] = partial(os.read, self.read_fd, READ_SIZE)
        self.send: Callable[[bytes], int] = partial(os.write, self.write_fd)
        self.on_log = on_log
        self.last_words = b""
        """The end of its stderr."""
        self._hung_up = False
        self._closed = False

    def hang_up(self) -> None:
        if not self._hung_up:
            self._hung_up = True
            os.close(self.write_fd)

    async def follow(self) -> None:
        """Read stderr continuously, so that a bot never blocks on writing it."""
        with contextlib.suppress(trio.ClosedResourceError):
            while not self._closed:
                await trio.lowlevel.wait_readable(self._stderr)
                if self._closed or not self._read_log():
                    return

    def read_log(self) -> None:
        # Mostly there is nothing, and to ask takes a third of the time that reading in vain does.
        if not self._closed and ioctl(self._stderr, FIONREAD, _NOTHING) != _NOTHING:
            self._read_log()

    def _read_log(self) -> bool:
        """Read once. Returns whether there may be more later."""
        try:
            data = os.read(self._stderr, READ_SIZE)
        except BlockingIOError:
            return True
        if data:
            self.last_words = (self.last_words + data)[-first_process.LAST_WORDS :]
            self.on_log(data)
        return bool(data)

    def close(self) -> None:
        """Pass on the end of its stderr and close everything."""
        if self._closed:
            return
        self.hang_up()
        self.read_log()
        self._closed = True
        trio.lowlevel.notify_closing(self._stderr)
        for fd in (self._stderr, self.read_fd):
            os.close(fd)

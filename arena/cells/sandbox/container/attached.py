"""The streams of a container that pass through its engine, where it cannot open pipes of this machine (see `fifos`)."""

import contextlib
import socket
from collections.abc import Callable

import trio

from bullring.arena.cells.sandbox import first_process
from bullring.arena.cells.sandbox.cell import OnLog
from bullring.arena.cells.sandbox.container.frames import STDERR, STDOUT, FrameError, Frames
from bullring.arena.cells.sandbox.container.readiness import Readiness
from bullring.arena.cells.sandbox.pipes import READ_SIZE

READS_AT_ONCE = 16
"""Most reads for one answer while only stderr arrives. A bot that floods stderr must not hold up the arena."""

MOST_UNREAD = 256 * 1024
"""Bytes of unread stdout above which no more is read."""

LAST_WORDS = 0.5
"""Seconds within which the engine must pass on what a program wrote before its end."""

LOOK_AGAIN = 0.005
"""Seconds between two looks at what the engine has passed on."""


class Attached:
    """A connection that the engine attached to a container. It has `Streams`.

    Output is read only on request: a container that floods its stderr blocks until its next question (`recv` reads both streams)
    or the next `read_log`. Data that was read ahead is announced, and a connection that must not be read stays silent.
    """

    by_engine = True

    def __init__(self, connection: socket.socket, on_log: OnLog) -> None:
        self._connection = connection
        self._writer = connection.dup()
        self._on_log = on_log
        self._frames = Frames()
        self._stdout = bytearray()
        self._readiness = Readiness(connection.fileno())
        self._at_end = False
        self._closed = False
        self.last_words = b""
        self.fault: str | None = None
        self.read_fd = self._readiness.fd
        self.write_fd = self._writer.fileno()
        self.send: Callable[[bytes], int] = self._writer.send

    def recv(self) -> bytes:
        for _ in range(READS_AT_ONCE):
            if self._stdout or not self._fill():
                break
        if not self._stdout and not self._at_end:
            raise BlockingIOError
        data = bytes(self._stdout)
        self._stdout.clear()
        self._announce()
        return data

    def read_log(self) -> None:
        if not self._closed:
            for _ in range(READS_AT_ONCE):
                if len(self._stdout) >= MOST_UNREAD or not self._fill():
                    break
            self._announce()

    async def hear_out(self) -> None:
        with trio.move_on_after(LAST_WORDS):
            while not self._at_end:
                self.read_log()
                self._stdout.clear()  # it will not be read
                await trio.sleep(LOOK_AGAIN)

    def hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        # The descriptors stay open, so that no task waits for one whose number was reused.
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._closed = True
        trio.lowlevel.notify_closing(self.write_fd)
        self._readiness.close()
        self._connection.close()
        self._writer.close()

    def _fill(self) -> bool:
        """Read once. Returns False if there was nothing."""
        if self._at_end:
            return False
        try:
            data = self._connection.recv(READ_SIZE)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        try:
            for kind, piece in self._frames.split(data):
                if kind == STDOUT:
                    self._stdout += piece
                elif kind == STDERR:
                    self.last_words = (self.last_words + piece)[-first_process.LAST_WORDS :]
                    self._on_log(piece)
                else:
                    self.fault = f"the container engine says: {piece[:1000].decode('utf-8', 'replace')}"
        except FrameError as error:
            self.fault = f"the container engine sent {error}, which does not exist"
            data = b""
        self._at_end = not data
        return bool(data)

    def _announce(self) -> None:
        """Be readable as long as there is something to read; listen only while there is room."""
        self._readiness.set(
            rings=bool(self._stdout) or self._at_end,
            listens=not self._at_end and len(self._stdout) < MOST_UNREAD,
        )

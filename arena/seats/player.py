"""A player as the referee sees it: two ends of a pipe and the session that is spoken over them."""

from collections import deque
from typing import Protocol

import trio

from arena.faults import FaultKind
from protocol.connection import Connection
from protocol.errors import RemoteProtocolError
from protocol.messages import Hello

READ_SIZE = 65536
"""Bytes that are read at once."""


class Player(Protocol):
    """Somebody who answers questions: a process, a container, or a script in a test."""

    connection: Connection
    """The session, of which the hello has been received."""
    read_fd: int
    """Becomes readable when the player has said something."""
    write_fd: int
    freezes: bool
    """Whether it is frozen while it has nothing to decide."""
    frozen: bool

    def recv(self) -> bytes:
        """What the player said; empty at the end. Raises `BlockingIOError` if there is nothing now."""

    def send(self, data: bytes) -> int:
        """Say something without waiting: how many bytes went. Raises `BlockingIOError` or `BrokenPipeError`."""

    def stop(self) -> None:
        """End the player at once; nobody waits for it here."""

    def verdict(self) -> tuple[FaultKind, str] | None:
        """Why the arena ended the player from outside: too much memory, too much output."""

    def host_fault(self) -> str | None:
        """What of the machine failed, if that ended the player."""

    def waited(self) -> float:
        """Seconds in all that the player wanted to run and could not, because others had the processor; see `Cell.waited`."""

    def kept_waiting(self, since: float) -> float:
        """What it has waited since an earlier `waited`, up to this moment; see `Cell.kept_waiting`."""

    def freeze(self) -> None:
        """Let it not think until it is asked."""

    def thaw(self) -> None:
        """Let it think."""

    def begin_match(self) -> None:
        """From here on the log belongs to the next match."""

    def log(self) -> str:
        """What the player wrote to its log (stderr) since the match began, shortened in the middle if it was too much."""


class StartFailure(Exception):
    """A bot did not come to the table: what was expected, and what came."""

    def __init__(self, expected: str, got: str, *, elapsed: float = 0.0, log: str = "", exit: str = "") -> None:
        self.expected = expected
        self.got = got
        self.elapsed = elapsed
        self.log = log
        self.exit = exit
        super().__init__(f"expected {expected}; got {got}")


class Log:
    """What a bot wrote to stderr during one match: the first and the last part of it, and how much it was."""

    KEEP = 65536
    """Bytes kept of one match."""

    def __init__(self) -> None:
        self.total = 0
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0

    def write(self, data: bytes) -> None:
        """Take what came; what is too much is dropped from the middle."""
        self.total += len(data)
        half = self.KEEP // 2
        room = half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail.append(data)
            self._tail_size += len(data)
            while self._tail_size - len(self._tail[0]) >= half:
                self._tail_size -= len(self._tail.popleft())

    def text(self) -> str:
        """The log as text; bytes that are none are replaced."""
        tail = b"".join(self._tail)[-(self.KEEP // 2) :]
        lost = self.total - len(self._head) - len(tail)
        gap = f"\n[... {lost} bytes left out ...]\n".encode() if lost else b""
        return (bytes(self._head) + gap + tail).decode("utf-8", "replace")


async def greet(player: Player, limit: float) -> Hello:
    """Wait for the hello. Raises `StartFailure`."""
    began = trio.current_time()

    def failure(got: str, expected: str = f"a hello within {limit:g} s") -> StartFailure:
        return StartFailure(expected, got, elapsed=trio.current_time() - began)

    with trio.move_on_after(limit):
        while True:
            await trio.lowlevel.wait_readable(player.read_fd)
            try:
                data = player.recv()
            except BlockingIOError:
                continue
            if not data:
                raise failure("the end of its output")
            try:
                hello = player.connection.receive_hello(data)
            except RemoteProtocolError as error:
                raise failure(error.came, error.expected) from None
            if hello is not None:
                return hello
    raise failure("nothing, or only a part of it")

"""The one format on the pipes of child processes: msgpack arrays [kind, ...], each behind its length in 4 bytes."""

import os
import select
from collections.abc import Iterator
from typing import Any

import msgpack

from bullring.errors import HostError

LENGTH = 4
"""Bytes of the length before each frame."""

MOST = 1 << 30
"""Bytes of the longest frame that is read from a program of this machine."""

ATOMIC = select.PIPE_BUF
"""Bytes of the longest frame that a pipe takes whole or not at all."""

CHUNK = 1 << 18
"""Bytes that are read at once."""


def framed(kind: str, *values: Any) -> bytes:
    """A message as it is sent; `Frames` takes it apart."""
    body: bytes = msgpack.packb((kind, *values))
    return len(body).to_bytes(LENGTH, "big") + body


class Frames:
    """Take bytes in pieces of any size, and yield the values of each complete message."""

    def __init__(self, most: int = MOST) -> None:
        """No message may be longer than `most` bytes."""
        self._most = most
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[list[Any]]:
        """Take bytes; yield messages. Raises `HostError` if one is too long."""
        buffer = self._buffer
        buffer += data
        at = 0
        try:
            while len(buffer) >= at + LENGTH:
                length = int.from_bytes(buffer[at : at + LENGTH], "big")
                if length > self._most:
                    raise HostError(f"a message has {length} bytes, and none may have more than {self._most}")
                begin, end = at + LENGTH, at + LENGTH + length
                if len(buffer) < end:
                    break
                at = end
                yield msgpack.unpackb(memoryview(buffer)[begin:end].tobytes(), strict_map_key=False)
        finally:  # also if the reader wants no more of these
            del buffer[:at]


class Ear:
    """The messages that come on a descriptor, for programs without a loop."""

    def __init__(self, fd: int, most: int = MOST) -> None:
        """No message may be longer than `most` bytes."""
        self.closed = False
        """Whether the other end is closed, so that nothing more comes."""
        self._fd = fd
        self._frames = Frames(most)
        self._ready = select.poll()
        self._ready.register(fd, select.POLLIN)

    def __iter__(self) -> Iterator[list[Any]]:
        """All messages until the end, as they come."""
        while not self.closed:
            yield from self._read()

    def now(self, seconds: float = 0.0) -> Iterator[list[Any]]:
        """The messages that are here. Wait at most `seconds` for the first."""
        while not self.closed and self._ready.poll(seconds * 1000):
            seconds = 0.0
            yield from self._read()

    def _read(self) -> Iterator[list[Any]]:
        data = os.read(self._fd, CHUNK)
        self.closed = not data
        return self._frames.feed(data)


def tell(fd: int, *message: Any) -> None:
    """Write a message; waits for its reader. Raises `BrokenPipeError` if there is none."""
    data = memoryview(framed(*message))
    while data:
        data = data[os.write(fd, data) :]


def offer(fd: int, *message: Any) -> bool:
    """Write a message of at most `ATOMIC` bytes without waiting. Returns whether there was room, or no reader any more."""
    try:
        os.set_blocking(fd, False)
        os.write(fd, framed(*message))
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True

"""Messages between processes of this machine that carry descriptors: so a process hands a connection over to another one.

They travel on a socket that keeps messages apart (`SOCK_SEQPACKET`), each as a msgpack array, and whole or not at all.
"""

import os
import socket
from collections.abc import Sequence
from typing import Any

import msgpack

MOST = 1 << 16
"""Bytes of the longest message."""

_MOST_DESCRIPTORS = 4


def pair() -> tuple[socket.socket, socket.socket]:
    """Both ends of a new line."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def hand(line: socket.socket, *message: Any, passed: Sequence[int] = ()) -> None:
    """Send a message with copies of these descriptors. Raises `OSError` if the other end is closed, or has no room."""
    socket.send_fds(line, [msgpack.packb(message)], passed)


def take(line: socket.socket) -> tuple[list[Any], list[int]] | None:
    """The next message, with descriptors that belong to this process now; None if the other end is closed. Raises `OSError`."""
    data, passed, _, _ = socket.recv_fds(line, MOST, _MOST_DESCRIPTORS, socket.MSG_CMSG_CLOEXEC)
    if not data:
        return None
    try:
        return list(msgpack.unpackb(data, strict_map_key=False)), passed
    except BaseException:
        for fd in passed:
            os.close(fd)
        raise

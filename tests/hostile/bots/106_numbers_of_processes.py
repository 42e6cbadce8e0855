"""Two bots speak through the numbers that the kernel gives to descriptors of processes, one counter for the whole machine.

Bound: 32 children.
"""

import os
import socket
import struct

from hostile import children, escaped, held, name_of, pair

PEERPIDFD = 77


def by_id():
    return os.pidfd_open(os.getpid())


def by_peer():
    one, other = socket.socketpair()
    with one, other:
        return struct.unpack("i", one.getsockopt(socket.SOL_SOCKET, PEERPIDFD, 4))[0]


def send(turn):
    if turn == 2:
        for pid in children(32, lambda: None):
            os.waitpid(pid, 0)
        held("made children")


def receive(turn):
    if turn in (1, 3):
        for name, deed in {"by id": by_id, "by peer": by_peer}.items():
            try:
                number = os.fstat(deed()).st_ino
            except OSError as error:
                held(f"{name}: {name_of(error)}")
            else:
                escaped(f"{name}: number {number}")


pair(send, receive)

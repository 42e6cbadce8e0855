"""Holds more open files than it may by sending them to itself and never receiving them. Bound: 64 messages of 16 files."""

import array
import os
import socket

from hostile import escaped, held, name_of, play

LIMIT = 256
one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
fd = os.open("/dev/null", os.O_RDONLY)
sent = 0
try:
    for _ in range(64):
        one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd] * 16))])
        sent += 16
except OSError as error:
    # A message may be sent as long as the limit is not exceeded before it.
    (held if sent <= LIMIT + 16 else escaped)(f"{sent} files in flight, then {name_of(error)}")
else:
    escaped(f"{sent} files in flight")
play()

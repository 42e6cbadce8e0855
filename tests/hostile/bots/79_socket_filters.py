"""Takes the memory for compiled filters, of which the machine has a fixed amount, with filters of sockets. Bound: 16 filters."""

import ctypes
import socket
import struct

from hostile import escaped, held, name_of, play

ALLOW = ctypes.create_string_buffer(struct.pack("=HBBI", 0x06, 0, 0, 0xFFFF))
FILTER = struct.pack("=HxxxxxxQ", 1, ctypes.addressof(ALLOW))
OPTIONS = {
    "a filter": (26, FILTER),
    "a program": (50, struct.pack("i", -1)),
    "a filter for a group": (51, FILTER),
    "a program for a group": (52, struct.pack("i", -1)),
    "a lock on the filter": (44, struct.pack("i", 1)),
}
one, other = socket.socketpair()
for name, (option, value) in OPTIONS.items():
    try:
        one.setsockopt(socket.SOL_SOCKET, option, value)
    except OSError as error:
        # Anything else is an answer to the value, so the option is there.
        (held if name_of(error) in ("ENOPROTOOPT", "EPERM") else escaped)(f"{name}: {name_of(error)}")
    else:
        escaped(f"{name} was taken")
play()

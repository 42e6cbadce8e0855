"""Calls out: TCP, UDP, and a question to a name server. Aims at listeners of the test alone. Bound: three connections."""

import fcntl
import socket
import struct

from hostile import TARGETS, escaped, held, name_of, play, refused

HOST, TCP, UDP = TARGETS["out"]


def connect():
    with socket.create_connection((HOST, TCP), timeout=0.2) as connection:
        return connection.getpeername()


def ask(data):
    # A datagram that nobody refuses proves nothing: the test looks whether it has come.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.settimeout(0.1)
        datagrams.connect((HOST, UDP))
        datagrams.send(data)
        return datagrams.recv(100)


def interfaces():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for _, name in socket.if_nameindex():
            asked = struct.pack("16sH14x", name.encode(), 0)
            flags = struct.unpack("16xH14x", fcntl.ioctl(any_socket, 0x8913, asked))[0]
            if flags & 1 and not flags & 8:
                yield name


refused("TCP", connect)
refused("UDP", lambda: ask(b"hello"))
refused("DNS", lambda: ask(b"\x12\x34\x01\0\0\1\0\0\0\0\0\0\7bullfor\4test\0\0\1\0\1"))
try:
    found = list(interfaces())
except OSError as error:
    held(f"interfaces: {name_of(error)}")
else:
    (escaped if found else held)(f"interfaces that lead out: {found}")
play()

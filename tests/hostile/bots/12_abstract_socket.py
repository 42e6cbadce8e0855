"""Calls a socket that has no file: abstract names are as wide as the network namespace. Bound: one call."""

import socket

from hostile import TARGETS, play, refused


def connect():
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("\0" + TARGETS["abstract"])
        return "connected"


refused("an abstract socket", connect)
play()

"""Calls the services of the machine's user: engine, message bus, keys. Aims at the test's stand-ins alone. Bound: a call each."""

import os
import socket

from hostile import TARGETS, escaped, held, play, refused


def connect(path):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        return "connected"


for path in TARGETS["services"]:
    refused(f"the service at {path}", lambda path=path: connect(path))
for name in ("DOCKER_HOST", "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR"):
    (escaped if name in os.environ else held)(f"{name}={os.environ.get(name, '')}")
play()

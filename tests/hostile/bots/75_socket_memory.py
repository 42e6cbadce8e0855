"""Takes memory that is in sockets: what was sent and not yet read. Bound: twice what it may have, for two seconds."""

import contextlib
import os
import signal
import socket
import time

from hostile import MIB, TARGETS, WAY, children, escaped, held, name_of, only_in, play

only_in("docker", "bwrap")
GOAL = 2 * TARGETS["memory"]
FEW = 24
"""Pairs that one process may have open."""


def loopback():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        one = socket.create_connection(listener.getsockname())
        return one, listener.accept()[0]


def fill(report):
    """Send until the pairs are full, and tell how much that was."""
    kept, sent = [], 0
    with contextlib.suppress(OSError, MemoryError):
        while len(kept) < FEW:
            one, other = {"pairs": socket.socketpair, "loopback": loopback}[WAY]()
            kept.append((one, other))
            for end in (one, other):
                with contextlib.suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
                end.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        sent += end.send(bytes(4096))
    os.write(report, sent.to_bytes(8, "big"))
    time.sleep(2)


def question(number, message):
    if number != 2:
        return
    if WAY == "loopback":
        try:
            loopback()
        except OSError as error:
            held(f"a loopback: {name_of(error)}")
            return
    heard, report = os.pipe()
    sent, pids = 0, []
    while sent < GOAL and len(pids) < 48:
        more = children(1, lambda: fill(report))
        if not more:
            break
        pids += more
        sent += int.from_bytes(os.read(heard, 8), "big")
    if sent >= GOAL:
        time.sleep(0.5)
        escaped(f"{sent // MIB} MiB in sockets of {len(pids)} processes")
    else:
        held(f"{sent // MIB} MiB in sockets of {len(pids)} processes")
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


play(question)

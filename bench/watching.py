"""Viewers in a process of their own: `python -m bench.watching PORT SECONDS COUNT PATH ...` prints how late events came.

Each event has the time at which it was told, `"told": SECONDS`, of the clock that all processes of a machine share. COUNT viewers
are spread over the paths.
"""

import json
import re
import resource
import select
import socket
import sys
import time

from bench.figures import p99

_TOLD = re.compile(rb'"told": ?([0-9.]+)')


def main() -> None:
    """Connect, say so, and read until the time is over."""
    port, seconds, count, *paths = sys.argv[1:]
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    epoll, sockets = select.epoll(), {}
    for number in range(int(count)):
        one = socket.create_connection(("127.0.0.1", int(port)))
        one.sendall(f"GET {paths[number % len(paths)]} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        one.setblocking(False)
        sockets[one.fileno()] = one
        epoll.register(one, select.EPOLLIN)
    silent = set(sockets)
    while silent:  # until everybody has heard something
        for fd, _ in epoll.poll(10) or sys.exit("some viewers hear nothing"):
            sockets[fd].recv(1 << 20)
            silent.discard(fd)
    print("ready", flush=True)
    late: list[float] = []
    end = time.monotonic() + float(seconds)
    while (left := end - time.monotonic()) > 0:
        for fd, _ in epoll.poll(left):
            told = _TOLD.findall(sockets[fd].recv(1 << 20))
            if told:
                late.append(time.monotonic() - float(told[-1]))
    print(json.dumps({"events": len(late), "p99": p99(late) if late else 0.0, "most": max(late, default=0.0)}))


if __name__ == "__main__":
    main()

"""The processes of a web server, seen from the command that starts them: they are watched over, and started anew if they die.

The command keeps the sockets. So a server may die or be killed: who comes meanwhile waits for the next one, and who watches comes
back after two seconds to where they were.
"""

import os
import select
import signal
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Self

from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.kinds import SERVER, Kind
from bullring.arena.watching.web.handing import hand, pair
from bullring.errors import HostError, UsageError

BACKLOG = 1024
"""Connections that wait to be accepted."""

QUICK = 5.0
"""Seconds: processes that end sooner, and do so `TRIES` times one after the other, are not started again."""

TRIES = 3

STDIN = 0

HANG_UP = 2.0
"""Seconds that a signal may come after the end of the terminal that it tells of."""

Start = Callable[[], Sequence[Child]]
"""Starts processes that can do nothing without each other."""


@dataclass
class _Team:
    """Processes that are started together, and end together."""

    start: Start
    children: Sequence[Child] = ()
    began: float = 0.0
    quick: int = 0
    """How often in a row they have ended soon after their start."""
    fds: list[int] = field(default_factory=list)

    def begin(self) -> None:
        """Start them."""
        self.began = time.monotonic()
        self.children = self.start()
        self.fds = [os.pidfd_open(child.pid) for child in self.children]

    def end(self) -> None:
        """End them."""
        for fd in self.fds:
            os.close(fd)
        for child in self.children:
            child.hang_up()
        for child in self.children:
            child.end()
        self.fds, self.children = [], ()

    def again(self) -> str:
        """Start them anew, because one has died. Returns what has happened. Raises `HostError` if that does not help."""
        ended = next(child for child in self.children if child.status is not None)
        what = f"{ended.kind.name} {ended.wait()}"
        self.end()
        self.quick = self.quick + 1 if time.monotonic() - self.began < QUICK else 0
        if self.quick >= TRIES:
            raise HostError(f"{what}, again and again")
        self.begin()
        return what


def must_be_installed() -> None:
    """Raise `UsageError` unless what serves is installed."""
    if not all(map(find_spec, ("hypercorn", "starlette"))):
        raise UsageError(
            "a server needs packages that are not installed; install them with: pip install 'bullring[web]'"
        )


def watch_over(starts: Sequence[Start], tell: Callable[[str], None], ready: Callable[[], None]) -> None:
    """Start processes, say when they run, and start those anew that die, until a signal comes. Raises `HostError`.

    The end of the terminal is a signal, too, though the kernel may tell somebody else of it who does not pass it on, such as make.
    """
    teams = [_Team(start) for start in starts]
    try:
        for team in teams:
            team.begin()
        ready()
        while True:
            looking = select.poll()
            by_fd = {fd: team for team in teams for fd in team.fds}
            for fd in by_fd:
                looking.register(fd, select.POLLIN)
            if _has_the_terminal():
                looking.register(STDIN, 0)
            ended, *_ = looking.poll()[0]
            if ended == STDIN:
                time.sleep(HANG_UP)  # usually interrupted
                raise KeyboardInterrupt
            tell(f"{by_fd[ended].again()}, and was started again")
    finally:
        for team in teams:
            team.end()


def _has_the_terminal() -> bool:
    """Whether this process ends with its terminal: it is in front there, and was not started to outlive it."""
    with suppress(OSError):
        return signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN and os.tcgetpgrp(STDIN) == os.getpgrp()
    return False


class Hall:
    """What the steward of tables with people and the servers beside it have in common. Either may die and be started anew.

    As a context manager it is given up in the end.
    """

    def __init__(self, kind: Kind, *words: str, may_make: bool) -> None:
        """`kind` is started with the descriptor on which servers come, and these words."""
        self._kind = kind
        self._words = words
        self._may_make = may_make
        self._ours, self._stewards = pair()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ours.close()
        self._stewards.close()

    def start(self) -> Sequence[Child]:
        """Start the steward. What servers have told the one before, and it has not heard, is heard by this one."""
        fd = self._stewards.fileno()
        return [Child(self._kind, str(fd), *self._words, passed=[fd])]

    @contextmanager
    def server(self) -> Iterator[tuple[str, Sequence[int]]]:
        """For a new server: a word of its command line, and the descriptors that it inherits."""
        line, stewards = pair()
        hears, told = os.pipe()
        try:
            with line, stewards:
                hand(self._ours, "server", passed=[stewards.fileno(), told])
                yield f"{line.fileno()},{hears},{int(self._may_make)}", [line.fileno(), hears]
        finally:
            os.close(hears)
            os.close(told)


def server_with(
    folder: Path,
    listening: Sequence[socket.socket],
    hosts: Sequence[str],
    feed: Kind,
    *words: str,
    hall: Hall | None = None,
    asked: bool = False,
) -> Sequence[Child]:
    """Start a server of the files in a folder, and the feed that tells it news. Returns when it is ready. Raises `HostError`.

    A feed that is `asked` finds the descriptor of the server's questions before its words.
    """
    fds = [one.fileno() for one in listening]
    with ExitStack() as stack:

        def pipe() -> tuple[int, int]:
            ends = os.pipe()
            for fd in ends:
                stack.callback(os.close, fd)
            return ends

        hears, told = pipe()
        asks = pipe() if asked else ()
        news = ",".join(map(str, (hears, *asks[1:])))
        tables, more = ("", ()) if hall is None else stack.enter_context(hall.server())
        server = Child(
            SERVER,
            *(str(folder), news, ",".join(hosts), tables),
            *map(str, fds),
            passed=[hears, *asks[1:], *fds, *more],
        )
        with ExitStack() as failing:
            failing.callback(server.end)
            _await_ready(server)
            teller = Child(feed, *map(str, asks[:1]), *words, stdout=told, passed=asks[:1])
            failing.pop_all()
        return [server, teller]


def _await_ready(server: Child) -> None:
    if next(iter(server.ear()), None) is None:
        raise HostError(f"{server.kind.name} {server.wait()}")


@contextmanager
def listening(address: str, port: int) -> Iterator[tuple[Sequence[socket.socket], str]]:
    """Sockets that listen at an address, and the URL of them; port 0 is any that is free. Raises `UsageError`."""
    try:
        found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, place = found[0]
        made = socket.create_server(place[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        raise UsageError(
            f"cannot listen at {address} port {port}: {error.strerror or error}; choose another one with --port, or any: --port 0"
        ) from None
    with made:
        made.set_inheritable(False)
        name = f"[{place[0]}]" if family == socket.AF_INET6 else str(place[0])
        yield [made], f"http://{name}:{made.getsockname()[1]}"

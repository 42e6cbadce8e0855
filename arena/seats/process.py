"""A bot in a process of its own, spoken to over its stdin and stdout."""

import contextlib
import os
import secrets
import signal
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from struct import unpack
from typing import IO

import trio

from arena.bots.manifest import Bot
from arena.faults import FaultKind
from arena.seats import tree
from arena.seats.player import READ_SIZE, Log, StartFailure, greet
from protocol.connection import Connection
from protocol.messages import Bye

STDERR_LIMIT = 64 * 1024 * 1024
"""Bytes a bot may write to stderr in one match; all are read, few are kept."""

REAP_LIMIT = 5.0
"""Seconds to wait for killed processes to go; one that hangs in the kernel must not hang the arena."""

FAREWELL = 0.25
"""Seconds a bot has to end by itself after its bye."""

_live: dict[int, str] = {}
"""The mark of each bot process of this referee, by process id."""


def _draw_ids() -> Iterator[int]:
    while True:
        for number in unpack(">1024I", os.urandom(4096)):
            yield number >> 1


new_id = partial(next, _draw_ids())
"""Draws an id of 31 bits that nobody can foretell."""


class BotProcess:
    """A running bot. Made by `start`, ended by `close`."""

    def __init__(self, bot: Bot, process: "subprocess.Popen[bytes]", mark: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.bot = bot
        self.process = process
        self.connection = Connection(new_id)
        self.read_fd = process.stdout.fileno()
        self.write_fd = process.stdin.fileno()
        self.recv = partial(os.read, self.read_fd, READ_SIZE)
        self.send = partial(os.write, self.write_fd)
        self.stopped = False
        self.seen: set[str] = set()
        """Which deals it has seen, as whoever seats it names them."""
        self.idle_since = 0.0
        self._ended = False
        """Whether it was we who killed it."""
        self._stderr: IO[bytes] = process.stderr
        self._mark = mark
        self._log = Log()
        self._played = False
        self._verdict: tuple[FaultKind, str] | None = None
        for fd in (self.read_fd, self.write_fd, self._stderr.fileno()):
            os.set_blocking(fd, False)

    def __repr__(self) -> str:
        return f"<BotProcess {self.bot.name!r}, pid {self.process.pid}, {self.exit_text()}>"

    @classmethod
    async def start(cls, bot: Bot, limit: float, nursery: trio.Nursery, mark: str = "") -> "BotProcess":
        """Start the program and wait for its hello; `nursery` reads its stderr. Raises `StartFailure`.

        Its mark, by which all it starts is found, begins with `mark`.

        Must run in the main thread: a child that asks to die with its parent dies with the *thread* that started it.
        """
        mark += secrets.token_hex(8)
        try:
            process = subprocess.Popen(
                bot.command,
                cwd=bot.folder,
                env=_environment(mark),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise StartFailure("a program that starts", f"{error.strerror or error}: {bot.command[0]}") from None
        _live[process.pid] = mark
        self = cls(bot, process, mark)
        nursery.start_soon(self._drain)
        try:
            await greet(self, limit)
        except StartFailure as failure:
            await self.close()
            failure.log = self.log()
            failure.exit = self.exit_text()
            raise
        except BaseException:
            with trio.CancelScope(shield=True):
                await self.close()
            raise
        return self

    def begin_match(self) -> None:
        """From here on stderr belongs to the next match; the first one has what came at the start, too."""
        if self._played:
            self._read_stderr()
            self._log = Log()
        self._played = True

    def log(self) -> str:
        """What came on stderr since the match began."""
        self._read_stderr()
        return self._log.text()

    def verdict(self) -> tuple[FaultKind, str] | None:
        """Why the arena ended the bot."""
        return self._verdict

    def exit_text(self) -> str:
        """How the process ended."""
        code = self.process.poll()
        if code is None:
            return "still running"
        if code >= 0:
            return f"exited with status {code}"
        if self._ended and code == -signal.SIGKILL:
            return "ended by the arena"
        try:
            return f"killed by {signal.Signals(-code).name}"
        except ValueError:
            return f"killed by signal {-code}"

    def resident_bytes(self) -> int:
        """The resident memory of the bot and all it started."""
        return tree.resident_bytes(self.process.pid)

    def condemn(self, kind: FaultKind, got: str) -> None:
        """End the bot for what it did outside the protocol; the referee sees the end of its output and asks for the verdict."""
        if self._verdict is None and not self.stopped:
            self._verdict = kind, got
            self.stop()

    def stop(self) -> None:
        """Kill the process and its group at once. The rest of its tree goes when it is closed."""
        self.stopped = True
        if self.process.poll() is None:
            self._ended = True
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    async def close(self, reason: str = "") -> None:
        """Say bye if there is a `reason`, wait a moment, end the whole tree and wait until it is gone."""
        if reason and not self.stopped and self.process.poll() is None:
            with contextlib.suppress(OSError):
                self.send(self.connection.encoder.message(Bye(reason=reason)))
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        if reason and not self.stopped:
            with trio.move_on_after(FAREWELL):
                await self._wait()
        # How it ended by itself is remembered before anything is killed.
        self._ended |= self.process.poll() is None
        with trio.CancelScope(shield=True):
            others = {mark for mark in _live.values() if mark != self._mark}
            root = self.process.pid if self.process.returncode is None else None
            doomed = tree.end(root, self._mark, _live, others)
            await self._wait()
            await _reap(doomed - {self.process.pid})
        _live.pop(self.process.pid, None)
        self._read_stderr()
        trio.lowlevel.notify_closing(self._stderr)
        self._stderr.close()
        self.process.stdout.close()

    async def _wait(self) -> None:
        """Until the process has ended."""
        if self.process.poll() is not None:
            return
        fd = os.pidfd_open(self.process.pid)
        try:
            await trio.lowlevel.wait_readable(fd)
        finally:
            os.close(fd)
        self.process.wait()

    async def _drain(self) -> None:
        """Read stderr all the time: a bot must never wait because nobody does."""
        with contextlib.suppress(trio.ClosedResourceError):
            while not self._stderr.closed:
                await trio.lowlevel.wait_readable(self._stderr)
                if not self._read_stderr():
                    return

    def _read_stderr(self) -> bool:
        """Read what there is; False at the end."""
        if self._stderr.closed:
            return False
        try:
            data = os.read(self._stderr.fileno(), READ_SIZE)
        except BlockingIOError:
            return True
        self._log.write(data)
        if self._log.total > STDERR_LIMIT:
            self.condemn(FaultKind.OUTPUT, f"more than {STDERR_LIMIT >> 20} MiB on stderr")
        return bool(data)


def _environment(mark: str) -> dict[str, str]:
    """Only what programs need: nothing of the referee's own settings is a bot's business."""
    keep = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
    kept = {name: os.environ[name] for name in keep if name in os.environ}
    # A bot's folder is its author's: Python is not to leave its caches there.
    return kept | {tree.MARK: mark, "PYTHONDONTWRITEBYTECODE": "1"}


async def _reap(pids: set[int]) -> None:
    """Wait until killed processes are gone. As their parents were killed too, they become our children, if they are not yet."""
    with trio.move_on_after(REAP_LIMIT):
        while pids:
            for pid in list(pids):
                try:
                    done = os.waitpid(pid, os.WNOHANG)[0] != 0
                except ChildProcessError:
                    done = not Path(f"/proc/{pid}").exists()
                if done:
                    pids.discard(pid)
            if pids:
                await trio.sleep(0.001)

"""A running child process, for parents that may wait for it. `with_trio` and `with_asyncio` have those for their loops."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import IO, Any, Self

from bullring.arena.cells.processes.frames import Ear, offer, tell
from bullring.arena.cells.processes.kinds import Kind, ended

LOOK_EVERY = 0.01
"""Seconds between two looks whether a child that is to end has ended."""

Output = int | IO[Any]


class Child:
    """A child process, from its start until it is reaped. As a context manager it is ended when the context is left."""

    def __init__(
        self,
        kind: Kind,
        *words: str,
        environment: Mapping[str, str] | None = None,
        stdin: Output | None = None,
        stdout: Output | None = None,
        stderr: Output | None = None,
        passed: Sequence[int] = (),
    ) -> None:
        """Start it with these arguments, and variables beside those of this process. Raises `OSError`.

        `stdin` is for kinds with a terminal. Without a `stdout`, its messages are read from it. It inherits `passed`.
        """
        self.kind = kind
        self.sink = self.source = -1
        """The descriptors on which it is told and tells; -1: there is none, or it was taken over."""
        with ExitStack() as theirs, ExitStack() as ours:
            hears, self.sink = os.pipe()
            theirs.callback(os.close, hears)
            ours.callback(self.hang_up)
            if stdout is None:
                self.source, stdout = os.pipe()
                theirs.callback(os.close, stdout)
            if kind.terminal:
                words, passed = (str(hears), *words), (*passed, hears)
                # It hears from us when it is to end. A Ctrl-C before it has the keyboard would only make it print a traceback.
                theirs.callback(
                    signal.pthread_sigmask,
                    signal.SIG_SETMASK,
                    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}),
                )
            if stderr is None and kind.stderr == "none":
                stderr = subprocess.DEVNULL
            self._process = subprocess.Popen(
                kind.command(*words),
                stdin=stdin if kind.terminal else hears,
                stdout=stdout,
                stderr=stderr,
                start_new_session=kind.session,
                env=None if environment is None else {**os.environ, **environment},
                pass_fds=passed,
            )
            ours.pop_all()
        self.pid = self._process.pid

    def __repr__(self) -> str:
        return f"<Child {self.pid}: {self.kind.name}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def status(self) -> int | None:
        """Its return code, negative if a signal killed it; None while it runs."""
        return self._process.poll()

    def tell(self, *message: Any) -> None:
        """Send a message; waits until it has room for it. Raises `BrokenPipeError` if it has ended."""
        tell(self.sink, *message)

    def offer(self, *message: Any) -> bool:
        """Send a message of at most `ATOMIC` bytes without waiting. Returns whether there was room, or the child has ended."""
        return offer(self.sink, *message)

    def ear(self) -> Ear:
        """The messages that it sends."""
        return Ear(self.source)

    def hang_up(self) -> None:
        """Close the descriptors to it that were not taken over."""
        for fd in (self.sink, self.source):
            if fd >= 0:
                os.close(fd)
        self.sink = self.source = -1

    def kill(self) -> None:
        """Kill it, and its process group if it has one of its own."""
        if self.status is None:
            with suppress(ProcessLookupError):
                (os.killpg if self.kind.session else os.kill)(self.pid, signal.SIGKILL)

    def wait(self) -> str:
        """Wait until it has ended, and reap it. Returns how it ended."""
        return ended(self._process.wait())

    def ending(self) -> Iterator[float]:
        """Reap it once it has ended, and kill it when its patience is over. Yields seconds to sleep before going on.

        Its stdin must be closed.
        """
        deadline = time.monotonic() + self.kind.patience
        while self.status is None and time.monotonic() < deadline:
            yield LOOK_EVERY
        self.kill()
        self.wait()

    def end(self) -> None:
        """End it; waits for that. May be called again."""
        self.hang_up()
        for seconds in self.ending():
            time.sleep(seconds)

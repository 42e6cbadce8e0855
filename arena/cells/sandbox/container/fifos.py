"""Named pipes between a container and us, which do not pass through its engine.

The first process opens them by their names, before there is a bot, and then the names go: a bot finds an empty folder. Through
`/proc/self/fd` it can open its own pipes again, as in other tiers, but only in their own direction.
"""

import contextlib
import os
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import trio

from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.sandbox.cell import OnLog
from bullring.arena.cells.sandbox.pipes import Pipes
from bullring.errors import HostError

PLACE = "/pipes"
"""The folder of the pipes in a container."""

OPENING = f"exec 2>{PLACE}/err >{PLACE}/out <{PLACE}/in; echo >&2; read -r go"
"""What the shell that is the first process does with them: with an empty line it says that it has all, and for one it waits."""

_OPENED = _GO = b"\n"

_MODES = {"in": 0o604, "out": 0o602, "err": 0o602}
"""A container has a user of its own, whom we may not even know: engines can map them to others."""

OPEN_LIMIT = 120.0
"""Seconds after which a first process that neither opens its pipes nor ends hangs. A busy machine only makes it slow."""


class Fifos(Pipes):
    """The pipes of one container. They have `Streams`."""

    by_engine = False
    fault: str | None = None

    def __init__(self, above: Path, on_log: OnLog) -> None:
        """Make them in a folder of their own in this one, to be mounted at `PLACE`. Raises `HostError`."""
        try:
            above.mkdir(exist_ok=True, parents=True)  # somebody may have tidied up
            above.chmod(0o711)
            self.folder = Path(tempfile.mkdtemp(dir=above))
            self.folder.chmod(0o711)
            for name, mode in _MODES.items():
                os.mkfifo(self.folder / name)
                (self.folder / name).chmod(mode)
            # For reading first: without a reader, one cannot be opened for writing.
            self._reader, stdout, stderr = (os.open(self.folder / name, os.O_RDONLY | os.O_NONBLOCK) for name in _MODES)
            stdin = os.open(self.folder / "in", os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            raise HostError(f"no pipes can be made in {above}: {error.strerror}") from None
        self._shown = True
        """Whether others can open them."""
        super().__init__((stdin, stdout, stderr), on_log)

    async def opened(self, ended: Callable[[], Awaitable[None]]) -> None:
        """Wait until the first process has opened them. `ended` waits for its end. Raises `HostError`."""
        with trio.move_on_after(OPEN_LIMIT):
            async with trio.open_nursery() as nursery:

                async def first(event: Callable[[], Awaitable[None]]) -> None:
                    await event()
                    nursery.cancel_scope.cancel()

                nursery.start_soon(first, self._written)
                nursery.start_soon(first, ended)
        said = self._said(len(_OPENED))
        if said != _OPENED:
            told = (said + self._said(1000)).decode("utf-8", "replace").strip()
            raise HostError(f"a container does not open pipes of this machine{told and ': '}{told}")
        self._hide()
        with contextlib.suppress(OSError):  # it has ended, which its output tells
            self.send(_GO)

    async def _written(self) -> None:
        await trio.lowlevel.wait_readable(self._stderr)

    def _said(self, most: int) -> bytes:
        try:
            return os.read(self._stderr, most)
        except BlockingIOError:
            return b""

    def _hide(self) -> None:
        """Let nobody else open them, and be no reader of what is for the program."""
        if self._shown:
            self._shown = False
            os.close(self._reader)
            remove_tree(self.folder)

    async def hear_out(self) -> None:
        self.read_log()

    def cut(self) -> None:
        """Nobody has to be kept from waiting for us."""

    def close(self) -> None:
        self._hide()
        super().close()

"""Show matches while they are played: the part in the referee's process. The pictures are made by another process.

Drawing takes longer than a fast bot's turn, so it must not happen in the process that keeps the clocks. A child process reads the
records. It is never waited for: the pictures follow at their own pace.
"""

import subprocess
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.kinds import LIVE
from bullring.arena.watching.screens.terminal import full_screen

MOST = 600
"""Characters of a line that is passed on. So a message stays below what a pipe takes at once."""


class Watching:
    """The process that shows matches. All methods return at once, whether it reads or not."""

    def __init__(self, child: Child, *, on_screen: bool) -> None:
        self.on_screen = on_screen
        """Whether it has the whole terminal, so that nothing else may write there."""
        self._child = child
        self._owed: deque[tuple[Any, ...]] = deque()
        """Messages that must not be lost and did not fit into the pipe yet."""
        self.finished = False
        """Whether it was told that no more matches come."""
        self._match = 0

    @property
    def code(self) -> int | None:
        """The exit code of the process; None while it shows something."""
        self._pay()
        return self._child.status

    def show(self, record: Path, title: str = "", *, remove: bool = False) -> None:
        """Show another match after all earlier ones. Its record exists, even if it is empty. With `remove`, it is removed when it
        has been shown."""
        self._match += 1
        self._owe("show", str(record.resolve()), title, remove)

    def finish(self) -> None:
        """Tell it that no more matches come: it ends when all have been shown."""
        self.finished = True
        self._owe("end")

    def thinking(self, batch: int, seats: Sequence[int]) -> None:
        """Tell the seats that have not answered the batch with this number, in the match that was shown last."""
        self._offer("thinking", self._match, batch, *seats)

    def say(self, text: str) -> None:
        """Show a line of text beside the match."""
        self._offer("said", text[:MOST])

    def _owe(self, *message: Any) -> None:
        self._owed.append(message)
        self._pay()

    def _pay(self) -> None:
        while self._owed and self._child.offer(*self._owed[0]):
            self._owed.popleft()

    def _offer(self, *message: Any) -> None:
        """Send a message that may be lost."""
        if not self._owed:
            self._child.offer(*message)


@contextmanager
def watching(pace: float, out: TextIO) -> Iterator[Watching]:
    """Run the program: on the whole of `out` if it is a terminal, else as text. It ends when the context is left.

    `pace` is the time of a step on a terminal in seconds.
    """
    screen = full_screen(out)
    stdin, stderr = (None, out) if screen else (subprocess.DEVNULL, None)
    with Child(LIVE, "screen" if screen else "text", str(pace), stdin=stdin, stdout=out, stderr=stderr) as child:
        yield Watching(child, on_screen=screen)

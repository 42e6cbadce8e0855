"""The interfaces of cells, which are running confined programs, and of sandboxes, which start them."""

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

import trio

from bullring.arena.cells.sandbox.account import Account
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.promises import Gap, Means
from bullring.arena.cells.sandbox.tier import Tier

OnLog = Callable[[bytes], None]
"""Called with everything that the program writes to stderr, in pieces."""


class Breach(StrEnum):
    """A cap that a program exceeded."""

    MEMORY = "memory"
    OUTPUT = "output"
    FORKS = "crash"
    """It could not be frozen, and was ended. The value is the fault's kind."""


def beyond(memory: int) -> str:
    """The beginning of the evidence of a memory breach, the same whatever counts it."""
    return f"more than {memory >> 20} MiB of memory"


class Cell(Protocol):
    """A running confined program. All methods except `wait` and `end` return at once."""

    read_fd: int
    """A descriptor that becomes readable when there is output on stdout, or the program has ended."""
    write_fd: int
    """A descriptor that becomes writable when its stdin has room. Never the same number as `read_fd`."""
    recv: Callable[[], bytes]
    """Read its stdout; empty at the end. Raises `BlockingIOError` if there is nothing yet; `ConnectionError` also means the end."""
    send: Callable[[bytes], int]
    """Write to its stdin. Returns the number of bytes written. Raises `BlockingIOError`, or another `OSError` if it is closed."""
    freezes: bool
    """Whether `freeze` has an effect: the run freezes bots, and this cell can be frozen."""
    frozen: bool
    core: int
    """The core that the program is bound to; where programs are not bound, any number."""

    def freeze(self) -> None:
        """Stop all its processes until `thaw`, if it `freezes`. Does nothing if it is frozen already."""

    def thaw(self) -> None:
        """Let it run again. Does nothing if it is not frozen."""

    def ended(self) -> bool:
        """Whether the program itself has ended or was killed. Processes that it started may run until `end`."""

    def exit_text(self) -> str:
        """Describe how it ended: "exited with status 1", "killed by SIGSEGV", "ended by the arena", "still running".

        "killed by SIGSEGV, or exited with status 139, ..." where that cannot be told, as in containers.
        """

    def condemn(self, breach: Breach, evidence: str) -> None:
        """Kill it for exceeding a cap that is watched from outside, unless it has ended."""

    def breach(self) -> tuple[Breach, str] | None:
        """The exceeded cap that ended it, with the evidence: what was counted, and what counted it."""

    def host_fault(self) -> str | None:
        """Describe the failure of the machine that ended it, if there was one."""

    def account(self, *, closely: bool = True) -> Account | None:
        """The kernel's account of the program so far; None where all counts could be forged by a program.

        `closely`: what it uses from now on is judged soon, so it is watched until then, where accounts are better for that.
        """

    def usage(self) -> tuple[float, int]:
        """Return the seconds of processor time that it has used so far, and the bytes of memory it holds, with all its processes.

        Both are 0 where they cannot be measured, as after its end.
        """

    def read_log(self) -> None:
        """Pass on what is in its stderr now."""

    def hang_up(self) -> None:
        """Close its stdin."""

    def kill(self) -> None:
        """Kill it and everything it started, as far as possible at once. May be called again."""

    async def wait(self) -> None:
        """Wait until the program itself has ended."""

    async def end(self) -> None:
        """Kill it and everything it started, wait until all is gone, and clean up. The cell cannot be used afterwards."""


class Sandbox(Protocol):
    """Starts cells of one tier, which is proven on this machine, for all bots of a run."""

    tier: Tier
    freeze: bool
    """Whether bots are frozen while they have nothing to decide."""
    counts: bool
    """Whether its cells have accounts."""

    @property
    def means(self) -> frozenset[Means]:
        """The means that close gaps of the tier."""

    async def prepare(self, program: Program) -> str:
        """Prepare what the program needs to start, such as an image, while no clock runs. Raises `CellError`, `HostError`.

        Returns what tells apart the container image that is part of the bot, because it names or builds it; empty if there is none.
        """

    async def start(self, program: Program, on_log: OnLog) -> Cell:
        """Start a program. It may not have reached its first line when this returns. Raises `CellError`, `HostError`."""


def gaps_of(sandbox: Sandbox) -> list[Gap]:
    """The parts of promises that it does not keep on this machine."""
    return [gap for gap in sandbox.tier.gaps if sandbox.means.isdisjoint(gap.unless)]


def heard(cell: Cell) -> bytes | None:
    """Read the program's output; None if there is nothing so far, empty at its end."""
    try:
        return cell.recv()
    except BlockingIOError:
        return None
    except ConnectionError:
        return b""


async def said(cell: Cell) -> bytes:
    """Wait for what the program says next; empty at the end of its output."""
    data = None
    while data is None:
        await trio.lowlevel.wait_readable(cell.read_fd)
        data = heard(cell)
    return data

"""A cell: a program that runs confined, however that is done; and the sandbox, which starts cells."""

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from bullring.arena.sandbox.program import Program
from bullring.arena.sandbox.tiers import Tier

OnLog = Callable[[bytes], None]
"""Called with what the program wrote to stderr, in pieces; nothing is held back."""


class Breach(StrEnum):
    """A limit that a program broke."""

    MEMORY = "memory"
    OUTPUT = "output"


class Cell(Protocol):
    """A program in its confinement. Everything but `wait` and `end` returns at once."""

    read_fd: int
    """Becomes readable when the program has said something on stdout, or has ended."""
    write_fd: int
    """Becomes writable when its stdin has room. Never the same number as `read_fd`."""
    recv: Callable[[], bytes]
    """What it said on stdout; empty at the end. Raises `BlockingIOError` if there is nothing now, `ConnectionError` as the end."""
    send: Callable[[bytes], int]
    """Write to its stdin: how many bytes went. Raises `BlockingIOError`, or another `OSError` if nobody reads any more."""
    freezes: bool
    """Whether it is frozen while it has nothing to decide."""
    frozen: bool

    def freeze(self) -> None:
        """Let nothing of it run until `thaw`, if it `freezes`. What is frozen stays frozen."""

    def thaw(self) -> None:
        """Let it run again. No harm if it runs."""

    def ended(self) -> bool:
        """Whether the program itself has ended or was killed; what it started may live on until `end`."""

    def exit_text(self) -> str:
        """How it ended: "exited with status 1", "killed by SIGSEGV", "ended by the arena", "still running"."""

    def condemn(self, breach: Breach, evidence: str) -> None:
        """Kill it because it broke a limit that is watched from outside, unless it has ended."""

    def breach(self) -> tuple[Breach, str] | None:
        """The limit that ended it, with the evidence: what was counted, and by whom."""

    def host_fault(self) -> str | None:
        """What of the machine failed, if that is what ended it."""

    def waited(self) -> float:
        """Seconds that the program wanted to run and could not, because others had the processor; 0 where that cannot be told.

        What it may have done to itself is taken off, so it may be negative; only the difference of two calls says something.
        """

    def kept_waiting(self, since: float) -> float:
        """What it has waited since `since`, which is an earlier `waited`; also what it waits for at this moment, which the kernel
        counts only when the program runs again. 0 if it has other processes, by which it could make itself wait.
        """

    def read_log(self) -> None:
        """Hand on what lies in its stderr now."""

    def hang_up(self) -> None:
        """Close its stdin."""

    def kill(self) -> None:
        """Kill it with all it started, as far as that goes at once. More than once does no harm."""

    async def wait(self) -> None:
        """Until the program itself has ended."""

    async def end(self) -> None:
        """Kill it with all it started, wait until all is gone, and leave nothing. The cell is of no use afterwards."""


class Sandbox(Protocol):
    """What starts cells: one tier, proven on this machine, for all bots of a run."""

    tier: Tier
    freeze: bool
    """Whether bots are frozen while they have nothing to decide."""

    def means(self) -> str:
        """By what means limits are kept: "memory by cgroup, ..."."""

    async def prepare(self, program: Program) -> None:
        """Make what has to be made ahead, outside of all clocks: an image. Raises `CellError`, `HostError`."""

    async def start(self, program: Program, on_log: OnLog) -> Cell:
        """Start a program; it may not have got to its first line when this returns. Raises `CellError`, `HostError`."""

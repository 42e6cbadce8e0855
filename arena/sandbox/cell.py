"""A cell: a program that runs confined, however that is done."""

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

OnLog = Callable[[bytes], None]
"""Called with what the program wrote to stderr, in pieces; nothing is held back."""


class Breach(StrEnum):
    """A limit that a program hit."""

    MEMORY = "memory"


class CellError(Exception):
    """A program could not be started: its own fault, or that of who brought it."""


class HostError(Exception):
    """The machine failed, not the program: the engine died, no cgroup could be made. Says what and how to mend it."""


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
    """Whether it can be frozen."""

    def freeze(self) -> None:
        """Let nothing of it run until `thaw`. Only if it `freezes`; what is frozen stays frozen."""

    def thaw(self) -> None:
        """Let it run again."""

    def ended(self) -> bool:
        """Whether the program itself has ended; what it started may live on until `end`."""

    def exit_text(self) -> str:
        """How it ended: "exited with status 1", "killed by SIGSEGV", "ended by the arena", "still running"."""

    def breach(self) -> tuple[Breach, str] | None:
        """The limit that ended it, with the evidence: what was counted, and by whom."""

    def host_fault(self) -> str | None:
        """What failed of the machine, if that is what ended it."""

    def resident_bytes(self) -> int:
        """The memory of the program and all it started, as well as it can be told."""

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

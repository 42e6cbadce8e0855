"""Whose is it? What a referee makes on a machine carries the referee's name, so that the next one knows what was left behind."""

import os
import re
import secrets
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NAME = r"[1-9]\d{0,9}-\d{1,20}-\d{1,20}"
"""What names look like, as a regular expression without groups."""


@cache
def _name_of_us(pid: int) -> str:
    # Not by our number: /proc may be that of another pid namespace, in which we have another one.
    return f"{pid}-{_start_time('self')}-{_pid_namespace()}"


@dataclass(frozen=True)
class Owner:
    """For whom a sandbox starts programs: a ladder home, one of its referee processes, or nobody in particular."""

    name: str = ""
    """Begins the marks of all programs, so that what an earlier run of the same owner has left is found."""
    hidden: tuple[Path, ...] = ()
    """Files and folders that no program may ever see, though they may stand in what else is shown."""

    def mark(self) -> str:
        """A mark for one more program, by which all it starts is found."""
        return f"{self.name}~{me()}~{secrets.token_hex(8)}"


def me() -> str:
    """The name of this process: its id, the time of its start in ticks since the boot, and its pid namespace.

    No other process has it until the next boot.
    """
    return _name_of_us(os.getpid())


def name(pid: int) -> str:
    """The name of another process in our pid namespace. Raises `OSError` if there is none, or it is dead."""
    return f"{pid}-{start_time(pid)}-{_pid_namespace()}"


def alive(name: str) -> bool:
    """Whether the process of this name still runs: True unless it is known to be dead.

    So True for what cannot be looked at, such as processes of other pid namespaces, and for a text that is not a name.
    """
    if not re.fullmatch(NAME, name, re.ASCII):
        return True
    pid, started, namespace = map(int, name.split("-"))
    try:
        if namespace != _pid_namespace() or os.readlink("/proc/self") != str(os.getpid()):  # noqa: PTH115  # no path
            return True
        return start_time(pid) == started
    except FileNotFoundError:
        return _may_be_there(pid)
    except ProcessLookupError:
        return False
    except (OSError, ValueError, IndexError):
        return True


def _may_be_there(pid: int) -> bool:
    """Whether there is such a process, though it may be hidden from us in /proc."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True


def start_time(pid: int) -> int:
    """When a process was started, in ticks since the boot. Raises `OSError` if there is none, or it is dead."""
    return _start_time(str(pid))


def _start_time(entry: str) -> int:
    # The program's name stands in brackets and may contain anything, brackets too.
    fields = Path(f"/proc/{entry}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    if fields[0] in "ZX":
        raise ProcessLookupError(entry)
    return int(fields[19])


@cache
def _pid_namespace() -> int:
    return Path("/proc/self/ns/pid").stat().st_ino

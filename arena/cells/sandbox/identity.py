"""Names of referees. Everything that a referee creates on a machine carries its name, so that a later one can remove leftovers.

Bots must not see such names: a process joins its cgroup before it gets a cgroup namespace, of which its own is then the root.
"""

import os
import re
import secrets
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NAME = r"[1-9]\d{0,9}-\d{1,20}-\d{1,20}"
"""The format of names, as a regular expression without groups."""


@cache
def _name_of_us(pid: int) -> str:
    # Not /proc/PID: /proc may belong to another pid namespace, in which our process has another id.
    return f"{pid}-{_start_time('self')}-{_pid_namespace()}"


@dataclass(frozen=True)
class Owner:
    """The owner of a sandbox's programs: a ladder home, one of its referee processes, or none."""

    name: str = ""
    """Begins the marks of all programs, so that leftovers of an earlier run of the same owner can be found."""
    hidden: tuple[Path, ...] = ()
    """Files and folders that no program may see, even inside folders that are shown."""

    def mark(self) -> str:
        """Return a new mark for one program, which identifies everything the program starts."""
        return f"{self.name}~{me()}~{secrets.token_hex(8)}"


def me() -> str:
    """The name of this process: its id, its start time in ticks since boot, and its pid namespace.

    Unique until the next boot.
    """
    return _name_of_us(os.getpid())


def name(pid: int) -> str:
    """The name of another process in our pid namespace. Raises `OSError` if it does not exist or is dead."""
    return f"{pid}-{start_time(pid)}-{_pid_namespace()}"


def alive(name: str) -> bool:
    """True unless the process of this name is known to be dead.

    So True for processes that cannot be examined, such as those of other pid namespaces, and for a text that is not a name.
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
    """Whether the process may exist, even if it is hidden from us in /proc."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True


def start_time(pid: int) -> int:
    """The start time of a process, in ticks since boot. Raises `OSError` if it does not exist or is dead."""
    return _start_time(str(pid))


def _start_time(entry: str) -> int:
    # The program's name is in parentheses and may contain anything, including parentheses.
    fields = Path(f"/proc/{entry}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    if fields[0] in "ZX":
        raise ProcessLookupError(entry)
    return int(fields[19])


@cache
def _pid_namespace() -> int:
    return Path("/proc/self/ns/pid").stat().st_ino

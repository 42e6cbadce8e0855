"""Whose is it? What a referee makes on a machine carries the referee's name, so that the next one knows what was left behind."""

import os
from functools import cache
from pathlib import Path


@cache
def _name_of(pid: int) -> str:
    return f"{pid}-{start_time(pid)}"


def me() -> str:
    """The name of this process: its id and the time of its start, in ticks since the boot, so that no other has it until then."""
    return _name_of(os.getpid())


def alive(name: str) -> bool:
    """Whether the process of this name still runs. A text that is no name is taken for one that does not."""
    pid, _, started = name.partition("-")
    try:
        return start_time(int(pid)) == int(started)
    except (ValueError, OSError):
        return False


def start_time(pid: int) -> int:
    """When a process was started, in ticks since the boot. Raises `OSError` if there is none, or it is dead."""
    # The program's name stands in brackets and may contain anything, brackets too.
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    if fields[0] in "ZX":
        raise ProcessLookupError(pid)
    return int(fields[19])

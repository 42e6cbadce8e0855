"""The memory of programs that no cgroup counts: what their processes hold, and what their sockets and pipes may hold.

Processes that fork share pages, and each page counts once: the kernel tells the share of each process (PSS). That takes time, so it
is asked only where the sum of what each one maps exceeds the limit. What a process hides from us counts in full.
"""

import contextlib
import ctypes
import os
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.seccomp.syscalls import machine
from bullring.errors import UnknownMachine

MOST_LOOKED_AT = 8192
"""Most open files of one bot to look at. That takes a tenth of a second, and no honest bot has more."""

_TRIES = 8
"""Most counts of processes that come and go meanwhile."""

_SPACE, _FILES = 1, 2
"""Things that threads can share, see kcmp(2): KCMP_VM, KCMP_FILES."""

_MAPPED = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap|VmPTE):\s+(\d+) kB", re.MULTILINE)
"""In /proc/PID/status: memory that cannot be fetched again from a file, and page tables, which can be larger than what they map."""

_TABLES = re.compile(rb"^VmPTE:\s+(\d+) kB", re.MULTILINE)
_SLOTS = re.compile(rb"^FDSize:\s+(\d+)$", re.MULTILINE)
_SHARES = re.compile(rb"^(Pss|Pss_File|SwapPss):\s+(\d+) kB", re.MULTILINE)


def held(limit: int, processes: Callable[[], set[int]]) -> int:
    """The bytes that processes hold together, pages of files aside. Above `limit` exact, below it perhaps too many.

    The processes are asked for again and again: a page of one that has just forked or ended would count in part, or twice.
    """
    counts: list[int] = []
    mapped: dict[int, int] = {}
    for _ in range(_TRIES):
        found = processes()
        mapped = dict(map(_alive, found))
        if sum(mapped.values()) <= limit:
            return sum(mapped.values())
        # A child of vfork shares the memory of its parent.
        count = sum(_share(thread, mapped[thread]) for thread in _apart(mapped, _SPACE))
        if processes() == found:
            counts.append(max([count, *mapped.values()]))
        if len(counts) == 2 or (counts and counts[0] <= limit):
            return min(counts)
    return min(counts, default=sum(mapped.values()))


def buffers(processes: Iterable[int], enough: int, open_files: int) -> int:
    """The bytes that buffers of processes may hold: memory that they do not map.

    What they hold cannot be asked, so this is the most that they may, with at most `open_files` in each process. Stops counting at
    `enough`. After the first `MOST_LOOKED_AT` files it no longer looks what they are.
    """
    most = _most_buffered()
    seen: dict[str, int] = {}
    hidden = looked_at = 0
    # Threads may have files of their own, and that of the process's number may have ended.
    for thread in (thread for pid in processes for thread in _apart(tree.threads(pid), _FILES)):
        if sum(seen.values()) + hidden >= enough:
            break
        if looked_at >= MOST_LOOKED_AT:
            hidden += _number_of_files(thread, open_files) * most["socket"]
            continue
        try:
            for fd in os.listdir(f"/proc/{thread}/fd"):  # noqa: PTH208  # only the names are needed
                looked_at += 1
                with contextlib.suppress(FileNotFoundError):
                    what = os.readlink(f"/proc/{thread}/fd/{fd}")  # noqa: PTH115
                    seen[what] = most.get(what.partition(":")[0], 0)
        except PermissionError:
            # A process can hide its descriptors from us. Some kernels hide those of the dead, too, which have none.
            if _mapped(thread):
                hidden += _number_of_files(thread, open_files) * most["socket"]
        except OSError:
            pass
    return sum(seen.values()) + hidden


def _alive(pid: int) -> tuple[int, int]:
    """A thread of a process that shows its memory, and the bytes; the first one, of the process's number, may have ended alone."""
    shown = ((thread, size) for thread in (pid, *tree.threads(pid)) if (size := _mapped(thread)))
    return next(shown, (pid, 0))


def _mapped(thread: int) -> int:
    """The bytes that a process maps and that need memory, pages that it shares included; 0 if it has ended."""
    with contextlib.suppress(OSError):
        return sum(map(int, _MAPPED.findall(Path(f"/proc/{thread}/status").read_bytes()))) << 10
    return 0


def _share(thread: int, mapped: int) -> int:
    """The same bytes, with each page divided among all who map it; all that is `mapped` if the process hides it."""
    try:
        shares = dict(_SHARES.findall(Path(f"/proc/{thread}/smaps_rollup").read_bytes()))
        tables = sum(map(int, _TABLES.findall(Path(f"/proc/{thread}/status").read_bytes())))
        return int(shares[b"Pss"]) - int(shares[b"Pss_File"]) + int(shares[b"SwapPss"]) + tables << 10
    except ProcessLookupError:
        return 0
    except (OSError, KeyError):  # Linux tells Pss_File since 5.3
        return mapped


def _apart(threads: Iterable[int], kind: int) -> list[int]:
    """One thread for each thing of this kind that some of these threads share."""
    found: list[int] = []
    for thread in threads:
        if not any(_same(thread, other, kind) for other in found):
            found.append(thread)
    return found


def _same(thread: int, other: int, kind: int) -> bool:
    """Whether two threads share a thing. False where the kernel does not tell."""
    number = _kcmp()
    return number is not None and _libc.syscall(number, thread, other, kind, 0, 0) == 0


_libc = ctypes.CDLL(None)


@cache
def _kcmp() -> int | None:
    try:
        return machine().numbers["kcmp"]
    except UnknownMachine:
        return None


@cache
def _most_buffered() -> dict[str, int]:
    """The bytes in a pipe and in a socket, by kind as /proc names them. The filter refuses to make either larger.

    A socket takes one more message as long as it is not full, and a message may be half as large as its buffer.
    """
    try:
        full = int(Path("/proc/sys/net/core/wmem_default").read_text("ascii"))
    except (OSError, ValueError):
        full = 212_992
    return {"pipe": 65_536, "socket": full * 3 // 2}


def _number_of_files(thread: int, most: int) -> int:
    """The number of its open files, which it cannot hide since Linux 6.2; with older kernels the slots for them, at least 64."""
    try:
        if number := os.stat(f"/proc/{thread}/fd").st_size:  # noqa: PTH116  # quicker
            return number
        slots = sum(map(int, _SLOTS.findall(Path(f"/proc/{thread}/status").read_bytes())))
    except OSError:
        return 0
    return min(slots, most)

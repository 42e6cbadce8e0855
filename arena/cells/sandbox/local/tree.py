"""End a bot with everything it ever started.

A process group does not hold a program that wants to escape: a child that forks twice and creates its own session leaves group,
session and parent behind. But it cannot leave its ancestry: orphans are given to the nearest *subreaper*, which is us
(`adopt_orphans`). So a bot's tree is all descendants of its process, and those orphans among our own children that carry its mark
in their environment, or none.
"""

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

import trio

from bullring.arena.cells.sandbox import identity, proc

MARK = "BULLRING_BOT"
"""The environment variable that shows to which bot an orphan belongs."""

_ENTRY = f"\0{MARK}=".encode()
"""Where the mark begins among the entries of an environment, each of which ends with a zero."""

_PR_SET_CHILD_SUBREAPER = 36

_ROUNDS = 16
"""Most searches for more processes of one bot. What is left after that is found by a later sweep."""


def adopt_orphans() -> None:
    """Become the parent of all orphaned descendants (Linux 3.4)."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def threads(pid: int) -> list[int]:
    """The threads of a process; empty if it is gone."""
    with contextlib.suppress(OSError):
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208  # only the names are needed
    return []


def children(pid: int, of: Iterable[int] | None = None) -> list[int]:
    """The children of a process, or of these of its threads; empty if it is gone."""
    found: list[int] = []
    for thread in threads(pid) if of is None else of:
        with contextlib.suppress(OSError):
            found += map(int, proc.read(f"/proc/{pid}/task/{thread}/children").split())
    return found


def tasks(pids: Iterable[int]) -> dict[int, list[int]]:
    """The threads of these processes and of all their descendants, by process."""
    found: dict[int, list[int]] = {}
    todo = list(pids)
    while todo:
        pid = todo.pop()
        if pid not in found:
            found[pid] = threads(pid)
            todo += children(pid, found[pid])
    return found


def descendants(pids: Iterable[int]) -> set[int]:
    """These processes and all their descendants."""
    return set(tasks(pids))


def orphans(mark: str, began: int, known: Container[int], other_marks: Container[str] | None) -> list[int]:
    """Find orphans that a bot with this mark may have left among our children.

    They are in another session, not among the `known` ones, do not carry another bot's mark, and are not older than the bot, which
    `began` at this `identity.start_time`. Without `other_marks` they must carry the mark itself.
    """
    me = os.getpid()
    session = os.getsid(0)
    found = []
    for pid in children(me):
        with contextlib.suppress(OSError):
            if pid not in known and os.getsid(pid) != session and not _is_older(pid, began):
                theirs = ""
                with contextlib.suppress(PermissionError, ProcessLookupError):
                    theirs = _mark_of(pid)
                if theirs == mark or (other_marks is not None and theirs not in other_marks):
                    found.append(pid)
    return found


def end(root: int | None, mark: str, began: int, known: Container[int], other_marks: Container[str]) -> set[int]:
    """Kill the whole tree of a bot. `root` is its process, or None if that is gone.

    All processes are stopped first, repeatedly until no new one is found, so that none can escape by forking.
    Returns the killed processes; the caller must wait for the orphans among them.
    """
    doomed: set[int] = set()
    roots = [] if root is None else [root]
    for round_ in range(_ROUNDS):
        new = descendants([*roots, *orphans(mark, began, known, other_marks)]) - doomed
        if not new:
            break
        for pid in new:
            # Kill at once what forks faster than it can be stopped: it must not keep us here.
            send(pid, signal.SIGSTOP if round_ < _ROUNDS // 2 else signal.SIGKILL)
        doomed |= new
    for pid in doomed:
        send(pid, signal.SIGKILL)
    return doomed


async def reap(pids: set[int]) -> None:
    """Wait until killed processes are gone. Their parents were killed as well, so they are or become our children."""
    while pids:
        for pid in list(pids):
            try:
                done = os.waitpid(pid, os.WNOHANG)[0] != 0
            except ChildProcessError:
                done = not Path(f"/proc/{pid}").exists()
            if done:
                pids.discard(pid)
        if pids:
            await trio.sleep(0.001)


def marked(beginning: str, spare: Container[int] = ()) -> list[int]:
    """All processes whose mark has this beginning, except these: possible leftovers of a killed referee."""
    return [pid for pid, mark in _marks() if mark.startswith(beginning) and pid not in spare]


def _marks() -> Iterator[tuple[int, str]]:
    for entry in os.listdir("/proc"):  # noqa: PTH208  # only the names are needed
        if entry.isdigit() and int(entry) != os.getpid():
            with contextlib.suppress(OSError):
                yield int(entry), _mark_of(int(entry))


def sweep_orphans() -> int:
    """Kill processes whose mark names a dead referee. Returns how many there were."""
    left = [pid for pid, mark in _marks() if len(parts := mark.split("~")) == 3 and not identity.alive(parts[1])]
    for pid in left:
        send(pid, signal.SIGKILL)
    return len(left)


def sweep(beginning: str, limit: float = 5.0, spare: Container[int] = ()) -> int:
    """Kill all processes whose mark has this beginning, except these, and wait up to `limit` seconds until they are gone.

    Returns how many there were.
    """
    swept: set[int] = set()
    until = time.monotonic() + limit
    while (left := marked(beginning, spare)) and time.monotonic() < until:
        for pid in left:
            send(pid, signal.SIGKILL)
        swept.update(left)
        time.sleep(0.01)
    return len(swept)


def end_strays(ours: Container[int]) -> None:
    """Kill all our children in other sessions, except `ours`, with their descendants: orphans that were given to us."""
    while strays := [pid for pid in children(os.getpid()) if pid not in ours and _is_of_another_session(pid)]:
        for pid in descendants(strays):
            send(pid, signal.SIGKILL)
        for pid in strays:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def resident_bytes(root: int) -> int:
    """The resident memory of a process and all its descendants, in bytes."""
    return usage(root)[1]


def usage(root: int) -> tuple[float, int]:
    """The seconds of processor time of a process and all its descendants, also of those that ended, and their resident bytes."""
    ticks = pages = 0
    for pid in descendants([root]):
        with contextlib.suppress(OSError, IndexError):
            # utime, stime, cutime, cstime, and later rss.
            fields = proc.fields(f"/proc/{pid}/stat")
            ticks += sum(map(int, fields[11:15]))
            pages += int(fields[21])
    return ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE")


def pid_of(pidfd: int) -> int:
    """The process id behind a pidfd; -1 if the process is gone."""
    lines = Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("Pid:")), -1)


def _is_older(pid: int, began: int) -> bool:
    try:
        return identity.start_time(pid) < began
    except ProcessLookupError:
        return False  # dead, but still has to be reaped


def _is_of_another_session(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return os.getsid(pid) != os.getsid(0)
    return False


def _mark_of(pid: int) -> str:
    _, _, found = (b"\0" + proc.read(f"/proc/{pid}/environ")).partition(_ENTRY)
    return found.partition(b"\0")[0].decode("ascii", "replace")


def send(pid: int, number: int) -> None:
    """Send a signal to a process that may be gone, or not ours."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)

"""Ending a bot with everything it ever started.

A process group does not hold a program that wants to get away: a child that forks twice and makes a session of its own leaves
group, session and parent behind. But it cannot leave its ancestry: an orphan is given to the nearest *subreaper*, and that is
us (`adopt_orphans`). So a bot's tree is what descends from its process, and those orphans among our own children that carry
its mark in their environment or carry none at all.
"""

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

import trio

from bullring.arena.sandbox import identity

MARK = "BULLRING_BOT"
"""The environment variable that tells whose an orphan is."""

_PR_SET_CHILD_SUBREAPER = 36

_ROUNDS = 16
"""How often is looked for more processes of one bot before it is left to the next one who looks."""


def adopt_orphans() -> None:
    """Become the parent of all descendants that lose theirs (Linux 3.4)."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(pid: int) -> list[int]:
    """The processes whose parent is `pid`, or none if it is gone."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  # a plain name is all that is wanted
            with contextlib.suppress(OSError):
                found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_bytes().split())
    return found


def descendants(pids: Iterable[int]) -> set[int]:
    """`pids` and all that descend from them."""
    found: set[int] = set()
    todo = list(pids)
    while todo:
        pid = todo.pop()
        if pid not in found:
            found.add(pid)
            todo += children(pid)
    return found


def orphans(mark: str, began: int, known: Container[int], other_marks: Container[str]) -> list[int]:
    """Our children that a bot with this mark may have left: of another session, none of the `known`, no other bot's.

    And none that are older than the bot, which `began` at a time as of `identity.start_time`.
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
                if theirs == mark or theirs not in other_marks:
                    found.append(pid)
    return found


def end(root: int | None, mark: str, began: int, known: Container[int], other_marks: Container[str]) -> set[int]:
    """Kill the whole tree of a bot, whose own process may be gone (`root` is None).

    Everything is stopped first, again and again until nothing new is found, so that nothing can fork away meanwhile.
    Returns what was killed; the caller must wait for the orphans among it.
    """
    doomed: set[int] = set()
    roots = [] if root is None else [root]
    for round_ in range(_ROUNDS):
        new = descendants([*roots, *orphans(mark, began, known, other_marks)]) - doomed
        if not new:
            break
        for pid in new:
            # Whoever forks faster than it can be stopped is killed at once: it is not to keep us here.
            _signal(pid, signal.SIGSTOP if round_ < _ROUNDS // 2 else signal.SIGKILL)
        doomed |= new
    for pid in doomed:
        _signal(pid, signal.SIGKILL)
    return doomed


async def reap(pids: set[int]) -> None:
    """Wait until killed processes are gone. As their parents were killed too, they become our children, if they are not yet."""
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


def marked(beginning: str) -> list[int]:
    """All processes of ours whose mark begins so: what a referee that was killed may have left."""
    return [pid for pid, mark in _marks() if mark.startswith(beginning)]


def _marks() -> Iterator[tuple[int, str]]:
    for entry in os.listdir("/proc"):  # noqa: PTH208  # a plain name is all that is wanted
        if entry.isdigit() and int(entry) != os.getpid():
            with contextlib.suppress(OSError):
                yield int(entry), _mark_of(int(entry))


def sweep_orphans() -> int:
    """Kill what referees that are dead left behind: processes with a mark that names them. Returns how many."""
    left = [pid for pid, mark in _marks() if len(parts := mark.split("~")) == 3 and not identity.alive(parts[1])]
    for pid in left:
        _signal(pid, signal.SIGKILL)
    return len(left)


def sweep(beginning: str, limit: float = 5.0) -> int:
    """Kill all processes whose mark begins so, and wait until they are gone, at most `limit` seconds. Returns how many."""
    swept: set[int] = set()
    until = time.monotonic() + limit
    while (left := marked(beginning)) and time.monotonic() < until:
        for pid in left:
            _signal(pid, signal.SIGKILL)
        swept.update(left)
        time.sleep(0.01)
    return len(swept)


def end_strays(ours: Container[int]) -> None:
    """Kill all children of another session that are not `ours`, with what descends from them: orphans that were given to us."""
    while strays := [pid for pid in children(os.getpid()) if pid not in ours and _is_of_another_session(pid)]:
        for pid in descendants(strays):
            _signal(pid, signal.SIGKILL)
        for pid in strays:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def resident_bytes(root: int) -> int:
    """The resident memory of a process and all that descend from it."""
    pages = 0
    for pid in descendants([root]):
        with contextlib.suppress(OSError, IndexError):
            pages += int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _is_older(pid: int, began: int) -> bool:
    try:
        return identity.start_time(pid) < began
    except ProcessLookupError:
        return False  # it is dead, and has to be waited for


def _is_of_another_session(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return os.getsid(pid) != os.getsid(0)
    return False


def _mark_of(pid: int) -> str:
    prefix = f"{MARK}=".encode()
    for entry in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
        if entry.startswith(prefix):
            return entry[len(prefix) :].decode("ascii", "replace")
    return ""


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)

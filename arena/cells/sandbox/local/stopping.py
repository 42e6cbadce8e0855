"""Freeze a namespace of processes by signals, where there is no cgroup freezer.

Nothing in it may run on, wake another, or wake itself:

* The kernel sends a signal to all of a process group at once, and to what its members are forking at that moment (Linux 4.19).
  Nothing joins or leaves a group later, because the filter makes neither setpgid nor setsid.
* The filter also refuses to give a process children that it did not start (subreapers, CLONE_PARENT). So all orphans are children
  of the namespace's first process. It is stopped first, and reaps nothing: a chain of forks fills the cap on processes with its
  own dead.
* A thread that waits in vfork takes no signal, and the kernel offers one to no other thread if that one is first in line. So each
  thread gets its own.
* SIGCONT comes from us alone: see `seccomp.policy`. No program writes to the first process's memory: see `first_process`.
"""

import contextlib
import ctypes
import os
import signal

from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.seccomp.syscalls import machine

ROUNDS = 16
"""Most searches. An honest program is found as a whole by the first."""

_libc = ctypes.CDLL(None)


def stop(first: int) -> set[int] | None:
    """Stop a namespace's first process and all its descendants. Returns their process groups; None if more keep appearing."""
    groups, stopped = {first}, set[int]()
    _send(first, signal.SIGSTOP)
    for _ in range(ROUNDS):
        new = False
        for pid, threads in tree.tasks([first]).items():
            with contextlib.suppress(ProcessLookupError):
                if (group := os.getpgid(pid)) not in groups:
                    groups.add(group)
                    _send(group, signal.SIGSTOP)
            for thread in set(threads) - stopped:
                new = True
                stopped.add(thread)
                _libc.syscall(machine().numbers["tgkill"], pid, thread, signal.SIGSTOP)
        # Orphaned during the search, and so perhaps missed.
        if not new and stopped.issuperset(tree.children(first)):
            return groups
    return None


def resume(groups: set[int], first: int) -> None:
    """Let what was stopped run on; the first process before its orphans."""
    for group in sorted(groups, key=first.__ne__):
        _send(group, signal.SIGCONT)


def _send(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)

"""Freeze a namespace of processes by signals, where there is no cgroup freezer.

Nothing in it may run on, wake another, or wake itself:

* All are in the group of the namespace's first process, because the filter of system calls lets nothing leave it. The kernel sends
  a signal to a whole group at once, and to what its members are forking at that moment (Linux 4.19).
* A thread that waits in vfork takes no signal, and the kernel offers one to no other thread if that one is first in line. So each
  thread gets its own. A search can miss what is orphaned meanwhile: all orphans go to the first process, which is looked at again.
* SIGCONT comes from us alone: see `seccomp.policy`. No program writes to the first process's memory: see `first_process`.
"""

import contextlib
import ctypes
import os
import signal

from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.seccomp.syscalls import machine

ROUNDS = 16
"""Most searches. Almost always the second finds nothing more."""

_libc = ctypes.CDLL(None)


def stop(first: int) -> bool:
    """Stop a namespace's first process and all its descendants. Returns whether no more of them keep appearing."""
    _send(first, signal.SIGSTOP)
    stopped = set[int]()
    for _ in range(ROUNDS):
        before = len(stopped)
        for pid, threads in tree.tasks([first]).items():
            for thread in set(threads) - stopped:
                _libc.syscall(machine().numbers["tgkill"], pid, thread, signal.SIGSTOP)
            stopped.update(threads)
        if len(stopped) == before and stopped.issuperset(tree.children(first)):
            return True
    return False


def resume(first: int) -> None:
    """Let what was stopped run on."""
    _send(first, signal.SIGCONT)


def _send(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)

"""Reads and writes the memory of the referee, where the hands are. Bound: a try each way; it lets go of what it catches."""

import ctypes
from pathlib import Path

from hostile import TARGETS, checked, libc, play, refused, syscall

REFEREE = TARGETS["referee"]
PTRACE_ATTACH, PTRACE_DETACH, PTRACE_SEIZE = 16, 17, 0x4206


def catch(how):
    ptrace = libc().ptrace
    ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    checked(ptrace(how, REFEREE, None, None))
    ptrace(PTRACE_DETACH, REFEREE, None, None)
    return "caught the referee"


def reach(name):
    # Of no bytes: enough to see whether it would be allowed.
    return syscall(name, REFEREE, None, 0, None, 0, 0) or f"{name} is allowed"


refused("ptrace", lambda: catch(PTRACE_SEIZE))
refused("its memory as a file", lambda: Path(f"/proc/{REFEREE}/mem").open("rb"))
refused("its map", lambda: Path(f"/proc/{REFEREE}/maps").read_bytes())
refused("process_vm_readv", lambda: reach("process_vm_readv"))
refused("process_vm_writev", lambda: reach("process_vm_writev"))
play()

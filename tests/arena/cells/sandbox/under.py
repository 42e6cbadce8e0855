"""`python under.py FILTER COMMAND ...`: the command under the filter in that file. Standard library only: it runs by itself."""

import ctypes
import os
import sys
from pathlib import Path

NO_NEW_PRIVS, SECCOMP, MODE_FILTER = 38, 22, 2


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def confine(code: bytes) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        SECCOMP, MODE_FILTER, ctypes.byref(Program(len(code) // 8, code)), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "the filter could not be loaded")


if __name__ == "__main__":
    confine(Path(sys.argv[1]).read_bytes())
    os.execvp(sys.argv[2], sys.argv[2:])

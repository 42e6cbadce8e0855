"""What Landlock is to allow: rulesets for `confine_and_exec`, from what this kernel knows of Landlock."""

import ctypes
import struct
from collections.abc import Sequence
from functools import cache

Rules = tuple[bytes, list[tuple[int, list[str]]]]
"""The ruleset, and pairs of rights and paths that have them."""

# From linux/landlock.h.
_CREATE_RULESET, _VERSION = 444, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _REFER = 1, 2, 4, 8, 1 << 13
_FS_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""Number of file rights, by Landlock version."""
_TCP = 3
_SCOPES = 3
"""LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL."""


@cache
def version() -> int:
    """The version of Landlock in this kernel; 0 if it has none, or if it is switched off."""
    found: int = ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, _VERSION)
    return max(0, found)


def let_rename() -> bool:
    """Whether what is confined can move files between folders, as since version 2 (Linux 5.19)."""
    return version() >= 2


def nothing_but(read: Sequence[str], write: Sequence[str], own: Sequence[str], *, network: bool) -> Rules:
    """Reading and executing the paths in `read`, writing to the files in `write`, and everything in the folders in `own`."""
    every = (1 << _FS_RIGHTS.get(version(), 16)) - 1
    attributes = (every, _TCP if not network else 0, _SCOPES)
    known = 3 if version() >= 6 else 2 if version() >= 4 else 1
    rules = (_EXECUTE | _READ_FILE | _READ_DIR, read), (_READ_FILE | _WRITE_FILE, write), (every, own)
    return struct.pack(f"={known}Q", *attributes[:known]), [(rights, list(paths)) for rights, paths in rules]


def no_files_but(read: Sequence[str], own: Sequence[str]) -> Rules:
    """Opening the files in `read` for reading, and everything in the folders in `own`. Only where rules `let_rename`."""
    every = _READ_FILE | _WRITE_FILE | _REFER
    return struct.pack("=Q", every), [(_READ_FILE, list(read)), (every, list(own))]

"""Remove a folder of our own, however deep strangers made it."""

import os
from itertools import count
from pathlib import Path

from bullring.arena.cells.files.walk import opened

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_tree(folder: Path) -> None:
    """Remove a folder with everything in it, or a file; nothing happens if it does not exist. Links are not followed.

    Inner folders are moved up before they are emptied, so that two descriptors and short paths suffice for any depth.
    Raises `OSError`.
    """
    try:
        with opened(folder.parent) as above:
            if _unlinked(folder.name, above):
                return
            top = _opened(folder.name, above)
            try:
                _empty(top)
            finally:
                os.close(top)
            os.rmdir(folder.name, dir_fd=above)
    except FileNotFoundError:
        return


def _empty(top: int) -> None:
    numbers = count()
    taken = set(os.listdir(top))
    left = [name for name in taken if not _unlinked(name, top)]
    while left:
        name = left.pop()
        inner = _opened(name, top)
        try:
            for child in os.listdir(inner):  # noqa: PTH208  # a descriptor has no path
                if not _unlinked(child, inner):
                    moved = next(new for new in map(str, numbers) if new not in taken)
                    os.rename(child, moved, src_dir_fd=inner, dst_dir_fd=top)
                    left.append(moved)
        finally:
            os.close(inner)
        os.rmdir(name, dir_fd=top)


def _opened(name: str, folder: int) -> int:
    """Open a folder, and make it ours to empty, whatever mode its maker gave it."""
    try:
        fd = os.open(name, _FOLDER, dir_fd=folder)
        if os.fstat(fd).st_mode & 0o700 == 0o700:
            return fd
        os.close(fd)
    except PermissionError:
        pass
    held = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        Path(f"/proc/self/fd/{held}").chmod(0o700)  # fchmod does not take such a descriptor
    finally:
        os.close(held)
    return os.open(name, _FOLDER, dir_fd=folder)


def _unlinked(name: str, folder: int) -> bool:
    """Whether it was no folder and is gone."""
    try:
        os.unlink(name, dir_fd=folder)
    except IsADirectoryError:
        return False
    return True

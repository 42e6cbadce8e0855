"""Read one file of bounded size."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from bullring.errors import FilesError

_CHUNK = 1 << 20
_PLAIN = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def shown(path: Path | str | bytes) -> str:
    """A path as valid text: bytes that are not UTF-8 are escaped. Control characters are left in."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def open_file(path: Path | str | bytes, *, within: int | None = None, follow: bool = False, label: str = "") -> int:
    """Open a plain file for reading and return its descriptor. Never waits. `within` is the descriptor of a folder that a
    relative path begins at. `follow` allows the file to be a link. `label` is the path that errors name.

    Raises `FilesError`, `OSError`.
    """
    label = label or shown(path)
    try:
        fd = os.open(path, _PLAIN | (0 if follow else os.O_NOFOLLOW), dir_fd=within)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise FilesError(f"{label} is a link; replace it with a copy of its target") from None
        if error.errno == errno.ENXIO:  # a socket
            raise FilesError(f"{label} is not a plain file") from None
        raise
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise FilesError(f"{label} is not a plain file")
    return fd


def read_file(path: Path, most: int, *, follow: bool = False) -> bytes:
    """The contents of a plain file of at most `most` bytes. `follow` allows it to be a link.

    Raises `FilesError`, `OSError`.
    """
    fd = open_file(path, follow=follow)
    with open(fd, "rb", buffering=0) as file:  # noqa: PTH123  # a descriptor has no path
        size = os.fstat(fd).st_size
        data = bytearray()
        while size <= most and len(data) <= most and (chunk := file.read(most + 1 - len(data))):
            data += chunk
    if size > most or len(data) > most:
        raise FilesError(f"{shown(path)} has more than {most} bytes; make it smaller")
    return bytes(data)


def chunks(fd: int, label: str) -> Iterator[bytes]:
    """The contents of an open file. Raises `FilesError` if they change meanwhile."""
    before = os.fstat(fd)
    left = before.st_size
    while chunk := os.read(fd, min(_CHUNK, left + 1)):
        left -= len(chunk)
        if left < 0:
            break
        yield chunk
    after = os.fstat(fd)
    if left or (before.st_mtime_ns, before.st_ctime_ns) != (after.st_mtime_ns, after.st_ctime_ns):
        raise FilesError(f"{label} changed while it was read; try again while nothing writes to it")

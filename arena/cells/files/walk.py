"""Walk a folder by descriptors, within bounds."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Protocol

from bullring.arena.cells.files.read import open_file, shown
from bullring.errors import FilesError

MIB = 1 << 20

MOST_DEPTH = 32
"""Most folders above a file, within the folder."""
MOST_PATH = 1024
"""Most bytes of a path within the folder."""
MOST_NAMES = 100_000
"""Most names that are read of one folder, wanted or not, where the bounds do not allow more."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True)
class Bounds:
    """The largest folder that is accepted."""

    size: int = 256 * MIB
    """Bytes of all files together, holes included."""
    files: int = 10_000
    """Files, folders and links together."""


class Kind(Enum):
    """The kind of an entry; its value is the letter in the hash of a folder."""

    FILE = b"f"
    PROGRAM = b"x"
    """A file that its owner may execute."""
    FOLDER = b"d"
    LINK = b"l"


@dataclass(frozen=True)
class Entry:
    """Something in a folder."""

    path: bytes
    """Relative to the top, with slashes."""
    kind: Kind
    label: str
    """Its path for error messages."""
    target: bytes = b""
    """Of a link."""
    fd: int = -1
    """A file, open for reading until the next entry is asked for."""


class Wanted(Protocol):
    """A test whether a path is yielded, counted and, if it is a folder, entered."""

    def __call__(self, path: bytes, *, is_folder: bool) -> bool: ...


def everything(path: bytes, *, is_folder: bool) -> bool:
    """Want everything."""
    del path, is_folder
    return True


@contextmanager
def opened(folder: Path) -> Iterator[int]:
    """A descriptor of a folder. Links in its path are followed, for the path is the caller's own; what is inside is not."""
    fd = os.open(folder, _FOLDER)
    try:
        yield fd
    finally:
        os.close(fd)


@dataclass
class _Open:
    """A folder that is being walked."""

    prefix: bytes
    fd: int
    names: Iterator[bytes] = field(default_factory=lambda: iter(()))


def walk(top: int, label: str, bounds: Bounds, wanted: Wanted = everything, *, follow: bool = False) -> Iterator[Entry]:
    """The entries below the open folder `top` that are `wanted`, each folder before what is in it.

    With `follow`, links count as what they lead to, wherever that is: only for folders that no stranger can write to.
    Raises `FilesError`, `OSError`.
    """
    no_links = 0 if follow else os.O_NOFOLLOW
    owner = os.fstat(top).st_uid
    files, size = bounds.files, bounds.size
    folders = [_Open(b"", os.dup(top))]
    try:
        folders[0].names = _names(folders[0], wanted, bounds, files, label, follow=follow)
        while folders:
            here = folders[-1]
            name = next(here.names, None)
            if name is None:
                os.close(folders.pop().fd)
                continue
            path = here.prefix + name
            place = f"{label}/{shown(path)}"
            if len(path) > MOST_PATH:
                raise FilesError(f"{place[:100]}... has a path of more than {MOST_PATH} bytes; shorten it")
            files -= 1
            if files < 0:
                raise _too_many(label, bounds)
            try:
                mode = os.stat(name, dir_fd=here.fd, follow_symlinks=follow).st_mode
                if stat.S_ISLNK(mode):
                    yield Entry(path, Kind.LINK, place, target=os.readlink(name, dir_fd=here.fd))
                elif stat.S_ISDIR(mode):
                    if len(folders) > MOST_DEPTH:
                        raise FilesError(f"{place[:100]}... is more than {MOST_DEPTH} folders deep; move it up")
                    folders.append(_Open(path + b"/", os.open(name, _FOLDER | no_links, dir_fd=here.fd)))
                    folders[-1].names = _names(folders[-1], wanted, bounds, files, label, follow=follow)
                    yield Entry(path, Kind.FOLDER, place)
                elif stat.S_ISREG(mode):
                    with _opened_file(name, here.fd, place, follow=follow) as fd:
                        status = os.fstat(fd)
                        if status.st_nlink > 1 and status.st_uid != owner:
                            # A hard link to somebody else's file, which its maker perhaps could not read.
                            raise FilesError(f"{place} is a hard link to another user's file; replace it with a copy")
                        size -= status.st_size
                        if size < 0:
                            most = bounds.size // MIB
                            raise FilesError(f"{label} is larger than {most} MiB; remove what the bot does not need")
                        yield Entry(path, Kind.PROGRAM if status.st_mode & 0o111 else Kind.FILE, place, fd=fd)
                else:
                    raise FilesError(f"{place} is neither a file nor a folder; remove it from the bot's folder")
            except OSError as error:
                # What was a folder, a link or a file a moment ago is something else or gone.
                if error.errno in (errno.ENOTDIR, errno.ELOOP, errno.EINVAL, errno.ENOENT):
                    raise FilesError(
                        f"{place} changed while it was read; try again while nothing writes to it"
                    ) from None
                raise
    finally:
        for folder in folders:
            os.close(folder.fd)


@contextmanager
def _opened_file(name: bytes, folder: int, label: str, *, follow: bool) -> Iterator[int]:
    fd = open_file(name, within=folder, follow=follow, label=label)
    try:
        yield fd
    finally:
        os.close(fd)


def _names(folder: _Open, wanted: Wanted, bounds: Bounds, left: int, label: str, *, follow: bool) -> Iterator[bytes]:
    """The wanted names in an open folder, sorted. Stops reading as soon as there are too many."""
    names = []
    most = max(MOST_NAMES, bounds.files)
    with os.scandir(folder.fd) as entries:
        for number, entry in enumerate(entries):
            if number == most:
                where = f"{label}/{shown(folder.prefix)}"
                raise FilesError(f"{where[:200]} alone holds more than {most} files; remove what the bot does not need")
            name = os.fsencode(entry.name)
            if wanted(folder.prefix + name, is_folder=entry.is_dir(follow_symlinks=follow)):
                names.append(name)
                if len(names) > left:
                    raise _too_many(label, bounds)
    return iter(sorted(names))


def _too_many(label: str, bounds: Bounds) -> FilesError:
    return FilesError(f"{label} has more than {bounds.files} files and folders; remove what the bot does not need")

"""Filling an empty folder of our own with what strangers send, and hashing it meanwhile.

Of a file's mode only the executable bit is kept; its owner and times are not.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bullring.arena.cells.files.hash import FolderHash
from bullring.arena.cells.files.links import refuse_outward
from bullring.arena.cells.files.read import shown
from bullring.arena.cells.files.walk import MOST_DEPTH, MOST_PATH, Kind, opened
from bullring.errors import FilesError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

MOST_NAME = 255
"""Most bytes of one name."""


class Filling:
    """A folder that is being filled, each folder before what is in it. Only we can write to it."""

    def __init__(self, top: int, label: str) -> None:
        """`top` is a descriptor of the folder, `label` its name for error messages."""
        self._top = top
        self._label = label
        self._found = FolderHash()
        self._folders = {b""}
        self._links: dict[bytes, bytes] = {}

    def folder(self, path: bytes) -> None:
        """Make a folder. Raises `FilesError`, `OSError`."""
        with self._above(path) as (here, name):
            os.mkdir(name, 0o755, dir_fd=here)
            inner = os.open(name, _FOLDER, dir_fd=here)
            os.fchmod(inner, 0o755)  # whatever the umask is
            os.close(inner)
        self._folders.add(path)
        self._found.add(path, Kind.FOLDER, hashlib.sha256().hexdigest())

    def link(self, path: bytes, target: bytes) -> None:
        """Make a link. Where it leads is looked at in the end. Raises `FilesError`, `OSError`."""
        if not target or b"\0" in target:
            raise FilesError(f"{self._place(path)} is a link to nothing that can have a name")
        with self._above(path) as (here, name):
            os.symlink(target, name, dir_fd=here)
        self._links[path] = target
        self._found.add(path, Kind.LINK, hashlib.sha256(target).hexdigest())

    @contextmanager
    def file(self, path: bytes, kind: Kind) -> Iterator[Callable[[bytes], None]]:
        """Make a file, and give what writes to it. Raises `FilesError`, `OSError`."""
        digest = hashlib.sha256()
        with self._above(path) as (here, name):
            new = os.open(name, _NEW, 0o600, dir_fd=here)
        with open(new, "wb") as file:  # noqa: PTH123  # a descriptor has no path

            def write(data: bytes) -> None:
                digest.update(data)
                if data.count(0) == len(data):
                    file.seek(len(data), os.SEEK_CUR)  # a sparse file takes no more room here than where it was made
                else:
                    file.write(data)

            yield write
            file.truncate()
            os.fchmod(new, 0o755 if kind is Kind.PROGRAM else 0o644)
        self._found.add(path, kind, digest.hexdigest())

    def finish(self) -> str:
        """Make the folder readable for others, and return its hash. Raises `FilesError` if links lead out of it; and `OSError`."""
        os.fchmod(self._top, 0o755)
        refuse_outward(self._links, self._label)
        return self._found.text()

    @contextmanager
    def _above(self, path: bytes) -> Iterator[tuple[int, bytes]]:
        """The folder that something new is in, and its name there. No part of the way is a link: the folders are our own."""
        above, _, name = path.rpartition(b"/")
        if above not in self._folders:
            raise FilesError(f"{self._place(path)} came before the folder that it is in")
        if name in (b"", b".", b"..") or b"\0" in name or len(name) > MOST_NAME:
            raise FilesError(f"{self._place(path)} has a name that no file can have")
        if len(path) > MOST_PATH:
            raise FilesError(f"{self._place(path)} has a path of more than {MOST_PATH} bytes; shorten it")
        if path.count(b"/") > MOST_DEPTH:
            raise FilesError(f"{self._place(path)} is more than {MOST_DEPTH} folders deep; move it up")
        here = os.open(above or b".", _FOLDER, dir_fd=self._top)
        try:
            yield here, name
        except FileExistsError:
            raise FilesError(f"{self._place(path)} came twice") from None
        finally:
            os.close(here)

    def _place(self, path: bytes) -> str:
        place = f"{self._label}/{shown(path)}"
        return place if len(place) <= 200 else f"{place[:200]}..."


@contextmanager
def filling(folder: Path, label: str) -> Iterator[Filling]:
    """Fill a folder. Raises `OSError`. It is not cleaned up."""
    with opened(folder) as top:
        yield Filling(top, label)

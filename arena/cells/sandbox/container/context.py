"""Pack a bot's folder as the context of a build, reproducibly, and name the image after its contents."""

import hashlib
import io
import os
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bullring.arena.cells.files.ignore_file import Ignoring
from bullring.arena.cells.files.read import read_file, shown
from bullring.arena.cells.files.walk import Bounds, Kind, Wanted, opened, walk
from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.sandbox.program import DOCKERFILE
from bullring.errors import CellError, FilesError

BOUNDS = Bounds(256 * MIB, 20_000)
"""The largest folder. All of it is sent through the engine."""

MOST_TEXT = 65_536
"""Bytes of the largest Dockerfile and the largest .dockerignore."""

_TYPES = {
    Kind.FILE: (tarfile.REGTYPE, 0o644),
    Kind.PROGRAM: (tarfile.REGTYPE, 0o755),
    Kind.FOLDER: (tarfile.DIRTYPE, 0o755),
    Kind.LINK: (tarfile.SYMTYPE, 0o777),
}
"""Of modes only the executable bit is kept, so that the same contents give the same image."""

IGNORE = ".dockerignore"


def name(digest: str, bases: Sequence[str]) -> str:
    """Name the image of a folder with this digest, built on these base images."""
    return hashlib.sha256(" ".join([digest, *bases]).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Packed:
    """A packed folder."""

    digest: str
    """The SHA-256 of the tar."""
    dockerfile: bytes


def pack(folder: Path, hidden: Sequence[Path], into: IO[bytes]) -> Packed:
    """Write a tar of the folder, without files that `.dockerignore` names or that are `hidden`.

    Raises `CellError` if the folder is too large or cannot be read.
    """
    seen = _Hashing(into)
    dockerfile = b""
    try:
        wanted = _wanted(folder, hidden)
        with opened(folder) as top, tarfile.open(fileobj=seen, mode="w|", format=tarfile.PAX_FORMAT) as tar:
            for entry in walk(top, shown(folder), BOUNDS, wanted):
                info = tarfile.TarInfo(os.fsdecode(entry.path))
                info.type, info.mode = _TYPES[entry.kind]
                info.linkname = os.fsdecode(entry.target)
                if entry.fd < 0:
                    tar.addfile(info)
                    continue
                info.size = os.fstat(entry.fd).st_size
                with open(entry.fd, "rb", closefd=False) as file:  # a descriptor has no path
                    if entry.path == os.fsencode(DOCKERFILE):
                        dockerfile = _small(file, entry.label)
                        info.size = len(dockerfile)
                        tar.addfile(info, io.BytesIO(dockerfile))
                    else:
                        tar.addfile(info, file)
    except FilesError as error:
        raise CellError(f"{error}, or list it in {IGNORE} if the build does not need it") from None
    except OSError as error:
        raise CellError(f"{error.filename or folder} cannot be read: {error.strerror or error}") from None
    return Packed(seen.hash.hexdigest(), dockerfile)


def _small(file: IO[bytes], label: str) -> bytes:
    data = file.read(MOST_TEXT + 1)
    if len(data) > MOST_TEXT:
        raise FilesError(f"{label} has more than {MOST_TEXT} bytes; make it smaller")
    return data


def _wanted(folder: Path, hidden: Sequence[Path]) -> Wanted:
    """Return the test for paths to pack. Raises `FilesError`, `CellError`."""
    secrets = {path.resolve() for path in hidden}
    top = folder.resolve()
    try:
        text = read_file(folder / IGNORE, MOST_TEXT).decode("utf-8", "replace")
    except FileNotFoundError:
        text = ""
    try:
        ignoring = Ignoring(text, IGNORE)
    except FilesError as error:
        raise CellError(str(error)) from None

    def wanted(path: bytes, *, is_folder: bool) -> bool:
        name = os.fsdecode(path)
        return name == DOCKERFILE or (top / name not in secrets and not ignoring.skips(name, is_folder=is_folder))

    return wanted


class _Hashing(io.RawIOBase):
    """A file that hashes data and passes it on."""

    def __init__(self, into: IO[bytes]) -> None:
        self._into = into
        self.hash = hashlib.sha256()

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        """Hash the data and write it."""
        self.hash.update(data)
        return self._into.write(data)

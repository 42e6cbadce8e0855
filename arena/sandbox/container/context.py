"""Pack a bot's folder as the context of a build, reproducibly, and name the image after its contents."""

import hashlib
import io
import os
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from bullring.arena.sandbox.caps import MIB
from bullring.errors import CellError

MOST_BYTES = 256 * MIB
MOST_FILES = 20_000
"""Most bytes and files in a folder. All of it is sent through the engine."""

IGNORE = ".dockerignore"


def name(digest: str, bases: Sequence[str]) -> str:
    """Name the image of a folder with this digest, built on these base images."""
    return hashlib.sha256(" ".join([digest, *bases]).encode()).hexdigest()[:16]


def pack(folder: Path, hidden: Sequence[Path], into: IO[bytes]) -> str:
    """Write a tar of the folder, without files that `.dockerignore` names or that are `hidden`. Returns its SHA-256.

    Raises `CellError` if the folder is too large or cannot be read.
    """
    secrets = [path.resolve() for path in hidden]
    total = 0
    seen = _Hashing(into)
    try:
        with tarfile.open(fileobj=seen, mode="w|", format=tarfile.PAX_FORMAT) as tar:
            for number, name in enumerate(sorted(_paths(folder))):
                path = folder / name
                if any(path.is_relative_to(secret) for secret in secrets):
                    continue
                info = tar.gettarinfo(str(path), name)
                if not (info.isreg() or info.isdir() or info.issym() or info.islnk()):
                    continue  # builds have no use for sockets and the like
                info.uid = info.gid = info.mtime = 0
                info.uname = info.gname = ""
                total += info.size
                if total > MOST_BYTES or number > MOST_FILES:
                    raise CellError(
                        f"{folder} is too large to build: more than {MOST_BYTES >> 20} MiB or {MOST_FILES} files; "
                        f"list the files that the build does not need in {IGNORE}"
                    )
                if info.isreg():
                    with path.open("rb") as file:
                        tar.addfile(info, file)
                else:
                    tar.addfile(info)
    except RecursionError:
        raise CellError(f"{folder} is nested too deeply to build") from None
    except OSError as error:
        raise CellError(f"{error.filename or folder} cannot be read: {error.strerror or error}") from None
    return seen.hash.hexdigest()


def _paths(folder: Path) -> set[str]:
    from docker.utils import exclude_paths

    ignore = folder / IGNORE
    lines = ignore.read_text("utf-8", "replace").splitlines() if ignore.is_file() else []
    patterns = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    found: set[str] = exclude_paths(os.fspath(folder), patterns)
    return found


class _Hashing(io.RawIOBase):
    """Passes data on and hashes it."""

    def __init__(self, into: IO[bytes]) -> None:
        self._into = into
        self.hash = hashlib.sha256()

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        """Hash the data and write it."""
        self.hash.update(data)
        return self._into.write(data)

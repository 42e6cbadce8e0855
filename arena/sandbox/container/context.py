"""A bot's folder as the context of a build: packed always in the same way, and named by what is in it."""

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
"""What a folder may hold; more is hardly a bot, and all of it goes through the engine."""

IGNORE = ".dockerignore"


def name(digest: str, bases: Sequence[str]) -> str:
    """What the image of a folder is called that is built upon these."""
    return hashlib.sha256(" ".join([digest, *bases]).encode()).hexdigest()[:16]


def pack(folder: Path, hidden: Sequence[Path], into: IO[bytes]) -> str:
    """Write a tar of the folder without what its `.dockerignore` names and what is `hidden`. Returns a hash of it.

    Raises `CellError`.
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
                    continue  # sockets and the like are nothing to build from
                info.uid = info.gid = info.mtime = 0
                info.uname = info.gname = ""
                total += info.size
                if total > MOST_BYTES or number > MOST_FILES:
                    raise CellError(
                        f"{folder} is too large to build from: more than {MOST_BYTES >> 20} MiB or {MOST_FILES} files; "
                        f"name in {IGNORE} what the build does not need"
                    )
                if info.isreg():
                    with path.open("rb") as file:
                        tar.addfile(info, file)
                else:
                    tar.addfile(info)
    except RecursionError:
        raise CellError(f"{folder} is nested too deeply to build from") from None
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
    """Writes on and hashes what goes through."""

    def __init__(self, into: IO[bytes]) -> None:
        self._into = into
        self.hash = hashlib.sha256()

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        """Write all of it."""
        self.hash.update(data)
        return self._into.write(data)

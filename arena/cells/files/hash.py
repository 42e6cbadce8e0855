"""The hash of a folder: names, kinds and contents, and nothing else.

Every file, folder and link below the folder gives one entry::

    kind, space, SHA-256 of its contents in hexadecimal, space, path, zero byte

The kind is the letter f for a file, x for a file with an executable bit, d for a folder, l for a link. The contents of a folder are
empty; those of a link are its target. The path begins at the folder, without a leading slash. The hash is the SHA-256 of all
entries, sorted by the bytes of their paths, as ``sha256:`` and 64 hexadecimal digits. Owners, times and other bits do not matter.
"""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from bullring.arena.cells.files.read import chunks, open_file, shown
from bullring.arena.cells.files.walk import Bounds, Kind, Wanted, everything, opened, walk

SHORT = 12
"""Digits of the short form, as in tables."""


class FolderHash:
    """The hash of a folder that is being read."""

    def __init__(self) -> None:
        self._entries: dict[bytes, bytes] = {}

    def add(self, path: bytes, kind: Kind, digest: str) -> None:
        """Add an entry with the SHA-256 of its contents."""
        self._entries[path] = b"%s %s %s\0" % (kind.value, digest.encode(), path)

    def text(self) -> str:
        """The hash of all that was added."""
        whole = hashlib.sha256(b"".join(self._entries[path] for path in sorted(self._entries)))
        return f"sha256:{whole.hexdigest()}"


def hash_folder(folder: Path, bounds: Bounds, wanted: Wanted = everything, *, follow: bool = False) -> str:
    """The hash of a folder, as far as it is `wanted`; `follow` as in `copying.copy_folder`. Raises `FilesError`, `OSError`."""
    found = FolderHash()
    with opened(folder) as top:
        for entry in walk(top, shown(folder), bounds, wanted, follow=follow):
            digest = hashlib.sha256(entry.target).hexdigest() if entry.fd < 0 else _digest(entry.fd, entry.label)
            found.add(entry.path, entry.kind, digest)
    return found.text()


def hash_files(files: Iterable[Path]) -> str:
    """The hash of a folder that would hold these files under their whole paths, without the first slash. They may be links.

    Raises `FilesError`, `OSError`.
    """
    found = FolderHash()
    for path in files:
        fd = open_file(path, follow=True)
        try:
            found.add(os.fsencode(path).lstrip(b"/"), Kind.FILE, _digest(fd, shown(path)))
        finally:
            os.close(fd)
    return found.text()


def short(text: str) -> str:
    """The short form of a hash, for people."""
    return text.removeprefix("sha256:")[:SHORT]


def _digest(fd: int, label: str) -> str:
    seen = hashlib.sha256()
    for chunk in chunks(fd, label):
        seen.update(chunk)
    return seen.hexdigest()

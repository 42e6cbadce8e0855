"""The way of a bot's files to a node: the copy in the home as bytes, in parts, and a folder on the node made of them.

The bytes are those that a build sends (`arena.cells.building.unpack`): what is made of them is checked while it is written,
and kept only under the hash that it has.
"""

import contextlib
import secrets
import struct
from collections.abc import Iterator
from pathlib import Path

from bullring.arena.cells.building.unpack import Unpacking
from bullring.arena.cells.files.fill import filling
from bullring.arena.cells.files.read import chunks, shown
from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.files.walk import Bounds, opened, walk
from bullring.errors import FilesError

PART = 1 << 20
"""Bytes of a part, about."""

_OURS = Bounds(size=1 << 62, files=1 << 31)


def parts(folder: Path) -> Iterator[bytes]:
    """The folder as bytes, in parts. Raises `FilesError`, `OSError`."""
    held = bytearray()
    for piece in _pieces(folder):
        held += piece
        if len(held) >= PART:
            yield bytes(held)
            held.clear()
    yield bytes(held)


def _pieces(folder: Path) -> Iterator[bytes]:
    yield b"s" + struct.pack(">i", 0)
    with opened(folder) as top:
        for entry in walk(top, shown(folder), _OURS):
            data = entry.target if entry.fd < 0 else b"".join(chunks(entry.fd, entry.label))
            yield entry.kind.value + struct.pack(">H", len(entry.path)) + entry.path + struct.pack(">Q", len(data))
            yield data
    yield b"."


class Arriving:
    """A folder that arrives in parts."""

    def __init__(self, shelf: Path, hash_: str) -> None:
        """`shelf` is a folder of our own, where it is kept under its hash."""
        self.folder = place(shelf, hash_)
        self._hash = hash_
        self._new = shelf / f"{secrets.token_hex(8)}.new"
        self._stack = contextlib.ExitStack()
        shelf.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._new.mkdir(mode=0o700)
        self._stack.callback(remove_tree, self._new)
        self._unpacking = Unpacking(self._stack.enter_context(filling(self._new, "the bot's folder")), _OURS)

    def add(self, part: bytes) -> bool:
        """Take a part. Returns whether the folder is complete. Raises `FilesError`, `OSError`."""
        try:
            self._unpacking.feed(part)
        except BaseException:
            self._stack.close()
            raise
        if not self._unpacking.done:
            return False
        with self._stack:
            if self._unpacking.hash != self._hash:
                raise FilesError(
                    f"the files that came are not the bot's: expected {self._hash}, got {self._unpacking.hash}"
                )
            if not self.folder.exists():
                with contextlib.suppress(OSError):  # another node of this machine was quicker
                    self._new.rename(self.folder)
        return True


def place(shelf: Path, hash_: str) -> Path:
    """The folder for this hash."""
    return shelf / hash_.removeprefix("sha256:")

"""Unpacking a stranger's archive into an empty folder of our own: tar, also compressed with gzip, and zip.

Everything is bounded before it is read or written: bytes that come out of it, entries, lengths of names. A link is made as a link,
and looked at in the end (`files.links`). A device, a hard link, a path that leads out, and a path that comes twice are refused.

Only the headers of a tar are parsed by `tarfile`. Its own reader takes extended headers of any length into memory, and until Python
3.11.9 needs seconds for one of 64 KiB (CVE-2024-6232), and its filters check names but bound nothing.
"""

import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from gzip import BadGzipFile, GzipFile
from pathlib import Path
from typing import IO, Protocol

from bullring.arena.cells.files.fill import Filling, filling
from bullring.arena.cells.files.read import chunks, open_file, shown
from bullring.arena.cells.files.walk import MIB, Bounds, Kind
from bullring.errors import FilesError

SUFFIXES = (".tar", ".tar.gz", ".tgz", ".zip")
"""The ends of the names of what can be unpacked."""

_BLOCK = 512
_CHUNK = 1 << 16
_MOST_HEADER = 1 << 16
"""Bytes of the longest extended header or name in a tar, and of the target of a link."""
_RECORD = re.compile(rb"(\d{1,6}) ([^=]{1,200})=", re.DOTALL)


class Source(Protocol):
    """Bytes, one after another."""

    def read(self, size: int, /) -> bytes:
        """The next bytes, at most `size`; empty at the end."""


def is_archive(path: Path) -> bool:
    """Whether a path names an archive that can be unpacked."""
    return path.name.lower().endswith(SUFFIXES)


def unpack(archive: Path, target: Path, bounds: Bounds, label: str = "") -> None:
    """Unpack an archive that no other user can write to. `label` names it in errors.

    Raises `FilesError`, and `OSError` of the target, which is not cleaned up.
    """
    label = label or archive.name
    with archive.open("rb") as file, filling(target, label) as into:
        unpacking = Unpacking(into, bounds, label)
        magic = file.read(4)
        file.seek(0)
        try:
            if magic[:2] == b"PK":
                _unzip(file, unpacking, bounds, label)
            else:
                with GzipFile(fileobj=file) if magic[:2] == b"\x1f\x8b" else file as source:
                    untar(source, unpacking, label)
        except (BadGzipFile, EOFError, zlib.error, struct.error, zipfile.BadZipFile) as error:
            raise FilesError(f"{label} is not a whole archive ({error}); pack it again") from None
        into.finish()


def copied(path: Path, target: Path, bounds: Bounds) -> None:
    """Copy an archive that its owner may exchange meanwhile. Raises `FilesError`, `OSError`."""
    fd = open_file(path, follow=True)
    left = bounds.size
    with open(fd, "rb") as file, target.open("xb") as copy:  # noqa: PTH123  # a descriptor has no path
        for chunk in chunks(file.fileno(), shown(path)):
            left -= len(chunk)
            if left < 0:
                raise FilesError(f"{shown(path)} is larger than {bounds.size // MIB} MiB; pack only what the bot needs")
            copy.write(chunk)


class Unpacking:
    """A folder that is being filled from an archive, within bounds."""

    def __init__(self, into: Filling, bounds: Bounds, label: str) -> None:
        self._into = into
        self._bounds = bounds
        self._label = label
        self._files = bounds.files
        self._size = bounds.size
        self._folders: set[bytes] = set()

    def count(self) -> None:
        """One more entry, of whatever kind. Raises `FilesError`."""
        self._files -= 1
        if self._files < 0:
            raise FilesError(f"{self._label} has more than {self._bounds.files} entries; pack only what the bot needs")

    def folder(self, name: bytes) -> None:
        """A folder; it may come again. Raises `FilesError`, `OSError`."""
        path = self._path(name)
        if path:
            self._make(path)

    def link(self, name: bytes, target: bytes) -> None:
        """A symbolic link. Raises `FilesError`, `OSError`."""
        path = self._named(name)
        self._into.link(path, target)

    def file(self, name: bytes, kind: Kind, data: Iterator[bytes]) -> None:
        """A file. Raises `FilesError`, `OSError`."""
        path = self._named(name)
        with self._into.file(path, kind) as write:
            for chunk in data:
                self._size -= len(chunk)
                if self._size < 0:
                    most = self._bounds.size // MIB
                    raise FilesError(f"{self._label} unpacks to more than {most} MiB; pack only what the bot needs")
                write(chunk)

    def refuse(self, name: bytes, what: str) -> FilesError:
        """The error that an entry is something that a bot may not have."""
        return FilesError(f"{self._label}/{shown(name)[:200]} is {what}; pack the bot without it")

    def _named(self, name: bytes) -> bytes:
        path = self._path(name)
        if not path:
            raise self.refuse(name, "an entry without a name")
        above = path.rpartition(b"/")[0]
        if above:
            self._make(above)
        return path

    def _path(self, name: bytes) -> bytes:
        if name.startswith(b"/"):
            raise self.refuse(name, "an absolute path")
        parts = [part for part in name.split(b"/") if part not in (b"", b".")]
        if b".." in parts:
            raise self.refuse(name, "a path that leads upwards")
        return b"/".join(parts)

    def _make(self, path: bytes) -> None:
        """Make a folder and those above it, as far as they are missing: an archive need not name them."""
        parts = path.split(b"/")
        for number in range(1, len(parts) + 1):
            folder = b"/".join(parts[:number])
            if folder not in self._folders:
                if number < len(parts):
                    self.count()
                self._into.folder(folder)
                self._folders.add(folder)


def untar(source: Source, into: Unpacking, label: str) -> None:
    """Unpack a tar that comes as a stream. Raises `FilesError`, `OSError`."""
    stream = _Stream(source, label)
    always: dict[bytes, bytes] = {}
    once: dict[bytes, bytes] = {}
    while block := stream.block():
        try:
            entry = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.HeaderError as error:
            raise FilesError(f"{label} is not a whole tar ({error}); pack it again") from None
        into.count()
        kind = entry.type
        if kind in (b"x", b"g", b"L", b"K"):
            data = stream.header(entry.size)
            match kind:
                case b"x":
                    once |= _records(data, label)
                case b"g":
                    always |= _records(data, label)
                case b"L":
                    once[b"path"] = data.rstrip(b"\0")
                case _:
                    once[b"linkpath"] = data.rstrip(b"\0")
            continue
        told = always | once
        once = {}
        name = told.get(b"path", entry.name.encode("utf-8", "surrogateescape"))
        target = told.get(b"linkpath", entry.linkname.encode("utf-8", "surrogateescape"))
        size = _number(told[b"size"], label) if b"size" in told else entry.size
        if any(key.startswith(b"GNU.sparse") for key in told):
            raise into.refuse(name, "a file with holes")
        if entry.isdir():
            into.folder(name)
            stream.skip(size)
        elif entry.issym():
            into.link(name, target)
            stream.skip(size)
        elif kind in (b"0", b"\0", b"7"):
            into.file(name, Kind.PROGRAM if entry.mode & 0o111 else Kind.FILE, stream.data(size))
        else:
            what = "a hard link" if entry.islnk() else "neither a file nor a folder"
            raise into.refuse(name, what)


class _Stream:
    """The blocks of a tar."""

    def __init__(self, source: Source, label: str) -> None:
        self._source = source
        self._label = label

    def block(self) -> bytes:
        """The next header; empty at the end, which two blocks of zeros mark, or the end of the file."""
        block = self._exactly(_BLOCK, or_end=True)
        return block if block.strip(b"\0") else b""

    def header(self, size: int) -> bytes:
        """The contents of an extended header."""
        if not 0 <= size <= _MOST_HEADER:
            raise FilesError(f"{self._label} has a header of {size} bytes; pack it again")
        return b"".join(self.data(size))

    def data(self, size: int) -> Iterator[bytes]:
        """The contents of an entry."""
        if size < 0:
            raise FilesError(f"{self._label} has an entry of {size} bytes; pack it again")
        left = size
        while left:
            chunk = self._exactly(min(left, _CHUNK))
            left -= len(chunk)
            yield chunk
        self._exactly(-size % _BLOCK)

    def skip(self, size: int) -> None:
        """Pass over contents where none should be."""
        if size:
            self.header(size)

    def _exactly(self, size: int, *, or_end: bool = False) -> bytes:
        data = bytearray()
        while len(data) < size:
            chunk = self._source.read(size - len(data))
            if not chunk:
                if or_end and not data:
                    return b""
                raise FilesError(f"{self._label} ends within an entry; pack it again")
            data += chunk
        return bytes(data)


def _records(data: bytes, label: str) -> dict[bytes, bytes]:
    """The records of an extended header: "LENGTH KEY=VALUE" and a newline, LENGTH counting all of it."""
    found = {}
    at = 0
    while at < len(data) and data[at] != 0:
        record = _RECORD.match(data, at)
        end = at + int(record[1]) if record else 0
        if record is None or not record.end() < end <= len(data):
            raise FilesError(f"{label} has an invalid extended header; pack it again")
        found[record[2]] = data[record.end() : end - 1]
        at = end
    return found


def _number(text: bytes, label: str) -> int:
    if not re.fullmatch(rb"\d{1,18}", text):
        raise FilesError(f"{label} has a size that is not a number; pack it again")
    return int(text)


def _unzip(file: IO[bytes], into: Unpacking, bounds: Bounds, label: str) -> None:
    _check_directory(file, bounds, label)
    with zipfile.ZipFile(file) as archive:
        for entry in archive.infolist():
            into.count()
            name = entry.filename.encode("utf-8", "surrogateescape")
            mode = entry.external_attr >> 16 if entry.create_system == 3 else 0
            if entry.flag_bits & 1:
                raise into.refuse(name, "encrypted")
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise into.refuse(name, "compressed in a way that not every program can read")
            if entry.is_dir():
                into.folder(name)
                continue
            try:
                with archive.open(entry) as data:
                    if stat.S_ISLNK(mode):
                        into.link(name, data.read(_MOST_HEADER))
                    elif stat.S_IFMT(mode) in (0, stat.S_IFREG):
                        kind = Kind.PROGRAM if mode & 0o111 else Kind.FILE
                        into.file(name, kind, _read(data))
                    else:
                        raise into.refuse(name, "neither a file nor a folder")
            except (NotImplementedError, RuntimeError, UnicodeDecodeError) as error:
                raise FilesError(f"{label}: {error}; pack it again") from None


def _read(data: IO[bytes]) -> Iterator[bytes]:
    while chunk := data.read(_CHUNK):
        yield chunk


def _check_directory(file: IO[bytes], bounds: Bounds, label: str) -> None:
    """Raise `FilesError` if the directory of a zip is larger than any that is accepted: it is read as a whole.

    Its end is looked for where `zipfile` looks for it.
    """
    size = file.seek(0, 2)
    beginning = max(0, size - 22 - 65535)
    file.seek(beginning)
    tail = file.read()
    at = len(tail) - 22
    if tail[at : at + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":
        at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) - at < 22:
        raise FilesError(f"{label} is not a whole zip; pack it again")
    if tail[max(0, at - 20) : at].startswith(b"PK\6\7"):
        raise FilesError(f"{label} is a zip of more than 4 GiB or 65535 entries; pack only what the bot needs")
    if int.from_bytes(tail[at + 12 : at + 16], "little") > bounds.files * 512:
        raise FilesError(f"{label} has more than {bounds.files} entries; pack only what the bot needs")

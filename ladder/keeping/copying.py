"""Copying a stranger's folder: only plain files, folders, and links that stay inside it.

Of a file's mode only the executable bit is kept; its owner is not. The copy is ours, and it is what is rated.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from bullring.arena.files.hashing import FolderHash
from bullring.arena.files.reading import chunks, shown
from bullring.arena.files.walking import Bounds, Entry, Kind, opened, walk
from bullring.errors import FilesError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

MOST_LINKS = 40
"""Most links followed on one path, as in the kernel."""


def copy_folder(source: Path, target: Path, bounds: Bounds) -> str:
    """Copy a folder to `target`, which must be an empty folder of our own, and return the hash of the copy.

    Raises `FilesError` if it holds something a bot may not have, or changes meanwhile; and `OSError`. `target` is not cleaned up.
    """
    found = FolderHash()
    links: dict[bytes, Entry] = {}
    with opened(source) as top, opened(target) as copy:
        for entry in walk(top, shown(source), bounds):
            digest = hashlib.sha256(entry.target)
            above, _, name = entry.path.rpartition(b"/")
            here = os.open(above or b".", _FOLDER, dir_fd=copy)  # nobody else can write there
            try:
                match entry.kind:
                    case Kind.FOLDER:
                        os.mkdir(name, 0o755, dir_fd=here)
                        inner = os.open(name, _FOLDER, dir_fd=here)
                        os.fchmod(inner, 0o755)
                        os.close(inner)
                    case Kind.LINK:
                        os.symlink(entry.target, name, dir_fd=here)
                        links[entry.path] = entry
                    case Kind.FILE | Kind.PROGRAM:
                        new = os.open(name, _NEW, 0o600, dir_fd=here)
                        with open(new, "wb") as file:  # noqa: PTH123  # a descriptor has no path
                            for chunk in chunks(entry.fd, entry.label):
                                digest.update(chunk)
                                file.write(chunk)
                            os.fchmod(new, 0o755 if entry.kind is Kind.PROGRAM else 0o644)
            finally:
                os.close(here)
            found.add(entry.path, entry.kind, digest.hexdigest())
        os.fchmod(copy, 0o755)
    for entry in links.values():
        _refuse_outward(entry, links)
    return found.text()


def _refuse_outward(link: Entry, links: Mapping[bytes, Entry]) -> None:
    """Raise `FilesError` if a link leads out of the folder or round in a circle. Nothing is looked up on the disk."""
    left = link.path.split(b"/")[::-1]
    place: list[bytes] = []
    followed = 0
    while left:
        part = left.pop()
        if part == b"..":
            if not place:
                break
            place.pop()
        elif part not in (b"", b"."):
            place.append(part)
            if (found := links.get(b"/".join(place))) is not None:
                followed += 1
                if followed > MOST_LINKS:
                    raise FilesError(
                        f"{link.label} leads through more than {MOST_LINKS} links; link to a file or folder"
                    )
                if found.target.startswith(b"/"):
                    break
                place.pop()
                left += found.target.split(b"/")[::-1]
    else:
        return
    raise FilesError(f"{link.label} is a link that leads out of the bot's folder; replace it with a copy of its target")

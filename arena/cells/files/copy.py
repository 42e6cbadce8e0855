"""Copying a stranger's folder: only plain files, folders, and links that stay inside it. The copy is ours."""

from pathlib import Path

from bullring.arena.cells.files.fill import filling
from bullring.arena.cells.files.read import chunks, shown
from bullring.arena.cells.files.walk import Bounds, Kind, Wanted, everything, opened, walk


def copy_folder(
    source: Path, target: Path, bounds: Bounds, wanted: Wanted = everything, *, follow: bool = False
) -> str:
    """Copy a folder, as far as it is `wanted`, to `target`, an empty folder of our own. Returns the hash of the copy.

    With `follow`, what links lead to is copied in their places: only for folders that no stranger can write to.

    Raises `FilesError` if it holds something a bot may not have, or changes meanwhile; and `OSError`. `target` is not cleaned up.
    """
    with opened(source) as top, filling(target, shown(source)) as copy:
        for entry in walk(top, shown(source), bounds, wanted, follow=follow):
            match entry.kind:
                case Kind.FOLDER:
                    copy.folder(entry.path)
                case Kind.LINK:
                    copy.link(entry.path, entry.target)
                case Kind.FILE | Kind.PROGRAM:
                    with copy.file(entry.path, entry.kind) as write:
                        for chunk in chunks(entry.fd, entry.label):
                            write(chunk)
        return copy.finish()

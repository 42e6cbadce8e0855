"""Temporary folders of a referee, which a later one can remove if it was killed.

The referee's name is in a file beside the folder, not in its path: programs can learn the paths of what is mounted for them.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bullring.arena.cells.files.read import read_file
from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.sandbox import identity
from bullring.errors import FilesError, HostError

PREFIX = "bullring-temporary-"
MEMORY = Path("/dev/shm")
"""Where every Linux keeps files in memory."""
OWNER = "referee"


@contextmanager
def temporary(name: str, *, memory: bool = False) -> Iterator[Path]:
    """A new folder of this name that only we may enter, if possible in `memory`; removed in the end. Raises `HostError`."""
    try:
        place = MEMORY if memory and os.access(MEMORY, os.W_OK) else None
        above = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
        (above / OWNER).write_text(identity.me(), "ascii")
        above.chmod(0o711)
        (above / name).mkdir(mode=0o700)
    except OSError as error:
        raise HostError(f"there is no place for temporary files: {error}") from None
    try:
        yield above / name
    finally:
        remove_tree(above)


def sweep() -> None:
    """Remove the folders of referees that were killed. Those of other users stay."""
    for folder in (found for place in {Path(tempfile.gettempdir()), MEMORY} for found in place.glob(f"{PREFIX}*")):
        with suppress(OSError, FilesError):
            if not identity.alive(read_file(folder / OWNER, 100).decode("ascii", "replace")):
                remove_tree(folder)

"""Files of a referee that stand in containers for those of /proc which tell of the machine: as it was when the referee began."""

import contextlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bullring.arena.cells.files.read import read_file
from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.sandbox import identity, procfs
from bullring.errors import FilesError

_PREFIX = "bullring-proc-"

_OWNER = "referee"
"""The file with the referee's name. It is not in the folder's name, since bots can learn from where something is mounted."""


@contextmanager
def snapshots() -> Iterator[Path]:
    """A folder for the files, while the referee runs. Raises `OSError`."""
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / _OWNER).write_text(identity.me(), "ascii")
        yield folder


def shown(folder: Path) -> dict[str, Path]:
    """The files, by the paths that they cover. Writes those that are missing, for somebody may tidy up. Raises `OSError`."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    files = {name: folder / name for name in procfs.SHOWN}
    for name, data in procfs.snapshot().items():
        if not files[name].exists():
            files[name].write_bytes(data)
            files[name].chmod(0o644)
    return {str(procfs.PROC / name): file for name, file in files.items()}


def sweep() -> None:
    """Remove the folders of referees that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError, FilesError):
            if not identity.alive(read_file(folder / _OWNER, 100).decode("ascii", "replace")):
                remove_tree(folder)

"""Temporary folders of a referee. Their names carry its name, so that a later referee can remove what a killed one has left."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.sandbox import identity
from bullring.errors import HostError

_KINDS = ("canary", "build")


@contextmanager
def temporary(kind: str) -> Iterator[Path]:
    """A new folder that only we may enter, of one of the known kinds; removed in the end. Raises `HostError`."""
    assert kind in _KINDS
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"{_prefix(kind)}{identity.me()}."))
    except OSError as error:
        raise HostError(f"there is no place for temporary files: {error}") from None
    try:
        yield folder
    finally:
        remove_tree(folder)


def sweep() -> None:
    """Remove the folders of referees that were killed. Those of other users stay."""
    for kind in _KINDS:
        for folder in Path(tempfile.gettempdir()).glob(f"{_prefix(kind)}*"):
            if not identity.alive(folder.name.removeprefix(_prefix(kind)).partition(".")[0]):
                with suppress(OSError):
                    remove_tree(folder)


def _prefix(kind: str) -> str:
    return f"bullring-{kind}-"

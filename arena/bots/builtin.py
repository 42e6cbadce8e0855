"""The built-in bots: `@greedy` is the folder `greedy` among the sample bots.

Their folders may hold links to other folders of the package (`snapshot`). In a wheel these are copies.
"""

from functools import cache
from pathlib import Path

from bullring.arena.bots.manifest import MANIFEST, Manifest, read_manifest
from bullring.errors import BotError
from bullring.installation import FOLDER


@cache
def _folders() -> dict[str, Path]:
    return {path.parent.name: path.parent for path in sorted((FOLDER / "sample_bots").glob(f"*/*/{MANIFEST}"))}


def names() -> list[str]:
    """Names of the built-in bots, sorted, without the @."""
    return sorted(_folders())


def folder(name: str) -> Path:
    """The folder of a built-in bot. Raises `BotError` for an unknown name."""
    try:
        return _folders()[name]
    except KeyError:
        known = ", ".join(f"@{known}" for known in names())
        raise BotError(f"there is no built-in bot @{name[:40]}; there are: {known}") from None


def is_builtin(folder: Path) -> bool:
    """Whether a folder is that of a built-in bot, whatever path leads there."""
    return folder.resolve().is_relative_to((FOLDER / "sample_bots").resolve())


def manifest(name: str) -> Manifest:
    """The manifest of a built-in bot. Raises `BotError`."""
    return read_manifest(folder(name))

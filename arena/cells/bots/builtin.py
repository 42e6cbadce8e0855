"""The built-in bots: `@greedy` is the folder `greedy` among the sample bots.

Their folders may hold links to files and folders of the package, such as the session that all Python bots share. In a wheel these
are copies. The ratings were measured beforehand (`sample_bots/rate.py`).
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bullring.arena.cells.bots.bot import AS_IT_IS, MANIFEST
from bullring.arena.cells.bots.manifest import Manifest, read_manifest
from bullring.errors import BotError
from bullring.installation import FOLDER


@dataclass(frozen=True)
class Rating:
    """The strength of a built-in bot at one kind of table; @greedy has 1500."""

    elo: int
    error: int
    """Half the width of the 95 % interval against @greedy."""
    heads: float
    """Heads per deal at tables of built-in bots."""
    median_ms: float
    """The median time of a decision where the ratings were made."""


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
        raise BotError(
            f"there is no built-in bot @{name[:40]}; there are: {known} (their ratings: bullring bots --builtin)"
        ) from None


def is_builtin(folder: Path) -> bool:
    """Whether a folder is that of a built-in bot, whatever path leads there."""
    return folder.resolve().is_relative_to((FOLDER / "sample_bots").resolve())


def build(folder: Path) -> tuple[str, ...]:
    """The build of a bot whose manifest has none: `true` for a built-in one with links, which lead nowhere in a cell.

    A build begins with a snapshot, which has the files in place of the links.
    """
    return AS_IT_IS if is_builtin(folder) and any(path.is_symlink() for path in folder.iterdir()) else ()


def manifest(name: str) -> Manifest:
    """The manifest of a built-in bot. Raises `BotError`."""
    return read_manifest(folder(name))


@cache
def rated_tables() -> list[dict[str, Any]]:
    """The tables at which the built-in bots were rated by `sample_bots/rate.py`, first of all `standard` at four seats."""
    tables: list[dict[str, Any]] = json.loads((FOLDER / "sample_bots" / "ratings.json").read_text("utf-8"))
    return tables


def rating(name: str) -> Rating | None:
    """The rating of a built-in bot in `standard` at four seats; None if it has not been rated."""
    found = next((one["bots"].get(name) for one in rated_tables()), None)
    return found and Rating(found["rating"], found["error"], found["heads"], found["median_ms"])

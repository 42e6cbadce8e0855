"""A snapshot: the files of a bot's folder that belong to the bot, copied or hashed, without what its ignore file leaves out.

A built-in bot may share folders of the package by links; its snapshot has what they lead to instead. In the folders of everybody
else links stay links, and must stay inside.
"""

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bullring.arena.cells.bots.bot import MANIFEST
from bullring.arena.cells.bots.builtin import is_builtin
from bullring.arena.cells.bots.manifest import Manifest, read_manifest
from bullring.arena.cells.files.copy import copy_folder
from bullring.arena.cells.files.hash import hash_folder
from bullring.arena.cells.files.ignore_file import Ignoring
from bullring.arena.cells.files.measure import below
from bullring.arena.cells.files.read import read_file, shown
from bullring.arena.cells.files.walk import Bounds, Entry, opened, walk
from bullring.errors import BotError, FilesError

IGNORE = ".bullringignore"
"""The file in a bot's folder that says what does not belong to the bot. It takes the place of the patterns below."""

NEVER = (*(f"**/{name}" for name in (".git", ".hg", ".svn", ".jj", ".venv")), "node_modules", "target")
"""Patterns left out of every folder, unless its ignore file brings them back, or `run` names them where there is none: what they
hold leads elsewhere, plays no part in a match, or is made again of what the bot declares."""

USUAL = (
    *NEVER,
    *(f"**/{name}" for name in (".idea", ".vscode", ".DS_Store", "*~", "*.swp")),
    *(f"**/{name}" for name in ("__pycache__", "*.pyc", ".mypy_cache", ".pytest_cache", ".ruff_cache")),
)
"""Patterns left out of a folder without an ignore file, unless `run` names them."""

BUILT = ("_build", "dist-newstyle", "zig-out", ".zig-cache", ".gradle", "**/*.o", "**/*.class")
"""More patterns left out where the bot has a `build`, which makes these files."""

MOST_TEXT = 65_536
"""Bytes of the largest ignore file."""

MOST_LISTED = 100
"""Most paths that are listed as left out."""

MOST_COUNTED = 100_000
"""Most files that are counted in what is left out."""


@dataclass(frozen=True)
class LeftOut:
    """Something in the folder that does not belong to the bot: a file, or a folder with everything in it."""

    path: str
    """Relative to the folder; that of a folder ends with a slash. A stranger chose it, so it is not safe for a terminal."""
    size: int
    """Bytes."""
    files: int


@dataclass(frozen=True)
class Snapshot:
    """The files of a bot."""

    hash: str
    left_out: tuple[LeftOut, ...] = ()
    """The entries left out, largest first, at most `MOST_LISTED`."""
    by_default: bool = False
    """Whether that was decided without an ignore file."""


def take(folder: Path, target: Path, bounds: Bounds) -> Snapshot:
    """Copy what belongs to the bot to `target`, an empty folder of our own. Raises `BotError`, and `OSError` of the target."""
    selection = _selection(folder)
    try:
        found = copy_folder(folder, target, bounds, selection.wanted, follow=is_builtin(folder))
    except FilesError as error:
        raise BotError(_with_remedy(error)) from None
    return Snapshot(found, selection.listed(), selection.by_default)


def hash_of(folder: Path, bounds: Bounds) -> str:
    """The hash that `take` would return. Raises `BotError`."""
    try:
        return hash_folder(folder, bounds, _selection(folder).wanted, follow=is_builtin(folder))
    except FilesError as error:
        raise BotError(_with_remedy(error)) from None
    except OSError as error:
        raise BotError(f"{error.filename or folder} cannot be read: {error.strerror or error}") from None


def marks(folder: Path, bounds: Bounds) -> frozenset[tuple[object, ...]]:
    """Marks of the bot's files, which differ once one of them is saved, added or removed; nothing is read. Raises `BotError`."""
    try:
        with opened(folder) as top:
            entries = walk(top, str(folder), bounds, _selection(folder).wanted, follow=is_builtin(folder))
            return frozenset(_mark(entry) for entry in entries)
    except FilesError as error:
        raise BotError(_with_remedy(error)) from None
    except OSError as error:
        raise BotError(f"{error.filename or folder} cannot be read: {error.strerror or error}") from None


def brings(folder: Path, name: str) -> bool:
    """Whether something in the folder, a folder itself, belongs to the bot. Raises `BotError`."""
    return (folder / name).exists() and _selection(folder).wanted(os.fsencode(name), is_folder=True)


def how_to_bring(name: str) -> str:
    """What to do so that a folder in that of the bot belongs to it, in words that follow "bring it in"."""
    return f"{name}, with the line !{name} in {IGNORE}" if name in NEVER else name


def _mark(entry: Entry) -> tuple[object, ...]:
    if entry.fd < 0:
        return entry.path, entry.kind, entry.target
    found = os.fstat(entry.fd)
    return entry.path, entry.kind, found.st_mtime_ns, found.st_size, found.st_ino


def _with_remedy(error: FilesError) -> str:
    return f"{error}, or list it in {IGNORE} if the bot does not need it"


@dataclass
class _Selection:
    """The selection of the files of a bot, and the others that were met."""

    folder: Path
    ignoring: Ignoring
    by_default: bool
    needed: frozenset[str] = frozenset()
    """Entries directly in the folder that are not left out by default."""
    met: list[bytes] = field(default_factory=list)

    def wanted(self, path: bytes, *, is_folder: bool) -> bool:
        """Whether a path belongs to the bot. The manifest always does."""
        name = os.fsdecode(path)
        if (
            name in (MANIFEST, IGNORE)
            or name.partition("/")[0] in self.needed
            or not self.ignoring.skips(name, is_folder=is_folder)
        ):
            return True
        if len(self.met) < MOST_COUNTED:
            self.met.append(path)
        return False

    def listed(self) -> tuple[LeftOut, ...]:
        """The entries left out, largest first."""
        left = MOST_COUNTED
        found = []
        for path in self.met:
            entry = _counted(self.folder, path, left)
            left -= entry.files
            found.append(entry)
        return tuple(sorted(found, key=lambda entry: (-entry.size, entry.path))[:MOST_LISTED])


def _selection(folder: Path) -> _Selection:
    """Select the files of the bot in a folder. Raises `BotError`."""
    try:
        text = read_file(folder / IGNORE, MOST_TEXT).decode("utf-8", "replace")
    except FileNotFoundError:
        manifest = read_manifest(folder)
        patterns = (*USUAL, *(BUILT if manifest.build else ()))
        return _Selection(folder, Ignoring("\n".join(patterns), IGNORE), True, _needed(folder, manifest))
    except OSError as error:
        raise BotError(f"{folder / IGNORE} cannot be read: {error.strerror or error}") from None
    except FilesError as error:
        raise BotError(str(error)) from None
    try:
        return _Selection(folder, Ignoring("\n".join((*NEVER, text)), IGNORE), False)
    except FilesError as error:
        raise BotError(f"{folder}: {error}") from None


def _needed(folder: Path, manifest: Manifest) -> frozenset[str]:
    """The entries of the folder that hold what `run` names, and packages. What a build makes is not needed before."""
    from bullring.arena.cells.dependencies.kinds import KINDS

    words: Sequence[str] = () if manifest.build else manifest.run
    packages = {kind.brings for kind in KINDS} - set(NEVER)
    firsts = {os.path.normpath(word).partition("/")[0] for word in words} | packages
    return frozenset(first for first in firsts if first not in ("", ".", "..") and (folder / first).exists())


def _counted(folder: Path, path: bytes, most: int) -> LeftOut:
    """Count what is in a path, up to `most` files. Nothing depends on it, so what cannot be read counts as nothing."""
    size = files = 0
    slash = ""
    for number, found in enumerate(below(os.path.join(os.fsencode(folder), path), most)):  # noqa: PTH118  # bytes
        if files >= most:
            break
        if not stat.S_ISDIR(found.st_mode):
            size += found.st_size
            files += 1
        elif number == 0:
            slash = "/"
    return LeftOut(shown(path) + slash, size, files)

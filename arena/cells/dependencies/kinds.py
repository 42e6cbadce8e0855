"""All kinds of packages, and which of them a folder lacks."""

import platform
import sys
from collections.abc import Callable
from pathlib import Path

from bullring.arena.cells.dependencies.cargo import CARGO
from bullring.arena.cells.dependencies.go import GO
from bullring.arena.cells.dependencies.kind import Files, Kind
from bullring.arena.cells.dependencies.npm import NPM
from bullring.arena.cells.dependencies.pip import PIP
from bullring.arena.cells.files.read import read_file
from bullring.arena.cells.sandbox.python import PACKAGES
from bullring.errors import BotError, FilesError

KINDS = (PIP, NPM, CARGO, GO)

MADE_FOR = f"{PACKAGES}/.made-for"
"""The file that says for which Python compiled packages were fetched."""

HERE = f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]} on {platform.machine()}"
"""The Python that bots have here."""

_MOST_TEXT = 100


def lacking(folder: Path, brings: Callable[[Path, str], bool]) -> dict[Kind, Files]:
    """The kinds of packages that a bot declares and does not bring, with what their package managers are given.

    `brings` says whether a folder in that of the bot belongs to it (`bots.snapshot`). Raises `BotError` if it declares what is not
    fetched, or brings packages for another Python.
    """
    try:
        _must_fit(folder)
        found = {kind: kind.declared(folder) for kind in KINDS if not brings(folder, kind.brings)}
    except OSError as error:
        raise BotError(f"{error.filename or folder} cannot be read: {error.strerror or error}") from None
    except FilesError as error:
        raise BotError(str(error)) from None
    return {kind: given for kind, given in found.items() if given}


def _must_fit(folder: Path) -> None:
    path = folder / MADE_FOR
    if path.is_file() and (made := read_file(path, _MOST_TEXT).decode("utf-8", "replace").strip()) != HERE:
        raise BotError(
            f"the packages in {folder / PACKAGES} are for {made}, and {{python}} is {HERE} here; submit the bot here, from a folder"
            f" without {PACKAGES}"
        )

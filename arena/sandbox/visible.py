"""The files of the machine that a program sees, read-only: its folder, the system's programs, and the runtime that runs it."""

import os
import shlex
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bullring.arena.sandbox.program import PYTHON, Program
from bullring.errors import CellError

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
"""Folders of the system's programs and libraries, which everybody may read."""

SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl/openssl.cnf", "/etc/localtime")
"""Other files that the system's programs need. Java's settings, /etc/java-*, are added in `system_settings`."""

_PARTS = ("bin", "lib", "lib64", "libexec", "share")
"""Folders of an installation that are shown. Not all of it, because it may be the user's home."""

_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Visible:
    """The command to run, and the paths to show."""

    command: tuple[str, ...]
    """The first word is an absolute path, or a path in the bot's folder that begins with "./"."""
    shown: tuple[Path, ...]
    """Paths to show besides the bot's folder and the system's. All exist and contain no symbolic links."""
    path: str
    """PATH for the program's environment."""


def visible_to(program: Program) -> Visible:
    """Find out what a program sees. Raises `CellError` if the program does not exist."""
    shown = [path.resolve() for path in program.reads if path.exists()]
    first = first_word(program)
    path = _PATH
    words = [first, *(sys.executable if word == PYTHON else word for word in program.command[1:])]
    if sys.executable in words or (program.folder / first).resolve().is_relative_to(sys.base_prefix):
        shown += _installation(Path(sys.prefix)) + _installation(Path(sys.base_prefix))
    if first.startswith("/") and not is_of_the_system(first):
        if first != sys.executable:
            shown += _runtime(Path(first))
        path = f"{Path(first).parent}:{path}"
    return Visible(tuple(words), _outermost(shown), path)


def system_settings() -> list[str]:
    """The paths in `SETTINGS`, and Java's, that exist on this machine."""
    java = [str(path) for path in Path("/etc").glob("java-*")]
    return [path for path in (*SETTINGS, *java) if os.path.lexists(path)]


def which(word: str) -> str | None:
    """Find a program of the machine by name. Skips the shims of version managers, which need their manager's home."""
    folders = [folder for folder in os.environ.get("PATH", _PATH).split(":") if not folder.endswith("/shims")]
    return shutil.which(word, path=":".join([*folders, _PATH]))


def first_word(program: Program) -> str:
    """The first word of the command to run: an absolute path, or a path in the bot's folder that begins with "./".

    Raises `CellError` if the program is not on this machine, or if the bot may not use it.
    """
    word = program.command[0]
    if word == PYTHON:
        return sys.executable
    if "/" not in word:
        found = which(word)
        if found is None:
            raise CellError(f"there is neither a folder nor a program {word!r} on this machine")
        return os.path.abspath(found)  # noqa: PTH100  # keep symbolic links: virtual environments need them
    path = program.folder / word
    if str(path) == sys.executable:
        return sys.executable
    if not path.is_file():
        raise CellError(f"there is no program {path}")
    if not os.access(path, os.X_OK):
        raise CellError(f"{path} is not executable; run: chmod +x {shlex.quote(str(path))}")
    if path in program.reads or is_of_the_system(word) or word == sys.executable:
        return word
    if path.is_relative_to(program.folder) and ".." not in path.parts:
        return f"./{path.relative_to(program.folder)}"
    raise CellError(f"{word} is not in the bot's folder; for a program of the machine, give its name without a path")


def _outermost(places: Iterable[Path]) -> tuple[Path, ...]:
    """Drop paths of the system and paths inside others, because a path is shown with everything in it."""
    left = {place for place in places if not is_of_the_system(str(place))}
    return tuple(sorted(place for place in left if left.isdisjoint(place.parents)))


def is_of_the_system(path: str) -> bool:
    """Whether a path is in one of the folders of the system's programs."""
    return path.startswith(tuple(f"{folder}/" for folder in SYSTEM)) or path in SYSTEM


def _installation(prefix: Path) -> list[Path]:
    """The folders of an installation to show, with the pyvenv.cfg of a virtual environment."""
    java = ("conf",) if (prefix / "release").is_file() else ()
    parts = [prefix.resolve() / part for part in (*_PARTS, *java, "pyvenv.cfg")]
    return [part for part in parts if part.exists() and not is_of_the_system(str(part))]


def _runtime(program: Path) -> list[Path]:
    """The program, and the folders of its installation to show."""
    shown = [program.parent.resolve() / program.name]
    for path in {program, program.resolve()}:
        if path.parent.name == "bin" and path.parent.parent.resolve() != Path.home().resolve():
            shown += [part for part in _installation(path.parent.parent) if part.name != "share"]
        shown.append(path.resolve())
    return [path for path in shown if path.exists()]

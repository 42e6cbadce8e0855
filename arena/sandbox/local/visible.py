"""What a program sees of the machine: its own folder, the system's programs, and the runtime it is run by. All of it read-only."""

import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bullring.arena.sandbox.program import PYTHON, Program
from bullring.errors import CellError

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
"""Where a machine's programs and libraries are; everybody may read them."""

SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl/openssl.cnf", "/etc/localtime")
"""What programs of the system need besides; and of Java, its settings: /etc/java-*."""

_PARTS = ("bin", "lib", "lib64", "libexec", "share")
"""The folders of a program's installation that are shown. Not the whole of it: it may be the user's home."""

_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Visible:
    """What is to be shown, and the command as it is to be run."""

    command: tuple[str, ...]
    """The first word is an absolute path, or one in the bot's folder, beginning with "./"."""
    shown: tuple[Path, ...]
    """Paths to show besides the folder and the system's; all exist, none has a symbolic link on its way."""
    path: str
    """The PATH of its environment."""


def visible_to(program: Program) -> Visible:
    """What a program sees. Raises `CellError` if there is no such program."""
    shown = [path.resolve() for path in program.reads if path.exists()]
    first = first_word(program)
    path = _PATH
    words = [first, *(sys.executable if word == PYTHON else word for word in program.command[1:])]
    if sys.executable in words or (program.folder / first).resolve().is_relative_to(sys.base_prefix):
        shown += _installation(Path(sys.prefix)) + _installation(Path(sys.base_prefix))
    if first.startswith("/") and not _is_of_the_system(first):
        if first != sys.executable:
            shown += _runtime(Path(first))
        path = f"{Path(first).parent}:{path}"
    return Visible(tuple(words), _outermost(shown), path)


def system_settings() -> list[str]:
    """Those files of `SETTINGS` that this machine has."""
    java = [str(path) for path in Path("/etc").glob("java-*")]
    return [path for path in (*SETTINGS, *java) if os.path.lexists(path)]


def which(word: str) -> str | None:
    """A program of the machine by its name. Version managers' shims are passed over: they need their manager's home."""
    folders = [folder for folder in os.environ.get("PATH", _PATH).split(":") if not folder.endswith("/shims")]
    return shutil.which(word, path=":".join([*folders, _PATH]))


def first_word(program: Program) -> str:
    """The first word of the command as it is to be run: an absolute path, or one in the folder that begins with "./".

    Raises `CellError` if there is no such program on this machine, or if a bot may not name it.
    """
    word = program.command[0]
    if word == PYTHON:
        return sys.executable
    if "/" not in word:
        found = which(word)
        if found is None:
            raise CellError(f"there is neither a folder nor a program {word!r} on this machine")
        return os.path.abspath(found)  # noqa: PTH100  # a symbolic link is to stay one: python's virtual environments need it
    path = program.folder / word
    if str(path) == sys.executable:
        return sys.executable
    if not path.is_file():
        raise CellError(f"there is no program {path}")
    if not os.access(path, os.X_OK):
        raise CellError(f"{path} is not a program: it may not be executed; make it one with: chmod +x")
    if path in program.reads or _is_of_the_system(word) or word == sys.executable:
        return word
    if path.is_relative_to(program.folder) and ".." not in path.parts:
        return f"./{path.relative_to(program.folder)}"
    raise CellError(f"{word} is not in the bot's folder; a program of the machine is named by its name alone")


def _outermost(places: Iterable[Path]) -> tuple[Path, ...]:
    """These without the system's and without those that lie in another one, for what is shown is whole."""
    left = {place for place in places if not _is_of_the_system(str(place))}
    return tuple(sorted(place for place in left if left.isdisjoint(place.parents)))


def _is_of_the_system(path: str) -> bool:
    return path.startswith(tuple(f"{folder}/" for folder in SYSTEM)) or path in SYSTEM


def _installation(prefix: Path) -> list[Path]:
    """The folders of an installation, with what makes a virtual environment one."""
    java = ("conf",) if (prefix / "release").is_file() else ()
    parts = [prefix.resolve() / part for part in (*_PARTS, *java, "pyvenv.cfg")]
    return [part for part in parts if part.exists() and not _is_of_the_system(str(part))]


def _runtime(program: Path) -> list[Path]:
    """What a program needs of its own installation."""
    shown = [program.parent.resolve() / program.name]
    for path in {program, program.resolve()}:
        if path.parent.name == "bin" and path.parent.parent.resolve() != Path.home().resolve():
            shown += [part for part in _installation(path.parent.parent) if part.name != "share"]
        shown.append(path.resolve())
    return [path for path in shown if path.exists()]

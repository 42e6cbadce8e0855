"""The files of the machine that a program sees, read-only: its folder, the system's programs, and the runtime that runs it.

Bubblewrap and containers show the same files at the same paths, so what runs in one of them runs in the other.
"""

import json
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bullring.arena.cells.sandbox import python
from bullring.arena.cells.sandbox.executable import by_interpreter, must_run_here, words_of
from bullring.arena.cells.sandbox.installations import (
    PATH,
    in_place,
    is_of_the_system,
    parts,
    runtime,
    system_folders,
    which,
)
from bullring.arena.cells.sandbox.program import OURS, PYTHON, Program
from bullring.errors import CellError

BOT = "/bot"
"""The path of a bot's folder in a cell with a file system of its own. It is its working folder."""

BOX = "/box"
"""The path of its box, the folder it may write to."""

_NAME = re.compile(r"[\w./+@-]+")
"""A name or a path of a program in a line for a shell."""

_MOST_NAMES = 32
"""Most words of a command that are looked up, because the command is a stranger's."""


@dataclass(frozen=True)
class Visible:
    """The command to run, and the paths to show."""

    command: tuple[str, ...]
    """The first word is an absolute path, or a path in the bot's folder that begins with "./"."""
    shown: tuple[Path, ...]
    """Paths to show besides the bot's folder and the system's. All exist and contain no symbolic links."""
    path: str
    """PATH for the program's environment."""
    programs: tuple[str, ...] = ()
    """The programs of the machine that the command names."""
    packages: bool = False
    """Whether its folder holds Python packages."""

    def environment(self, folder: str) -> dict[str, str]:
        """What it needs to find its programs and packages, its own folder being here in the cell."""
        return {"PATH": self.path} | ({"PYTHONPATH": f"{folder}/{python.PACKAGES}"} if self.packages else {})


def visible_to(program: Program) -> Visible:
    """Find out what a program sees. Raises `CellError` if the program does not exist or cannot run on this machine."""
    try:
        return _visible_to(program)
    except (OSError, ValueError) as error:
        raise CellError(f"its files cannot be examined: {error}") from None


def _visible_to(program: Program) -> Visible:
    shown = [path.resolve() for path in program.reads if path.exists()]
    first = first_word(program)
    ours = in_place(sys.executable)
    words = [first, *map(_python, program.command[1:])]
    if PYTHON in program.command:
        shown += [python.environment(), *parts(Path(sys.base_prefix))]
    if ours in words or (PYTHON not in program.command and _is_of_our_python((program.folder / first).resolve())):
        shown += parts(Path(sys.prefix)) + parts(Path(sys.base_prefix))
    usual, others = PATH.split(":"), dict[str, None]()
    programs = tuple(dict.fromkeys(_named(words, program.folder)))
    for found in programs:
        if found != ours:
            shown += runtime(Path(found))
        if (folder := str(Path(found).parent)) not in usual:
            others[folder] = None
    packages = (program.folder / python.PACKAGES).is_dir()
    return Visible(tuple(words), _outermost(shown), ":".join([*others, *usual]), programs, packages)


def _python(word: str) -> str:
    """A word of a command, or the Python that it means."""
    return python.program() if word == PYTHON else in_place(sys.executable) if word == OURS else word


def with_our_python(visible: Visible) -> Visible:
    """The same, with the Python that ours is made of."""
    return replace(visible, shown=_outermost([*visible.shown, *parts(Path(sys.base_prefix))]))


def _is_of_our_python(program: Path) -> bool:
    """Whether a program is part of the Python that ours is made of, which may be the system's: then all programs are beside it."""
    return program.is_relative_to(sys.base_prefix) and not is_of_the_system(sys.base_prefix)


def places(program: Program, visible: Visible, hidden: Sequence[Path]) -> dict[str, Path]:
    """The files and folders of the machine that a cell shows besides the system's, by their paths in the cell.

    Leaves out what the user named if it is inside what is `hidden`.
    """
    secrets = [path.resolve() for path in hidden]
    named = {path.resolve() for path in program.reads}
    refused = {path for path in named if any(path.is_relative_to(secret) for secret in secrets)}
    return {**{str(path): path for path in visible.shown if path not in refused}, BOT: program.folder}


def places_of(path: Path, shown: Mapping[str, Path]) -> list[str]:
    """The paths in a cell at which these `places`, or the system's folders, would show a path of the machine."""
    path = path.resolve()
    everything = {**{folder: Path(folder) for folder, link in system_folders().items() if not link}, **shown}
    return [
        os.path.normpath(f"{place}/{path.relative_to(source)}")
        for place, source in ((place, source.resolve()) for place, source in everything.items())
        if path.is_relative_to(source)
    ]


def _named(words: list[str], folder: Path) -> Iterator[str]:
    """Find the programs of the machine that a command names: its first word, and names anywhere in it.

    So a runtime may stand behind `env`, in a line for a shell, or in the #! line of one of the bot's scripts.
    Of paths only those count to which the name alone leads, too: strangers choose among the programs in our PATH.
    """
    if words[0].startswith("/"):
        yield words[0]
    todo = [name for word in words[1:] for name in _NAME.findall(word)][:_MOST_NAMES]
    todo += _NAME.findall(words_of(folder / words[0]))
    for name in todo:
        if "/" not in name:
            found = which(name)
            if found is not None:
                yield in_place(found)
        elif name.startswith("/"):
            if which(Path(name).name) == name:
                yield in_place(name)
        elif ".." not in name and len(todo) < 2 * _MOST_NAMES:
            todo += _NAME.findall(words_of(folder / name))


def first_word(program: Program) -> str:
    """The first word of the command to run: an absolute path, or a path in the bot's folder that begins with "./".

    Raises `CellError` if the program is not on this machine, or if the bot may not use it.
    """
    word = program.command[0]
    if word in (PYTHON, OURS):
        return _python(word)
    if "/" not in word:
        found = which(word)
        if found is None:
            raise CellError(
                f"there is neither a folder nor a program {word!r} on this machine{_meant(word, program.folder)}"
            )
        return in_place(found)
    path = program.folder / word
    if str(path) == sys.executable:
        return in_place(sys.executable)
    if not path.is_file():
        raise CellError(f"there is no program {path}")
    if not os.access(path, os.X_OK):
        remedy = by_interpreter(path, word) or f"; run: chmod +x {shlex.quote(str(path))}"
        raise CellError(f"{path} is not executable{remedy}")
    must_run_here(path, word)
    if path in program.reads or is_of_the_system(word) or word == sys.executable:
        return word
    if path.is_relative_to(program.folder) and ".." not in path.parts:
        return f"./{path.relative_to(program.folder)}"
    raise CellError(f"{word} is not in the bot's folder; for a program of the machine, give its name without a path")


def _meant(word: str, folder: Path) -> str:
    """A hint at the program that an author may have meant by a missing one."""
    if (folder / word).is_file():
        return by_interpreter(folder / word, word) or f"; for the file in the folder, write ./{word}"
    words = word.split()
    return f"; quote each word by itself: {json.dumps(words)}" if len(words) > 1 else ""


def _outermost(places: Iterable[Path]) -> tuple[Path, ...]:
    """Drop paths of the system and paths inside others, because a path is shown with everything in it."""
    left = {place for place in places if not is_of_the_system(str(place))}
    return tuple(sorted(place for place in left if left.isdisjoint(place.parents)))

"""The bots used in measurements; those in C are compiled into `bench/build` if there is a gcc."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.program import OURS, Program

HERE = Path(__file__).resolve().parent
_BUILD = HERE / "build"

Command = tuple[str, ...]


@cache
def compiled(name: str, *flags: str) -> Path | None:
    """The program (or by `flags` the library) made from `name`.c, or None if there is no gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    source, program = HERE / f"{name}.c", _BUILD / name
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        _BUILD.mkdir(exist_ok=True)
        subprocess.run([gcc, "-O2", "-Wall", *flags, "-o", str(program), str(source)], check=True, timeout=60)
        for path in (_BUILD, program):
            path.chmod(0o755)  # if the referee is root, bots run as another user
    return program


def python_bot() -> Command:
    """The instant bot in Python."""
    return sys.executable, str(HERE / "instant.py")


def instant_bot() -> Command:
    """The fastest instant bot available: in C, or in Python without a gcc."""
    program = compiled("instant")
    return (str(program),) if program else python_bot()


def hung_bot() -> Command:
    """A bot that says hello and never answers."""
    return (*instant_bot(), "hang")


def thinking_bot() -> Command:
    """A bot that sleeps for 1 to 5 ms before each answer."""
    return (*instant_bot(), "think")


def waiting_bot() -> Command:
    """A bot that sleeps for a second before each answer."""
    return (*instant_bot(), "wait")


def thinker_bot() -> Command:
    """A bot that thinks for a third of each limit and counts its steps."""
    return sys.executable, str(HERE / "thinker.py")


def as_bot(command: Command, *, restart: bool = False) -> Bot:
    """The command as a bot of the arena, with this folder as its own: paths are relative to it."""
    words = [OURS if word == sys.executable else word.replace(f"{HERE}/", "./", 1) for word in command]
    return Bot(Path(command[-1]).name, Program(tuple(words), HERE), "match" if restart else "never")

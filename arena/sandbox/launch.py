"""What is to be run in a cell."""

from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.caps import Caps

PYTHON = "{python}"
"""A word of a command that stands for the Python of the arena: on the machine, or in the image."""

DOCKERFILE = "Dockerfile"
"""The file in a bot's folder from which its image is built."""


@dataclass(frozen=True)
class Launch:
    """A program, and what it may see and use."""

    command: tuple[str, ...]
    """As the manifest has it; the program is a word to look for, a path in the folder, or `PYTHON`."""
    folder: Path
    """The bot's own, seen read-only; where it runs."""
    caps: Caps
    mark: str
    """By which all it starts can be found."""
    mask: tuple[Path, ...] = ()
    """Never to be seen, though they may stand in what else is seen."""
    reads: tuple[Path, ...] = ()
    """Files and folders of the machine that are seen read-only at their own place, because the user named them."""
    image: str = ""
    """The container image to run it in, if it names one."""
    image_run: tuple[str, ...] = ()
    """The command in the image, if that is another."""

"""A program to run in a cell."""

from dataclasses import dataclass, field
from pathlib import Path

from bullring.arena.cells.sandbox.caps import Caps

PYTHON = "{python}"
"""A word in commands, replaced by a Python without packages (see `python`), or by python3 in an image of the bot's own."""

OURS = "{bullring}"
"""A word in commands, replaced by the Python that runs bullring, with the packages of its environment; in an image as `PYTHON`."""

DOCKERFILE = "Dockerfile"
"""The file in a bot's folder from which its image is built."""


@dataclass(frozen=True)
class Workshop:
    """Permissions of a program that builds another one: it may run files in its box, and more."""

    network: bool = False
    """Whether it may use the machine's network."""
    box: Path | None = None
    """A folder of the machine that serves as its box, in tiers that have none. It must be ours alone."""


@dataclass(frozen=True)
class Program:
    """A program, with the files it may see and the caps it gets."""

    command: tuple[str, ...]
    """As in the manifest. The first word is the name of a program, a path in the folder, or `PYTHON`."""
    folder: Path
    """The bot's folder, which is its working folder and read-only for it."""
    caps: Caps = field(default_factory=Caps)
    reads: tuple[Path, ...] = ()
    """Files and folders that the user named, shown read-only at their own paths."""
    image: str = ""
    """The container image to run it in, or empty."""
    image_run: tuple[str, ...] = ()
    """The command inside the image, if it differs from `command`."""
    workshop: Workshop | None = None
    """For programs that build others."""

"""What is to be run in a cell."""

from dataclasses import dataclass, field
from pathlib import Path

from bullring.arena.sandbox.caps import Caps

PYTHON = "{python}"
"""A word of a command that stands for the Python of the arena: on the machine, or in the image."""

DOCKERFILE = "Dockerfile"
"""The file in a bot's folder from which its image is built."""


@dataclass(frozen=True)
class Program:
    """A program, and what it may see and use."""

    command: tuple[str, ...]
    """As the manifest has it; its first word is a program to look for, a path in the folder, or `PYTHON`."""
    folder: Path
    """The bot's own, seen read-only; where it runs."""
    caps: Caps = field(default_factory=Caps)
    reads: tuple[Path, ...] = ()
    """Files and folders of the machine that are seen read-only at their own place, because the user named them."""
    image: str = ""
    """The container image to run it in, if it names one."""
    image_run: tuple[str, ...] = ()
    """The command in the image, if that is another."""

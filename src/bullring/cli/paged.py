"""What is longer than a terminal begins at its top there, a screen at a time."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

LESS = "FRX"
"""Options of the pager `less`, unless the user has chosen some: colours, and nothing to be left if all fits on one screen."""


@contextmanager
def paged(console: Console) -> Iterator[None]:
    """Print to the pager of the terminal; elsewhere as ever."""
    if console.is_terminal and sys.stdin.isatty() and console.file.isatty():
        os.environ.setdefault("LESS", LESS)
        with console.pager(styles=True):
            yield
    else:
        yield

"""Lines of `bullring` to whoever called it, on stderr: errors and notes. On a terminal they break between words."""

import os
import sys
import textwrap
from contextlib import suppress

import click

from bullring.arena.cells.text.harmless import harmless


def complain(text: object, most: int | None = None) -> None:
    """Say it, in at most so many characters. Strangers may have written parts of it."""
    with suppress(OSError):  # the terminal is gone
        click.echo(wrapped(f"bullring: {harmless(text, most)}", _width()), err=True)


def wrapped(text: str, width: int | None) -> str:
    """The text in lines of this width, broken between words: what is longer stays whole, so that it can be copied."""
    if width is None:
        return text
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def _width() -> int | None:
    """The columns of the terminal that shows stderr; None if it is none, for programs read whole lines."""
    with suppress(OSError, ValueError, AttributeError):
        if sys.stderr.isatty():
            return os.get_terminal_size(sys.stderr.fileno()).columns or None
    return None

"""Writing pages of matches."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import click

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.watching.page.page import START
from bullring.errors import WriteError

STDOUT = Path("-")


def refuse(out: Path) -> None:
    """Raise `WriteError` if a page cannot go there: its folder is missing, or a file that is not such a page has this name."""
    if out == STDOUT:
        return
    if not out.parent.is_dir():
        raise WriteError(f"{harmless(out)} cannot be written: there is no folder {harmless(out.parent)}; make it first")
    if out.is_dir():
        raise WriteError(f"{harmless(out)} is a folder; name a file in it, such as {harmless(out / 'match.html')}")
    try:
        if not out.is_file():
            return
        with out.open("rb") as file:
            ours = file.read(len(START)) == START.encode()
    except OSError as error:
        raise _unwritten(out, error) from None
    if not ours:
        raise WriteError(
            f"{harmless(out)} exists and is not a page of a match, so it is not overwritten; move it away, or give another name"
        )


def write(out: Path, text: str) -> None:
    """Write a page, in place of an older one; "-" is stdout. A page is there whole or not at all. Raises `WriteError`."""
    if out == STDOUT:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    refuse(out)
    temporary = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        if out.exists() and not out.is_file():  # a device or a pipe
            out.write_text(text, "utf-8")
            return
        try:
            temporary.write_text(text, "utf-8")
            temporary.replace(out)
        except OSError:
            with suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        raise _unwritten(out, error) from None
    click.echo(f"{harmless(out)}: {len(text.encode()) / 1000:.0f} kB; open it in any browser", err=True)


def _unwritten(out: Path, error: OSError) -> WriteError:
    return WriteError(f"{harmless(out)} cannot be written: {error.strerror or error}")

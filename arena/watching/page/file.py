"""The file of a page, or of its picture: written whole or not at all, in place of an older one and never of another file."""

import os
from contextlib import suppress
from pathlib import Path

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.watching.page.page import START
from bullring.errors import WriteError


def check_page(out: Path, start: bytes = START.encode()) -> None:
    """Raise `WriteError` if a page cannot go there: its folder is missing, or a file has this name that does not start like it."""
    if not out.parent.is_dir():
        raise WriteError(f"{harmless(out)} cannot be written: there is no folder {harmless(out.parent)}; make it first")
    if out.is_dir():
        raise WriteError(f"{harmless(out)} is a folder; name a file in it, such as {harmless(out / 'match.html')}")
    try:
        if not out.is_file():
            return
        with out.open("rb") as file:
            ours = file.read(len(start)) == start
    except OSError as error:
        raise _unwritten(out, error) from None
    if not ours:
        what = "the picture" if start != START.encode() else "a page"
        raise WriteError(
            f"{harmless(out)} exists and is not {what} of a match, so it is not overwritten; move it away, or give another name"
        )


def write_page(out: Path, data: bytes, start: bytes = START.encode()) -> None:
    """Write a page, in place of an older one. Raises `WriteError`."""
    check_page(out, start)
    temporary = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        if out.exists() and not out.is_file():  # a device or a pipe
            out.write_bytes(data)
            return
        try:
            temporary.write_bytes(data)
            temporary.replace(out)
        except OSError:
            with suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        raise _unwritten(out, error) from None


def _unwritten(out: Path, error: OSError) -> WriteError:
    return WriteError(f"{harmless(out)} cannot be written: {error.strerror or error}")

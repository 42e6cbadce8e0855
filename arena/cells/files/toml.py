"""Parse TOML of bounded complexity: what the parser would take seconds, gigabytes or deep recursion for is refused first."""

import re
import tomllib
from pathlib import Path
from typing import Any

from bullring.arena.cells.files.read import read_file, shown
from bullring.errors import FilesError

MOST_BYTES = 65_536
MOST_PARTS = 8
"""Most parts of a dotted key, as in a.b.c."""
MOST_DEPTH = 8
"""Most brackets and braces inside each other."""
MOST_KEYS = 1_000
"""Most keys and tables together."""
MOST_ENTRIES = 10_000
"""Most entries of all arrays together."""
MOST_DIGITS = 100
"""Most characters of a number, a date or a bare key."""

_TOKEN = re.compile(
    r'''
      """ (?: \\[\s\S] | [^\\] )*? (?: """ | \Z )   # strings; one that does not end takes the rest, as in the parser
    | \'\'\' [\s\S]*? (?: \'\'\' | \Z )
    | " (?: \\. | [^"\\\n] )* "?
    | ' [^'\n]* '?
    | \# [^\n]*
    | (?P<word> [A-Za-z0-9_+:-]+ )
    | (?P<mark> [][{}.=,\n] )
    ''',
    re.VERBOSE,
)


def read_toml(path: Path, *, follow: bool = False) -> dict[str, Any]:
    """The contents of a TOML file. `follow` allows it to be a link.

    Raises `FilesError`, and `OSError` if it cannot be read.
    """
    data = read_file(path, MOST_BYTES, follow=follow)
    try:
        text = data.decode()
        _check(text)
        return tomllib.loads(text)
    except FilesError as error:
        raise FilesError(f"{shown(path)} {error}") from None
    except UnicodeDecodeError as error:
        raise FilesError(f"{shown(path)} cannot be read: {error}") from None
    except ValueError as error:  # also of numbers and dates that the parser itself does not check
        raise FilesError(f"{shown(path)} is not valid TOML: {error}") from None


def _check(text: str) -> None:
    """Raise `FilesError` if this is too complex. Wherever the text is valid TOML, the same is counted as the parser will find."""
    if text.startswith("\ufeff"):
        raise FilesError("begins with a byte order mark; save it as UTF-8 without one")
    parts, depth, keys, entries = 1, 0, 0, 0
    for token in _TOKEN.finditer(text):
        if len(token["word"] or "") > MOST_DIGITS:
            raise FilesError(
                f"has a word or number of more than {MOST_DIGITS} characters outside of quotes; shorten it"
            )
        mark = token["mark"]
        if mark == ".":
            parts += 1
        elif mark:
            parts = 1
            depth = max(0, depth + (mark in "[{") - (mark in "]}"))
            keys += mark in "=["
            entries += mark == ","
        if parts > MOST_PARTS:
            raise FilesError(f"has a key of more than {MOST_PARTS} parts; shorten it")
        if depth > MOST_DEPTH:
            raise FilesError(f"has arrays or tables nested more than {MOST_DEPTH} deep; flatten them")
        if keys > MOST_KEYS or entries > MOST_ENTRIES:
            raise FilesError(f"has more than {MOST_KEYS} keys and tables or {MOST_ENTRIES} entries; remove some")

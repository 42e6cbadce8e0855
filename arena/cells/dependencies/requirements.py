"""The Python packages that a bot declares, in `requirements.txt` or `pyproject.toml`.

Only packages of an index, by their names: no options, paths, addresses or repositories, because pip would follow them.
"""

import re
from collections.abc import Iterator

from bullring.errors import FilesError

MOST = 200
"""Most packages that a bot declares."""

_LONGEST = 4096
"""Characters of one requirement, with its hashes."""

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?"
_ONE_VERSION = r"(?:===?|~=|!=|<=|>=|<|>)\s*[A-Za-z0-9][A-Za-z0-9.*+!_-]{0,99}"
_VERSIONS = rf"{_ONE_VERSION}(?:\s*,\s*{_ONE_VERSION}){{0,20}}"
_REQUIREMENT = re.compile(
    rf"""
      (?P<package> {_NAME} (?: \s* \[ \s* {_NAME} (?: \s* , \s* {_NAME} ){{0,20}} \s* \] )? )
      \s* (?P<versions> {_VERSIONS} | \( \s* {_VERSIONS} \s* \) )?
      \s* (?P<marker> ; [\w\s.'"<>=!~()]{{1,400}}? )?
      (?P<hashes> (?: \s+ --hash=sha(?:256:[0-9a-f]{{64}}|384:[0-9a-f]{{96}}|512:[0-9a-f]{{128}}) )*)
    """,
    re.VERBOSE | re.ASCII,
)

_COMMENT = re.compile(r"(?:^|\s)#.*")


def in_file(text: str, label: str) -> list[str]:
    """The requirements in a `requirements.txt`. Raises `FilesError`."""
    return _checked(_lines(text), label)


def in_list(values: object, label: str) -> list[str]:
    """The requirements in the list `dependencies` of a `pyproject.toml`. Raises `FilesError`."""
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise FilesError(f"{label}: expected a list of texts")
    return _checked(enumerate(values, 1), label)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The logical lines with the number of each one's last line. A backslash at the end of a line joins it to the next."""
    joined = ""
    for number, line in enumerate(text.splitlines(), 1):
        joined += _COMMENT.sub("", line)
        if joined.endswith("\\"):
            joined = joined[:-1] + " "
        else:
            yield number, joined
            joined = ""
    yield len(text.splitlines()), joined


def _checked(lines: Iterator[tuple[int, str]] | enumerate[str], label: str) -> list[str]:
    found = []
    for number, line in lines:
        text = line.strip()
        if not text:
            continue
        match = _REQUIREMENT.fullmatch(text) if len(text) <= _LONGEST else None
        if match is None:
            raise FilesError(
                f"{label}, line {number}: expected a package of an index, such as numpy>=2.1; got {text[:80]!r}. Options, paths,"
                " addresses and repositories are not fetched"
            )
        found.append(" ".join(text.split()))
    if len(found) > MOST:
        raise FilesError(f"{label} declares {len(found)} packages; at most {MOST} are fetched")
    return found

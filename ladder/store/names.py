"""The names of bots on a ladder, and the labels of their versions."""

import re
import unicodedata
from collections.abc import Iterable

from bullring.arena.cells.bots.bot import MAX_NAME
from bullring.arena.cells.text.harmless import harmless
from bullring.errors import LadderError
from bullring.ladder.store.rows import BotRow

_VERSION = re.compile(r" v\d+$", re.ASCII | re.IGNORECASE)

_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Invisible letters and marks."""

_LOOK_ALIKE = str.maketrans(
    {
        **dict.fromkeys(map(chr, range(0xFE00, 0xFE10)), ""),  # they choose between two pictures of a character
        **dict(zip("авекмнорстухіјѕԛԝ", "abekmhopctyxijsqw", strict=True)),  # Cyrillic
        **dict(zip("αβγεζηικμνορτυχ", "abyezhikmvoptux", strict=True)),  # Greek
    }
)
"""Small letters of other scripts that look like Latin ones."""


def label(bot: str, version: int) -> str:
    """The name under which a version of a bot plays: "mine" for the first one, "mine v2" for the second."""
    return bot if version == 1 else f"{bot} v{version}"


def check_name(name: str, rows: Iterable[BotRow]) -> None:
    """Raise `LadderError` unless a bot may have this name, or is one of those in `rows` already."""
    if fault := _fault(name):
        raise LadderError(f"{name[:80]!r} cannot be the name of a bot on a ladder: {fault}; choose another with --name")
    folded = _folded(name)
    for row in rows:
        if row.bot != name and folded in (_folded(row.bot), _folded(row.name)):
            raise LadderError(
                f"the name {name!r} looks like {row.name!r}, which is another bot of this ladder; choose another with --name"
            )


def next_version(bot: str, rows: Iterable[BotRow]) -> int:
    """The number of the next version of a bot."""
    return 1 + max((row.version for row in rows if row.bot == bot), default=0)


def _fault(name: str) -> str:
    """The reason why a bot cannot have a name; empty if it can."""
    if not 1 <= len(name) <= MAX_NAME:
        return f"a name has 1 to {MAX_NAME} characters, and this one has {len(name)}"
    if harmless(name) != name or any(char in _BLANK for char in name):
        return "it has control characters or invisible ones"
    if unicodedata.category(name[0])[0] == "M":
        return "it begins with a mark that belongs to the letter before it"
    if name != " ".join(name.split()):
        return "it begins or ends with a space, or has several in a row"
    if name[0] in "@-":
        return f"names that begin with {name[0]} mean something else on a command line"
    if "/" in name or not name.strip("."):
        return "on a command line it means a file or a folder"
    if _VERSION.search(name):
        return "the ladder counts the versions of a bot itself"
    return ""


def _folded(name: str) -> str:
    """The same text for names that people take for the same."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return text.translate(_LOOK_ALIKE)

"""The names of bots on a ladder, and the labels of their versions."""

import re
import unicodedata
from collections.abc import Iterable

from bullring.arena.bots.bot import MAX_NAME
from bullring.arena.display.text import harmless
from bullring.errors import LadderError
from bullring.ladder.keeping.rows import BotRow

_VERSION = re.compile(r" v\d+$", re.ASCII | re.IGNORECASE)


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
    """The number of the next version of a bot. Its label is free, also where an older bullring let bots have such names."""
    names = {row.name for row in rows}
    version = 1 + max((row.version for row in rows if row.bot == bot), default=0)
    while label(bot, version) in names:
        version += 1
    return version


def _fault(name: str) -> str:
    """What is wrong with a name; empty if nothing is."""
    if not 1 <= len(name) <= MAX_NAME:
        return f"a name has 1 to {MAX_NAME} characters, and this one has {len(name)}"
    if harmless(name) != name:
        return "it has control characters, or others that nobody sees"
    if name != " ".join(name.split()):
        return "it begins or ends with a space, or has several in a row"
    if name[0] in "@-":
        return f"names that begin with {name[0]} mean something else on a command line"
    if _VERSION.search(name):
        return "the ladder counts the versions of a bot itself"
    return ""


def _folded(name: str) -> str:
    """The same text for names that people take for the same."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())

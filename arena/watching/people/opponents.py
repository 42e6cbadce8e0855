"""Bots that a person can choose as opponents: the built-in ones, and those in folders. Bots of a ladder come from the ladder."""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bullring.arena.cells.bots import builtin
from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.load import folder_of, load
from bullring.arena.cells.bots.manifest import read_manifest
from bullring.errors import BotError

EVEN = 1500
"""The rating of @greedy: a sensible program without tricks. Opponents that no person chose are as near to it as possible."""


@dataclass(frozen=True)
class Opponent:
    """A bot, as people choose it."""

    bot: str
    """The bot as people type it: @NAME, a folder or a command line."""
    name: str
    rating: int | None = None
    """Elo: of built-in bots in the standard game at four seats, of a ladder's bots in its main list."""
    error: int | None = None
    """Half the width of its 95 % interval."""
    language: str = ""
    about: str = ""
    """A line about it."""
    source: str = "built-in"
    """Its origin: "built-in", "ladder", or "own" for a typed one."""
    lacks: str = ""
    """The reason why it cannot play here, in a few words: "needs node"; empty if it can."""


def built_in() -> list[Opponent]:
    """The built-in bots, the strongest first."""
    return sorted(map(_of_builtin, builtin.names()), key=lambda one: -(one.rating or 0))


def _of_builtin(name: str) -> Opponent:
    manifest, rated = builtin.manifest(name), builtin.rating(name)
    words = [command[0] for command in (manifest.build, manifest.run) if command]
    missing = [word for word in words if "/" not in word and "{" not in word and shutil.which(word) is None]
    return Opponent(
        f"@{name}",
        manifest.name,
        rated.elo if rated else None,
        rated.error if rated else None,
        manifest.language,
        manifest.about,
        lacks=f"needs {missing[0]}" if missing else "",
    )


def named(text: str) -> Opponent:
    """The bot that was typed: @NAME, a folder or a command line. Raises `BotError` if there is none."""
    if text.startswith("@"):
        builtin.folder(text[1:])
        return _of_builtin(text[1:])
    bot: Bot = load(text)
    folder = folder_of(text)
    if folder is None:
        return Opponent(text.strip(), bot.name, about="a command line", source="own")
    manifest = read_manifest(folder)
    return Opponent(str(folder.resolve()), bot.name, language=manifest.language, about=manifest.about, source="own")


def usual(count: int, among: Iterable[Opponent] | None = None) -> list[Opponent]:
    """A number of opponents for a person who has chosen none: built-in ones of different strength, around `EVEN`.

    Only those that need neither a build nor another runtime; the same ones again where that is not enough.
    """
    ready = [one for one in among or built_in() if _simple(one)]
    nearest = sorted(ready, key=lambda one: (abs((one.rating or 0) - EVEN), one.bot))
    if not nearest:
        raise BotError("there are no built-in bots that can play; name opponents yourself")
    return [nearest[at % len(nearest)] for at in range(count)]


def _simple(one: Opponent) -> bool:
    return one.source == "built-in" and one.language == "Python" and not one.lacks


def looks_like_bot(text: str) -> bool:
    """Whether a typed word means a bot, not a person: it begins with an @, is a path, or is a command line.

    A name has no slash, and its first word is not a program.
    """
    first, _, rest = text.strip().partition(" ")
    return text.startswith("@") or "/" in text or folder_of(text) is not None or bool(rest and shutil.which(first))


def refuse_slip(name: str) -> None:
    """Raise `BotError` if the name of a person is that of a built-in bot without its @."""
    if name in builtin.names():
        raise BotError(f"{name!r} would be the name of a person; the built-in bot is @{name}")


def by_name(text: str, known: Sequence[Opponent]) -> Opponent:
    """The opponent that `text` names among those of a list, by its name or as it is typed. Raises `BotError`."""
    for one in known:
        if text in (one.bot, one.name):
            return one
    return named(text)

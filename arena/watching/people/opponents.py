"""Bots that a person can choose as opponents: the built-in ones, and those in folders. Bots of a ladder come from the ladder."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from bullring.arena.cells.bots import builtin
from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.load import folder_of, load
from bullring.arena.cells.bots.manifest import read_manifest
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say, spoken
from bullring.errors import BotError

LEVELS = {
    "easy": ("@beginner", "@random", "@casual"),
    "medium": ("@greedy", "@casual", "@careful"),
    "hard": ("@montecarlo", "@quick", "@bayes"),
}
"""Opponents of those who choose none by name: built-in bots that need no build and no other runtime."""

USUAL = "medium"
"""The level of opponents that nobody chose."""


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
    """A line about it, as its author wrote it."""
    source: str = "built-in"
    """Its origin: "built-in", "ladder", or "own" for a typed one."""
    broken: str = ""
    """The reason why it cannot play, if its files are missing."""
    tool: str = ""
    """The program that it needs, and that is not here."""

    @property
    def lacks(self) -> str:
        """The reason why it cannot play here, in a few words: "needs node"; empty if it can."""
        return say("screens.refusals.needs", tool=self.tool) if self.tool else self.broken

    @property
    def does(self) -> str:
        """What it does, in the language that is spoken if that is known."""
        own = spoken().find(f"screens.bots.{self.name}") if self.source == "built-in" else None
        return own or harmless(self.about, 400)


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
        tool=missing[0] if missing else "",
    )


def named(text: str) -> Opponent:
    """The bot that was typed: @NAME, a folder or a command line. Raises `BotError` if there is none."""
    if text.startswith("@"):
        builtin.folder(text[1:])
        return _of_builtin(text[1:])
    bot: Bot = load(text)
    folder = folder_of(text)
    if folder is None:
        return Opponent(text.strip(), bot.name, about=say("screens.refusals.command"), source="own")
    manifest = read_manifest(folder)
    return Opponent(str(folder.resolve()), bot.name, language=manifest.language, about=manifest.about, source="own")


def level(name: str, count: int) -> tuple[str, ...]:
    """A number of opponents of a level, as people type them; the same ones again where there are not enough."""
    bots = LEVELS[name]
    return tuple(bots[at % len(bots)] for at in range(count))


def looks_like_bot(text: str) -> bool:
    """Whether a typed word means a bot, not a person: it begins with an @, is a path, or is a command line.

    A name has no slash, and its first word is not a program.
    """
    first, _, rest = text.strip().partition(" ")
    return text.startswith("@") or "/" in text or folder_of(text) is not None or bool(rest and shutil.which(first))


def refuse_slip(name: str) -> None:
    """Raise `BotError` if the name of a person is that of a built-in bot without its @."""
    if name in builtin.names():
        raise BotError(say("screens.refusals.slip", name=name))


def by_name(text: str, known: Sequence[Opponent]) -> Opponent:
    """The opponent that `text` names among those of a list, by its name or as it is typed. Raises `BotError`."""
    for one in known:
        if text in (one.bot, one.name):
            return one
    return named(text)

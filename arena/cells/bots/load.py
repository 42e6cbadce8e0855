"""Load the bot that a user named: a built-in one, a folder with a `bot.toml`, or a command line."""

import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bullring.arena.cells.bots import builtin
from bullring.arena.cells.bots.bot import AS_IT_IS, MANIFEST, Bot
from bullring.arena.cells.bots.manifest import CapsSection, read_manifest
from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.sandbox.program import DOCKERFILE, PYTHON, Program
from bullring.arena.cells.sandbox.visible import first_word
from bullring.errors import BotError, CellError


def load(text: str, *, kept: bool = False) -> Bot:
    """Return the bot that `text` names: "@greedy", a folder, or otherwise a command line. A folder that is `kept` is the copy of a
    ladder, to which no packages are added. Raises `BotError`.
    """
    if not text.strip():
        raise BotError("a bot is @NAME, a folder with a bot.toml or a command line, not an empty string")
    found = folder_of(text)
    return _from_command(text) if found is None else _from_folder(found, kept=kept)


def folder_of(text: str) -> Path | None:
    """The folder of the bot that `text` names; None if it is a command line. Raises `BotError`."""
    if text.startswith("@"):
        return builtin.folder(text[1:])
    path = Path(text)
    if path.is_dir():
        return path
    return path.parent if path.name == MANIFEST and path.is_file() else None


def _from_folder(folder: Path, *, kept: bool) -> Bot:
    from bullring.arena.cells.bots.snapshot import brings
    from bullring.arena.cells.dependencies.kinds import lacking

    manifest = read_manifest(folder)
    folder = folder.resolve()
    in_an_image = bool(manifest.image) or (folder / DOCKERFILE).is_file()
    lacks = not (kept or in_an_image or builtin.is_builtin(folder)) and bool(lacking(folder, brings))
    bot = Bot(
        name=manifest.name,
        program=Program(
            command=manifest.run,
            folder=folder,
            image=manifest.image,
            image_run=manifest.image_run,
        ),
        restart=manifest.restart,
        asks=_asks(manifest.limits),
        build=manifest.build or builtin.build(folder) or (AS_IT_IS if lacks else ()),
        lacks=lacks,
    )
    if not manifest.build and not in_an_image:  # otherwise the program may exist only later, or only in the image
        must_exist(bot, str(folder / MANIFEST))
    return bot


def _asks(limits: CapsSection) -> dict[str, float]:
    return {
        name.removesuffix("_mib"): value * MIB if name.endswith("_mib") else value
        for name, value in limits.given().items()
    }


def _from_command(text: str) -> Bot:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BotError(f"{text!r} is not a command line: {error}") from None
    if not words:
        raise BotError(f"{text!r} is not a command line: it is empty")
    if len(words) == 1 and words[0].startswith("git+"):
        raise BotError(
            f"{words[0]}: commits are taken by `bullring submit` and `bullring check`; to play it, clone the repository, and"
            " give the folder"
        )
    if len(words) == 1 and "/" in words[0] and not Path(words[0]).exists():
        raise BotError(f"{words[0]}: there is no such folder or program{_meant(words[0])}")
    words, named = _located(words)
    bot = Bot(text.strip(), Program(tuple(words), Path.cwd(), reads=tuple(named)))
    try:
        must_exist(bot, text)
    except BotError as error:
        raise BotError(f"{error}{'' if Path(words[0]).exists() else _meant(text)}") from None
    return bot


def _meant(text: str) -> str:
    """A hint at the bot that a user may have meant by a text that names none."""
    from difflib import get_close_matches  # only where something is wrong

    near = Path(text).parent
    try:
        folders = [str(near / path.name) for path in near.iterdir() if (path / MANIFEST).is_file()]
    except (OSError, ValueError):
        folders = []
    close = get_close_matches(text, [*(f"@{name}" for name in builtin.names()), *folders], 1)
    usual = "a bot is @NAME (bullring bots --builtin lists them), a folder with a bot.toml or a command line"
    return f"; did you mean {close[0]}?" if close else f"; {usual}"


def _located(words: Sequence[str]) -> tuple[list[str], list[Path]]:
    """Make paths outside the working folder absolute. Returns the words, and the paths that they name.

    An argument that names a file adds its folder as well, because programs have parts, unless the user's home is in that folder.
    """
    located, named = list(words), []
    for number, word in enumerate(words):
        path = Path(os.path.abspath(word))  # noqa: PTH100  # keep symbolic links: virtual environments need them
        if "/" not in word or not path.exists() or (path.is_relative_to(Path.cwd()) and not Path(word).is_absolute()):
            continue
        located[number] = str(path)
        named.append(path)
        if number and path.is_file() and not Path.home().is_relative_to(path.parent) and len(path.parents) > 2:
            named.append(path.parent)
    return located, named


def with_python(bot: Bot, word: str) -> Bot:
    """The bot with this word in place of `PYTHON` in its commands."""
    command, build = (
        tuple(word if each == PYTHON else each for each in words) for words in (bot.program.command, bot.build)
    )
    return replace(bot, program=replace(bot.program, command=command), build=build)


def must_exist(bot: Bot, where: str) -> None:
    """Raise `BotError` if the bot's program is not on this machine. The message begins with `where` the program is named."""
    try:
        first_word(bot.program)
    except CellError as error:
        raise BotError(f"{where}: {error}") from None

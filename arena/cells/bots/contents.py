"""The contents of a bot: hashed when it is added, and again before it plays."""

import sys
from pathlib import Path

from bullring.arena.cells.bots.bot import Bot, Contents
from bullring.arena.cells.files.hash import hash_files, hash_folder, short
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.sandbox.installations import is_of_the_system
from bullring.arena.cells.sandbox.program import OURS, PYTHON, Program
from bullring.errors import BotError, FilesError

_OURS = Bounds(size=1 << 62, files=1 << 31)
"""The bounds of a folder that was copied, and was within bounds then."""


def contents_of(bot: Bot, *, whole: bool) -> Contents:
    """The contents of a bot: its folder if that is the `whole` bot, else the program that its command names. Raises `BotError`."""
    try:
        found = hash_folder(bot.program.folder, _OURS) if whole else hash_files(_program_file(bot.program))
    except OSError as error:
        raise BotError(f"{error.filename or bot.program.folder} cannot be read: {error.strerror or error}") from None
    except FilesError as error:
        raise BotError(str(error)) from None
    return Contents(found, whole)


def check_contents(bot: Bot, expected: Contents) -> None:
    """Raise `BotError` if the bot's files are not those expected. Where no hash is known, nothing is expected."""
    if not expected.hash and not expected.built:
        return
    if expected.built:
        found = contents_of(bot, whole=True)
        if found.hash != expected.built:
            raise BotError(
                f"its built files have changed (expected {short(expected.built)}, found {short(found.hash)});"
                f" to build it again, remove {bot.program.folder.parent}"
            )
        return
    found = contents_of(bot, whole=expected.whole)
    if found.hash != expected.hash:
        raise BotError(
            f"its files have changed since it was added (expected {short(expected.hash)}, found {short(found.hash)});"
            " restore them, or submit it as it is now"
        )


def check_image(expected: Contents, image: str) -> None:
    """Raise `BotError` if the bot would play in another image than before. Where either is not known, nothing is expected."""
    if image and expected.image and image != expected.image:
        raise BotError(
            f"its image has changed since it first played (expected {expected.image}, found {image});"
            " restore it, or submit the bot with the new image"
        )


def _program_file(program: Program) -> list[Path]:
    """The first plain file that a command line names, without programs of the system and this Python; empty if it names none.

    Files after it may be data, which may change.
    """
    first, *others = program.command
    words = [first] if "/" in first and first != sys.executable else []
    words += [word for word in others if word not in (PYTHON, OURS)]
    paths = (program.folder / word for word in words)
    return [path for path in paths if path.is_file() and not is_of_the_system(str(path))][:1]

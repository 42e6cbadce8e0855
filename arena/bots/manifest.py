"""A bot on disk: a folder with `bot.toml`, or a command line given on the spot."""

import shlex
import shutil
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MANIFEST = "bot.toml"


class BotError(Exception):
    """A bot cannot be used as it was given. Says what is wrong and what to do."""


class Manifest(BaseModel):
    """The contents of `bot.toml`."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Annotated[str, Field(min_length=1, max_length=64, description="The name in tables and records.")]
    run: Annotated[
        list[str],
        Field(
            min_length=1,
            description="The command and its arguments, run in the bot's folder. {python} is the Python that runs bullring.",
        ),
    ]
    restart: Annotated[
        Literal["never", "match"],
        Field(description='"match" starts a fresh process for each match; "never" keeps it from match to match.'),
    ] = "never"
    language: Annotated[str, Field(max_length=64, description="For people to read.")] = ""
    author: Annotated[str, Field(max_length=64, description="For people to read.")] = ""


@dataclass(frozen=True)
class Bot:
    """A program that can be started."""

    name: str
    command: tuple[str, ...]
    folder: Path
    """Where it runs."""
    restart: Literal["never", "match"] = "never"


def load(text: str) -> Bot:
    """The bot that a user named: a folder, or else a command line. Raises `BotError`."""
    if not text.strip():
        raise BotError("a bot is a folder with a bot.toml or a command line, not an empty text")
    path = Path(text)
    if path.is_dir():
        return _from_folder(path)
    if path.name == MANIFEST and path.is_file():
        return _from_folder(path.parent)
    return _from_command(text)


def _from_folder(folder: Path) -> Bot:
    path = folder / MANIFEST
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise BotError(f"{folder}: a bot's folder must hold a {MANIFEST}, and there is none") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BotError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except tomllib.TOMLDecodeError as error:
        raise BotError(f"{path} is no TOML: {error}") from None
    try:
        manifest = Manifest.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BotError(f"{path}: {where}: {first['msg']}") from None
    folder = folder.resolve()
    command = tuple(sys.executable if word == "{python}" else word for word in manifest.run)
    return Bot(manifest.name, (_program(command[0], folder, str(path)), *command[1:]), folder, manifest.restart)


def _from_command(text: str) -> Bot:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BotError(f"{text!r} is no command line: {error}") from None
    if not words:
        raise BotError(f"{text!r} is no command line: it has no words")
    folder = Path.cwd()
    if len(words) == 1 and "/" in words[0] and not Path(words[0]).exists():
        raise BotError(f"{words[0]}: there is no such folder or program")
    return Bot(text.strip(), (_program(words[0], folder, text), *words[1:]), folder)


def _program(word: str, folder: Path, where: str) -> str:
    """The program's absolute path."""
    path = Path(word)
    if "/" in word:
        path = path if path.is_absolute() else folder / path
        if not path.is_file():
            raise BotError(f"{where}: there is no program {path}")
        return str(path)
    found = shutil.which(word)
    if found is None:
        raise BotError(f"{where}: there is no folder and no program {word!r} on this machine")
    return found

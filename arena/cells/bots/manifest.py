"""`bot.toml`, the manifest in the folder of a bot."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from bullring.arena.cells.bots.bot import MANIFEST, MAX_NAME
from bullring.arena.cells.files.toml import read_toml
from bullring.errors import BotError, FilesError
from bullring.validation import Many, Mistake, OneOf, Table, Text, Whole, key, read_table

WORD = Text(most=1024, pattern=r"[^\x00-\x1f\x7f]*")
"""One word of a command, without control characters."""

SIZE = Whole(1, 1 << 20)

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class CapsSection:
    """`[limits]`: caps that the bot asks for instead of the defaults, higher or lower."""

    memory_mib: int | None = key(Whole(16, 1 << 20), "Memory, in MiB.", None)
    processes: int | None = key(Whole(2, 4096), "Processes and threads, counted together.", None)
    file_mib: int | None = key(SIZE, "Largest file that it may write, in MiB.", None)
    box_mib: int | None = key(SIZE, "Size of its box, the folder it may write to, in MiB.", None)
    open_files: int | None = key(Whole(16, 65_536), "Open files of each of its processes.", None)

    def given(self) -> dict[str, int]:
        """The caps that are asked for."""
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The contents of `bot.toml`."""

    name: str = key(Text(1, MAX_NAME), "Name shown in tables and records.")
    run: tuple[str, ...] = key(
        Many(WORD, 1, 64),
        "Command and arguments, run in the bot's folder. {python} is a Python that has the"
        " packages that the bot brings, and no others.",
    )
    build: tuple[str, ...] = key(
        Many(WORD, most=64),
        "Command and arguments that build the bot, run once in a copy of its folder before the bot plays."
        " {python} as in `run`.",
        (),
    )
    restart: Literal["never", "match"] = key(
        OneOf(("never", "match")),
        '"match" starts a new process for each match; "never" keeps one process for all matches.',
        "never",
    )
    image: str = key(
        Text(most=256, pattern=r"|[a-z0-9][\w.:/@-]*"),
        "Image to run it in with `--sandbox docker`. Default: built from"
        " the Dockerfile in the folder; without one the bot sees this machine's programs.",
        "",
    )
    image_run: tuple[str, ...] = key(
        Many(WORD, most=64),
        "Command inside the image, if it differs from `run`. {python} is the image's python3.",
        (),
    )
    limits: CapsSection = key(Table(CapsSection), default=CapsSection())
    language: str = key(Text(most=64), "For people to read.", "")
    author: str = key(Text(most=64), "For people to read.", "")
    about: str = key(Text(most=200), "One line about the bot, for people to read.", "")


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest in a bot's folder, which may be a stranger's. Raises `BotError`."""
    return read_declaration(folder / MANIFEST, Manifest, "a bot's folder")


def read_declaration(path: Path, model: type[T], kind: str) -> T:
    """Read a TOML file that a folder of this kind must hold. Raises `BotError`."""
    try:
        data = read_toml(path)
    except FileNotFoundError:
        raise BotError(f"{path.parent}: {kind} must hold a {path.name}, and this one has none") from None
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror or error}") from None
    except FilesError as error:
        raise BotError(str(error)) from None
    try:
        return read_table(model, data)
    except Mistake as mistake:
        raise BotError(f"{path}: {mistake}") from None

"""`bot.toml`, the manifest in the folder of a bot."""

from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bullring.arena.cells.bots.bot import MANIFEST, MAX_NAME
from bullring.arena.cells.files.toml import read_toml
from bullring.errors import BotError, FilesError
from bullring.validation import first_mistake

Word = Annotated[str, Field(max_length=1024, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""One word of a command, without control characters."""

T = TypeVar("T", bound=BaseModel)


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class CapsSection(_Section):
    """`[limits]`: caps that the bot asks for instead of the defaults, higher or lower."""

    memory_mib: Annotated[int, Field(ge=16, le=1 << 20, description="Memory, in MiB.")] | None = None
    processes: Annotated[int, Field(ge=2, le=4096, description="Processes and threads, counted together.")] | None = (
        None
    )
    file_mib: Annotated[int, Field(ge=1, le=1 << 20, description="Largest file that it may write, in MiB.")] | None = (
        None
    )
    box_mib: (
        Annotated[int, Field(ge=1, le=1 << 20, description="Size of its box, the folder it may write to, in MiB.")]
        | None
    ) = None
    open_files: Annotated[int, Field(ge=16, le=65_536, description="Open files of each of its processes.")] | None = (
        None
    )


class Manifest(_Section):
    """The contents of `bot.toml`."""

    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME, description="Name shown in tables and records.")]
    run: Annotated[
        list[Word],
        Field(
            min_length=1,
            max_length=64,
            description="Command and arguments, run in the bot's folder. {python} is a Python that has the"
            " packages that the bot brings, and no others.",
        ),
    ]
    build: Annotated[
        list[Word],
        Field(
            max_length=64,
            description="Command and arguments that build the bot, run once in a copy of its folder before the bot plays."
            " {python} as in `run`.",
        ),
    ] = []
    restart: Annotated[
        Literal["never", "match"],
        Field(description='"match" starts a new process for each match; "never" keeps one process for all matches.'),
    ] = "never"
    image: Annotated[
        str,
        Field(
            max_length=256,
            pattern=r"^$|^[a-z0-9][\w.:/@-]*$",
            description="Image to run it in with `--sandbox docker`. Default: built from"
            " the Dockerfile in the folder; without one the bot sees this machine's programs.",
        ),
    ] = ""
    image_run: Annotated[
        list[Word],
        Field(
            max_length=64,
            description="Command inside the image, if it differs from `run`. {python} is the image's python3.",
        ),
    ] = []
    limits: CapsSection = CapsSection()
    language: Annotated[str, Field(max_length=64, description="For people to read.")] = ""
    author: Annotated[str, Field(max_length=64, description="For people to read.")] = ""
    about: Annotated[str, Field(max_length=200, description="One line about the bot, for people to read.")] = ""


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
        return model.model_validate(data)
    except ValidationError as error:
        raise BotError(f"{path}: {first_mistake(error, model)}") from None

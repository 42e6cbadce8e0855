"""A bot on disk: a folder with `bot.toml`, or a command line given on the spot."""

import os
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.sandbox.caps import MIB, Caps
from arena.sandbox.cell import CellError
from arena.sandbox.launch import DOCKERFILE, Launch
from arena.sandbox.local.view import program_of

MANIFEST = "bot.toml"


class BotError(Exception):
    """A bot cannot be used as it was given. Says what is wrong and what to do."""


Word = Annotated[str, Field(max_length=1024, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""Of a command."""

LONGEST_MANIFEST = 65536
"""Bytes."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class LimitsSection(_Section):
    """`[limits]`: what the bot asks for, where the defaults are too little (or more than it wants)."""

    memory_mib: Annotated[int, Field(ge=16, le=1 << 20, description="Memory, in MiB.")] | None = None
    processes: Annotated[int, Field(ge=2, le=4096, description="Processes and threads together.")] | None = None
    cpus: Annotated[float, Field(ge=0.01, le=1024, description="Cores' worth of the processor.")] | None = None
    file_mib: Annotated[int, Field(ge=1, le=1 << 20, description="The largest file it may write, in MiB.")] | None = (
        None
    )
    box_mib: (
        Annotated[int, Field(ge=1, le=1 << 20, description="Its box, the folder it may write to, in MiB.")] | None
    ) = None


class Manifest(_Section):
    """The contents of `bot.toml`."""

    name: Annotated[str, Field(min_length=1, max_length=64, description="The name in tables and records.")]
    run: Annotated[
        list[Word],
        Field(
            min_length=1,
            max_length=64,
            description="The command and its arguments, run in the bot's folder. {python} is the Python that runs bullring.",
        ),
    ]
    restart: Annotated[
        Literal["never", "match"],
        Field(description='"match" starts a fresh process for each match; "never" keeps it from match to match.'),
    ] = "never"
    image: Annotated[
        str,
        Field(
            max_length=256,
            pattern=r"^$|^[a-z0-9][\w.:/@-]*$",
            description="The image to run it in with `--sandbox docker`. Default: built from"
            " the Dockerfile in the folder, or else made of this machine's Python.",
        ),
    ] = ""
    image_run: Annotated[
        list[Word],
        Field(max_length=64, description="The command in the image, if it is not `run`. {python} is its python3."),
    ] = []
    limits: LimitsSection = LimitsSection()
    language: Annotated[str, Field(max_length=64, description="For people to read.")] = ""
    author: Annotated[str, Field(max_length=64, description="For people to read.")] = ""


@dataclass(frozen=True)
class Bot:
    """A program that can be started."""

    name: str
    command: tuple[str, ...]
    """As its author wrote it."""
    folder: Path
    """Where it runs."""
    restart: Literal["never", "match"] = "never"
    reads: tuple[Path, ...] = ()
    """What else of the machine it may read, because the user named it."""
    image: str = ""
    image_run: tuple[str, ...] = ()
    wishes: Mapping[str, float] = field(default_factory=dict, hash=False)
    """What it asks for of `Caps`; the rest is as usual."""
    caps: Caps = field(default_factory=Caps)
    """What it gets."""

    def launch(self, mark: str, mask: Sequence[Path] = ()) -> Launch:
        """How to start it; `mask` is what it must not see."""
        return Launch(
            command=self.command,
            folder=self.folder,
            caps=self.caps,
            mark=mark,
            mask=tuple(mask),
            reads=self.reads,
            image=self.image,
            image_run=self.image_run,
        )

    def facts(self) -> dict[str, Any]:
        """The bot as plain values, for another process."""
        return {
            **asdict(self),
            "folder": str(self.folder),
            "reads": [str(path) for path in self.reads],
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Bot":
        """The bot whose `facts` these are."""
        return cls(
            **{
                **facts,
                "command": tuple(facts["command"]),
                "folder": Path(facts["folder"]),
                "reads": tuple(map(Path, facts["reads"])),
                "image_run": tuple(facts["image_run"]),
                "caps": Caps(**facts["caps"]),
            }
        )


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
        # A stranger's file may be a pipe or a device, and never end.
        if path.exists() and not (path.is_file() and path.stat().st_size <= LONGEST_MANIFEST):
            raise BotError(f"{path} is no file of at most {LONGEST_MANIFEST} bytes")
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
    bot = Bot(
        name=manifest.name,
        command=tuple(manifest.run),
        folder=folder,
        restart=manifest.restart,
        image=manifest.image,
        image_run=tuple(manifest.image_run),
        wishes=_wishes(manifest.limits),
    )
    if not bot.image and not (folder / DOCKERFILE).is_file():  # else it may be in the image alone
        must_exist(bot, str(path))
    return bot


def _wishes(limits: LimitsSection) -> dict[str, float]:
    given = {name: value for name, value in limits.model_dump().items() if value is not None}
    return {name.removesuffix("_mib"): value * MIB if name.endswith("_mib") else value for name, value in given.items()}


def _from_command(text: str) -> Bot:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BotError(f"{text!r} is no command line: {error}") from None
    if not words:
        raise BotError(f"{text!r} is no command line: it has no words")
    if len(words) == 1 and "/" in words[0] and not Path(words[0]).exists():
        raise BotError(f"{words[0]}: there is no such folder or program")
    words, named = _located(words)
    bot = Bot(text.strip(), tuple(words), Path.cwd(), reads=tuple(named))
    must_exist(bot, text)
    return bot


def _located(words: Sequence[str]) -> tuple[list[str], list[Path]]:
    """The words, with absolute paths for what stands outside the working folder, and what they name there.

    Of a file its folder, too, for programs have parts; but not if that holds somebody's home.
    """
    located, named = list(words), []
    for number, word in enumerate(words):
        path = Path(os.path.abspath(word))  # noqa: PTH100  # symbolic links are to stay: virtual environments need them
        if "/" not in word or not path.exists() or (path.is_relative_to(Path.cwd()) and not Path(word).is_absolute()):
            continue
        located[number] = str(path)
        named.append(path)
        if number and path.is_file() and not Path.home().is_relative_to(path.parent) and len(path.parents) > 2:
            named.append(path.parent)
    return located, named


def must_exist(bot: Bot, where: str) -> None:
    """Raises `BotError` if there is no such program on this machine. `where` it is named goes into the message."""
    try:
        program_of(bot.launch(""))
    except CellError as error:
        raise BotError(f"{where}: {error}") from None

"""The sources of a submission: a folder, an archive, a commit of a repository, an image, a built-in bot, or a command line."""

import json
import os
import re
import shlex
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bullring.arena.cells.bots import builtin
from bullring.arena.cells.bots.bot import MANIFEST, MAX_NAME
from bullring.arena.cells.bots.load import folder_of
from bullring.arena.cells.files.read import shown
from bullring.arena.settings.settings import Settings
from bullring.errors import BotError, EngineRefusal, FilesError, StoreError
from bullring.ladder.submit import archives, repository

IMAGE = "image:"

_OLD = "git:"
"""A form in which nobody else names a commit."""

REPOSITORY = "repository"
"""The folder with the objects of a commit, among those of ours."""

LABEL = "bullring.run"
"""The label of an image that holds the command of the bot in it, as in a shell."""

_OTHERS = (".bz2", ".xz", ".zst", ".tbz", ".txz", ".7z", ".rar", ".gz")
"""The ends of the names of archives that are not read."""


@dataclass(frozen=True)
class Fetched:
    """The folder of a bot."""

    folder: Path
    told: str
    """The source of the submission."""
    commit: str = ""
    """The hash of the commit that it is."""


def fetch(text: str, run: str, own: Path, settings: Settings) -> Fetched | None:
    """The folder of the bot that `text` names; None if it is a command line. What must be unpacked is, in `own`, a folder of ours.

    `run` is the command of an image. Raises `BotError`, `StoreError`.
    """
    if run and not text.startswith(IMAGE):
        raise BotError(f"--run is for an image, whose command it is: {IMAGE}NAME; {text[:80]!r} is not one")
    path = Path(text)
    try:
        if text.startswith(repository.PREFIX):
            return _commit(repository.Commit.parse(text), own, settings)
        if text.startswith(IMAGE):
            return _image(text.removeprefix(IMAGE), run, own)
        if archives.is_archive(path) and path.is_file():
            return _archive(path, own, settings)
        if path.name.lower().endswith(archives.SUFFIXES) and " " not in text:
            raise BotError(f"{text}: there is no such archive")
        if path.name.lower().endswith(_OTHERS) and path.is_file():
            raise BotError(
                f"{text}: archives of this kind cannot be read; pack the bot as one of {', '.join(archives.SUFFIXES)}"
            )
        if text.startswith(_OLD) or (path.is_dir() and _is_bare_repository(path)):
            place, _, revision = text.removeprefix(_OLD).partition("#")
            raise BotError(
                f"a commit of a repository is named as pip does: git+file://{Path(place).resolve()}@{revision or 'HEAD'}"
            )
        folder = folder_of(text)
        if folder is None:
            return None
        builtin_name = text.startswith("@") and text[1:] in builtin.names()
        return Fetched(folder, text if builtin_name else shown(folder.resolve()))
    except FilesError as error:
        raise BotError(str(error)) from None
    except OSError as error:
        raise StoreError(f"{error.filename or own}: {error.strerror or error}") from None


def _is_bare_repository(path: Path) -> bool:
    return repository.is_bare(path) and not (path / MANIFEST).exists()


def _archive(path: Path, own: Path, settings: Settings) -> Fetched:
    copy, target = own / "archive", own / "unpacked"
    archives.copied(path, copy, settings.bounds)
    target.mkdir()
    archives.unpack(copy, target, settings.bounds, shown(path.name))
    return Fetched(_root(target, shown(path.name)), shown(path.resolve()))


def _commit(commit: repository.Commit, own: Path, settings: Settings) -> Fetched:
    target, place = own / "unpacked", own / REPOSITORY
    target.mkdir()
    place.mkdir(exist_ok=True)
    found = repository.export(commit, place, target, settings.bounds)
    return Fetched(_root(target, str(commit)), str(replace(commit, revision=found)), found)


def _root(folder: Path, label: str) -> Path:
    """The folder with the manifest: the top, or the only folder there, as in what code hosts pack. Raises `BotError`."""
    inner = list(folder.iterdir())
    for here in (folder, *(path for path in inner if len(inner) == 1 and path.is_dir() and not path.is_symlink())):
        if (here / MANIFEST).is_file():
            return here
    raise BotError(f"{label}: a {MANIFEST} must be at its top, or in the only folder there, and there is none")


def _image(name: str, run: str, own: Path) -> Fetched:
    """A folder with nothing but a manifest that names the image. Whether the bot may use it is decided where it is started."""
    try:
        words = shlex.split(run)
    except ValueError as error:
        raise BotError(f"the command of the image is not one: {run[:80]!r} ({error})") from None
    if not words:
        raise BotError(
            f"{IMAGE}{name} needs the command of the bot in it: --run 'COMMAND', or a label {LABEL} in the image"
        )
    target = own / "unpacked"
    target.mkdir()
    title = re.sub(r"[^\w.+-]+", " ", name.rpartition("/")[2].partition(":")[0].partition("@")[0]).strip()[:MAX_NAME]
    command = json.dumps(words)
    text = (
        f"name = {json.dumps(title or 'image')}\nimage = {json.dumps(name)}\nrun = {command}\nimage_run = {command}\n"
    )
    (target / MANIFEST).write_bytes(os.fsencode(text))
    return Fetched(target, f"image {name}")


async def ask_elsewhere(text: str, run: str, own: Path) -> str:
    """Get what `fetch` needs and is not here: a commit, or the command of an image. Returns the command.

    Raises `BotError`, `StoreError`, `HostError`.
    """
    if text.startswith(IMAGE) and not run:
        return await command_of(text.removeprefix(IMAGE))
    if text.startswith(repository.PREFIX) and (commit := repository.Commit.parse(text)).path is None:
        try:
            (own / REPOSITORY).mkdir()
            await repository.download(commit, own / REPOSITORY)
        except OSError as error:
            raise StoreError(f"{error.filename or own}: {error.strerror or error}") from None
    return run


async def command_of(image: str) -> str:
    """The command in the label of an image; empty if it has none. Raises `BotError`, and `HostError` if there is no engine."""
    from bullring.arena.cells.sandbox.container.engine import open_engine  # takes half a second to import

    async with open_engine() as engine:
        try:
            facts = await engine.call("look for an image", partial(engine.client.inspect_image, image))
        except LookupError:
            raise BotError(
                f"there is no image {image} on this machine, and none is pulled; pull or build it first"
            ) from None
        except EngineRefusal as error:
            raise BotError(str(error)) from None
    labels = (facts.get("Config") or {}).get("Labels") or {}
    return str(labels.get(LABEL, ""))

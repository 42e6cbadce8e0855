"""Images for bots: one that the bot names, one built from its Dockerfile, or the empty one that all others share.

Nothing is pulled, so a ladder needs no registry, and a bot that runs today runs tomorrow.
"""

import io
import json
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import IO, Any

import trio

from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.sandbox.container import context, host_image
from bullring.arena.cells.sandbox.container.config import Runs
from bullring.arena.cells.sandbox.container.dockerfile import bases, has_commands
from bullring.arena.cells.sandbox.container.engine import Engine
from bullring.arena.cells.sandbox.installations import PATH
from bullring.arena.cells.sandbox.program import DOCKERFILE, OURS, PYTHON, Program
from bullring.arena.cells.sandbox.visible import BOT, visible_to
from bullring.errors import CellError, EngineRefusal, HostError

LABEL = "bullring.kit"
"""Label of images made here. `docker image prune --all --filter label=bullring.kit` removes those not in use."""

BOT_REPOSITORY = "bullring/bot"

BUILD_LIMIT = 600.0
"""Seconds that one build may take."""
BUILD_MEMORY = 2048 * MIB
"""Bytes that a step of a build may use."""

_LAST_LINES = 15
"""Lines of a failed build shown in the error message."""


class Images:
    """The images of one engine."""

    def __init__(self, engine: Engine, hidden: Sequence[Path] = (), allowed: Sequence[str] = ()) -> None:
        """`hidden` are paths that no image may contain; `allowed` are the names of those that bots may name."""
        self._engine = engine
        self._hidden = hidden
        self._allowed = allowed
        self._lock = trio.Lock()
        self._known: dict[tuple[object, ...], Runs] = {}
        self._shared = ""
        """The id of the image for bots that bring none."""

    async def find(self, program: Program) -> Runs:
        """Return the image and command for a program. A missing image is made first, and kept.

        Raises `CellError`, `HostError`.
        """
        async with self._lock:  # so that an image needed twice is made once
            if not program.image and not (program.folder / DOCKERFILE).is_file():
                return await self._of_the_host(program)
            key = (program.command, program.folder, program.image, program.image_run)
            if key not in self._known:
                self._known[key] = await self._of_the_bot(program)
            return self._known[key]

    def forget(self) -> None:
        """Look for the shared image again when it is next needed: somebody has removed it."""
        self._shared = ""

    async def _of_the_bot(self, program: Program) -> Runs:
        command = _in_container(program.image_run or program.command, program.folder)
        if program.image:
            _refuse_others([program.image], self._allowed, "the bot.toml")
            found = await self._inspect(program.image)
            if found is None:
                raise CellError(f"the image {program.image} is not on this machine; run: docker pull {program.image}")
            identity = found["Id"]
        else:
            # Not its id, which would change if it were built again.
            identity, found = await self._built(program.folder)
        config = found.get("Config") or {}
        if config.get("Volumes"):
            raise CellError(
                f"the image declares VOLUME {', '.join(config['Volumes'])}, which would be a folder without a cap; remove it"
            )
        has_path = any(entry.startswith("PATH=") for entry in config.get("Env") or ())
        return Runs(found["Id"], command, {} if has_path else {"PATH": PATH}, identity)

    async def _of_the_host(self, program: Program) -> Runs:
        visible = visible_to(program)
        if not self._shared:
            data = host_image.contents()
            tag = host_image.tag(data)
            found = await self._inspect(tag)
            if found is None:
                await self._import(io.BytesIO(data), tag)
                found = await self._inspect(tag)
                if found is None:
                    raise HostError(f"the container engine has lost the image {tag}")
            self._shared = found["Id"]
        return Runs(self._shared, visible.command, visible.environment(BOT), visible=visible)

    async def _import(self, file: IO[bytes], tag: str) -> None:
        client = self._engine.client
        repository, _, version = tag.rpartition(":")

        def do() -> None:
            # In pieces, not the file itself: the SDK announces chunks, but sends a file whole.
            told = client.import_image_from_stream(iter(partial(file.read, MIB), b""), changes=[f"LABEL {LABEL}=host"])
            # Tagged afterwards: on import Podman drops the second part of the name.
            client.tag(json.loads(told.split("\n")[0])["status"], repository, version)

        await self._engine.call("make an image", do)

    async def _built(self, folder: Path) -> tuple[str, dict[str, Any]]:
        """The image of a Dockerfile and its name, built once for each state of its folder and base images."""
        path = folder / DOCKERFILE
        with tempfile.TemporaryFile() as file:
            # What is checked is what is built, whatever happens to the folder meanwhile.
            packed = await trio.to_thread.run_sync(context.pack, folder, self._hidden, file)
            ids = await self._bases(packed.dockerfile, path)
            tag = f"{BOT_REPOSITORY}:{context.name(packed.digest, ids)}"
            found = await self._inspect(tag)
            if found is None:
                await self._build(file, tag, path)
                found = await self._inspect(tag)
        if found is None:
            raise HostError(f"the container engine has lost the image {tag}")
        return tag, found

    async def _bases(self, dockerfile: bytes, path: Path) -> list[str]:
        """The ids of the images that a Dockerfile builds on. Raises `CellError` if it may not be built."""
        try:
            text = dockerfile.decode()
        except UnicodeDecodeError as error:
            raise CellError(f"{path} cannot be read: {error}") from None
        if self._engine.is_podman and has_commands(text):
            raise CellError(
                f"{path} has a RUN, and Podman would run it with this machine's network; build it yourself (podman build "
                f"--network none --tag NAME {shlex.quote(str(path.parent))}) and set image = NAME in bot.toml"
            )
        names = bases(text)
        _refuse_others(names, self._allowed, str(path))
        ids = []
        missing = []
        for name in names:
            found = await self._inspect(name)
            if found is None:
                missing.append(name)
            elif triggers := (found.get("Config") or {}).get("OnBuild"):
                raise CellError(
                    f"{path} builds on {name}, which has ONBUILD {'; '.join(triggers)}; "
                    "all instructions must be in the Dockerfile itself"
                )
            else:
                ids.append(found["Id"])
        if missing:
            pulls = "; ".join(f"docker pull {name}" for name in missing)
            raise CellError(
                f"{path} builds on images that are not on this machine, and bullring does not pull images; run: {pulls}"
            )
        return ids

    async def _build(self, folder: Any, tag: str, path: Path) -> None:
        """Build it, as root in containers with the engine's own confinement. No network, because the commands are a stranger's."""
        from docker.errors import APIError

        client = self._engine.client

        def do() -> list[str]:
            """Return the last lines of a failed build."""
            folder.seek(0)
            until = time.monotonic() + BUILD_LIMIT
            told = client.build(
                fileobj=folder,
                custom_context=True,
                tag=tag,
                rm=True,
                forcerm=True,
                pull=False,
                network_mode="none",
                labels={LABEL: "bot"},
                container_limits={"memory": BUILD_MEMORY, "memswap": BUILD_MEMORY},
                use_config_proxy=False,
                timeout=BUILD_LIMIT,
                decode=True,
            )
            try:
                return _failure(told, until)
            except APIError as error:
                if error.is_server_error():
                    raise
                return [str(error.explanation)]  # not a valid Dockerfile

        lines = await self._engine.call(f"build {path}", do, limit=BUILD_LIMIT + 5)
        if lines:
            said = " | ".join(filter(None, map(_plain, lines)))
            raise CellError(f"{path} cannot be built; the build, which has no network, ended with: {said}")

    async def _inspect(self, name: str) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = await self._engine.call(
                "look for an image", partial(self._engine.client.inspect_image, name)
            )
        except LookupError:
            return None
        except EngineRefusal as error:
            raise CellError(str(error)) from None
        return found


def _refuse_others(names: Iterable[str], allowed: Iterable[str], where: str) -> None:
    """Raise `CellError` unless all images are `allowed`, names in which * matches anything.

    Others may be images that were built for bots, and hold rivals' programs.
    """
    patterns = [_full(pattern) for pattern in allowed]
    for name in names:
        if not any(fnmatchcase(_full(name), pattern) for pattern in patterns):
            raise CellError(
                f"{where} names the image {name}, which bots may not use here; to allow it, add it to the list images under"
                f' [sandbox] in the settings file: images = ["{name}"]'
            )


def _full(name: str) -> str:
    """The name as Docker reads it: "debian" is "docker.io/library/debian:latest"."""
    for prefix in ("index.docker.io/", "docker.io/", "library/"):
        name = name.removeprefix(prefix)
    return name if any(mark in name.rpartition("/")[2] for mark in ":@*") else f"{name}:latest"


def _failure(told: Iterable[dict[str, Any]], until: float) -> list[str]:
    """The last lines of a failed build; empty if it succeeded."""
    lines: list[str] = []
    for message in told:
        if time.monotonic() > until:
            return [*lines, f"it took more than {BUILD_LIMIT:g} s"]
        lines += str(message.get("stream") or message.get("error") or "")[-10_000:].splitlines()
        del lines[:-_LAST_LINES]
        if "error" in message:
            return lines
    return []


def _plain(line: str) -> str:
    """A line without colour codes."""
    return re.sub(r"\x1b\[[0-9;]*m", "", line).strip()


def _in_container(command: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Translate a command of the machine to one inside a container."""
    return tuple(_word(word, folder) for word in command)


def _word(word: str, folder: Path) -> str:
    if word in (PYTHON, OURS, sys.executable):
        return "python3"
    path = Path(word)
    if path.is_absolute() and path.is_relative_to(folder):
        return f"{BOT}/{path.relative_to(folder)}"
    return word

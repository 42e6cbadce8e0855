"""Fetch the packages that a bot declares and does not bring, into a copy of its folder (`arena.cells.dependencies`).

Fetches are kept in the user's cache, by what was declared, so one before a check serves the submission after it. Where no versions
are pinned, a fetch is made anew only once the cache is cleared.
"""

import hashlib
import json
import shlex
import sys
import time
from pathlib import Path

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.snapshot import IGNORE, brings, how_to_bring
from bullring.arena.cells.building import cell
from bullring.arena.cells.building.cache import Cache
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.building.room import unwritable
from bullring.arena.cells.building.shelf import Card, Shelf, boot
from bullring.arena.cells.building.toolchain import machine
from bullring.arena.cells.dependencies.kind import Command, Files, Kind
from bullring.arena.cells.dependencies.kinds import HERE, MADE_FOR, lacking
from bullring.arena.cells.dependencies.pip import PIP
from bullring.arena.cells.files.copy import copy_folder
from bullring.arena.cells.files.hash import hash_folder
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.text.doing import Work, doing
from bullring.arena.cells.text.harmless import harmless_lines
from bullring.errors import BotError, BuildFailure, CellError, FilesError

FORMAT = 1
"""Increase it when the same declarations would bring something else."""

END = 4096
"""Characters of the log's end that a `BuildFailure` carries."""

_SCRIPT = "fetch.sh"
"""What the fetch is run by: settings are not in its command, which others could see."""


async def complete(bot: Bot, folder: Path, sandbox: Sandbox, limits: BuildLimits) -> list[str]:
    """Add what the bot lacks to `folder`, a copy of its folder that is ours. Returns the titles of the kinds.

    Raises `BotError` if it declares what is not fetched here, `BuildFailure` if a fetch fails, `HostError` if the machine fails.
    """
    found = await trio.to_thread.run_sync(lacking, folder, brings)
    if found and limits.fetch is False:
        titles = " and ".join(kind.title for kind in found)
        raise BotError(
            f"{bot.name} declares packages ({titles}) that it does not bring, and none are fetched here; to allow that, write"
            " fetch = true under [build] in the settings file (of a ladder: settings.toml in its home), or bring them in"
            f" {' and '.join(sorted({how_to_bring(kind.brings) for kind in found}))}: bullring docs dependencies"
        )
    for kind, given in found.items():
        shelf = await _fetched(bot, kind, given, sandbox, limits)
        await trio.to_thread.run_sync(_add, kind, shelf.bot, folder, limits.folder)
    return [kind.title for kind in found]


async def _fetched(bot: Bot, kind: Kind, given: Files, sandbox: Sandbox, limits: BuildLimits) -> Shelf:
    """The shelf with what was fetched."""
    cache = Cache.of_user()
    await trio.to_thread.run_sync(cache.open)
    facts = [
        FORMAT,
        kind.title,
        sorted((path, data.hex()) for path, data in given.items()),
        machine(),
        HERE,
        sys.version,
    ]
    shelf = Shelf(cache.builds / hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32])
    if await trio.to_thread.run_sync(shelf.take) is None:
        async with shelf.locked():
            if await trio.to_thread.run_sync(shelf.take) is None:
                with doing(f"fetching packages ({kind.title}) for {bot.name}") as work:
                    await _fetch(bot, kind, given, shelf, sandbox, limits, work)
    return shelf


async def _fetch(
    bot: Bot, kind: Kind, given: Files, shelf: Shelf, sandbox: Sandbox, limits: BuildLimits, work: Work
) -> None:
    """Fetch on a shelf whose lock is held. Whatever happens, only a finished fetch and a log stay there."""
    began = time.monotonic()
    title = f"the packages of {bot.name} ({kind.title})"
    command = await trio.to_thread.run_sync(kind.command)
    words = ("sh", _SCRIPT, command.words[0])
    try:
        await trio.to_thread.run_sync(shelf.begin, f"packages for {kind.title}", bot.program.folder)
        await trio.to_thread.run_sync(_lay, kind, given, command, shelf.source)
        source = await trio.to_thread.run_sync(hash_folder, shelf.source, limits.folder)
        reads = (*command.reads, *(path for value in command.environment.values() if _is_file(path := Path(value))))
        outcome = await cell.build(
            words, shelf.source, shelf.work, sandbox, limits.with_network(), reads=reads, work=work
        )
        log = harmless_lines(outcome.log)
        shelf.log.write_text(log, "utf-8")
        if outcome.why:
            why = outcome.why.replace(shlex.join(words), "it", 1)
            raise BuildFailure(
                f"{title} cannot be fetched: {kind.manager} {why}",
                log=log[-END:],
                log_path=str(shelf.log),
                remedy=f"{kind.remedy(log)}: bullring docs dependencies",
            )
        size = sum(path.lstat().st_size for path in shelf.work.rglob("*"))
        seconds = round(time.monotonic() - began, 1)
        shelf.put(
            Card(
                *(outcome.hash, source, command.words, machine(), True, seconds, size, boot()),
                bot=f"packages for {kind.title}",
                folder=str(bot.program.folder),
            )
        )
    except CellError as error:
        raise BuildFailure(f"{title} cannot be fetched: {error}") from None
    except FilesError as error:
        raise BotError(str(error)) from None
    except OSError as error:
        raise unwritable(error, shelf.path) from None
    finally:
        shelf.end()


def _lay(kind: Kind, given: Files, command: Command, folder: Path) -> None:
    """Write what the package manager is given, the user's settings, and the script, which leaves nothing but the packages."""
    script = [
        "set -e",
        *(f"export {name}={shlex.quote(value)}" for name, value in command.environment.items()),
        f'"$1" {shlex.join(command.words[1:])}',
        f'for each in * .[!.]*; do [ "$each" = {kind.brings} ] || rm -rf "$each"; done',
        "",
    ]
    for path, data in {**given, **command.files, _SCRIPT: "\n".join(script).encode()}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def _add(kind: Kind, fetched: Path, folder: Path, bounds: Bounds) -> None:
    """Copy what was fetched into a bot's folder, and see to it that nothing leaves it out there."""
    source, target = fetched / kind.brings, folder / kind.brings
    if not source.is_dir():  # nothing of what was declared is needed
        return
    target.mkdir()
    try:
        copy_folder(source, target, bounds)
    except FilesError as error:
        raise BotError(f"{error}; the bot declares too much") from None
    for path, data in kind.leads(folder).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    if kind is PIP and any(target.rglob("*.so")):
        (folder / MADE_FOR).write_text(f"{HERE}\n", "utf-8")
    with (folder / IGNORE).open("a", encoding="utf-8") as file:
        file.write(f"\n!{kind.brings}\n!{kind.brings}/**\n")


def _is_file(path: Path) -> bool:
    return path.is_absolute() and path.is_file()

"""A candidate: a bot that is taken as a ladder takes it, up to the point where it is built.

`bullring check` and a submission both begin here, so a bot that cannot be taken is refused by both in the same words, and what is
checked is what would be submitted: the copy, not the folder.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.bots.load import load
from bullring.arena.cells.bots.snapshot import IGNORE
from bullring.arena.cells.files.hash import short
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.sandbox.choice import open_sandbox, told_of
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.sayings import counted
from bullring.arena.settings.settings import Settings
from bullring.arena.watching.display.text import size_text
from bullring.errors import BotError
from bullring.ladder.store.add import Arrival, copied, written
from bullring.ladder.store.names import check_name
from bullring.ladder.store.rows import BotRow
from bullring.ladder.submit.sources import IMAGE, ask_elsewhere, fetch

SHOWN = 4
"""Most paths named of what was left out."""


@dataclass(frozen=True)
class Step:
    """A step that is done. Its texts hold what strangers wrote, so they are not safe for a terminal."""

    name: str
    """"manifest", "files", "contents", "sandbox", "packages", "build", "check", "advice", "match" or "entered"."""
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    """The same for programs."""


Tell = Callable[[Step], None]
"""Called when a step is done."""


Bots = Callable[[], Iterable[BotRow]]
"""Finds the bots of a ladder."""


@dataclass(frozen=True)
class Wanted:
    """The request of a submission."""

    text: str
    """The bot, as in `sources`."""
    name: str | None = None
    """Its name on the ladder, instead of its own."""
    run: str = ""
    """The command of an image."""
    retire: bool = False
    """Whether its earlier versions are retired."""
    checked: bool = True
    """Whether it is checked (`arena.match.checking`) before its trial match."""


async def taken(wanted: Wanted, folder: Path, settings: Settings, tell: Tell, bots: Bots | None = None) -> Arrival:
    """Copy the files of a bot into `folder`, an empty folder of ours. `bots` finds those of the ladder, in a thread.

    Without a ladder, the name of a bot is one that any ladder would take. That of a command line is for the ladder to choose.

    Raises `BotError`, `LadderError`, `StoreError`, `HostError`.
    """
    wanted = replace(wanted, run=await ask_elsewhere(wanted.text, wanted.run, folder))
    # In a thread, because it may take a while.
    return await trio.to_thread.run_sync(_taken, wanted, folder, settings, tell, bots)


@asynccontextmanager
async def opened(wanted: Wanted, wish: Wish, owner: Owner, tell: Tell) -> AsyncIterator[Sandbox]:
    """Open the sandbox in which a candidate is built and plays. Raises `BotError`, `SandboxError`, `HostError`."""
    async with open_sandbox(wish, owner) as sandbox:
        tell(Step("sandbox", told_of(sandbox), {"tier": sandbox.tier.name}))
        if wanted.text.startswith(IMAGE) and not sandbox.tier.takes_images:
            fit = " or ".join(name for name, tier in TIERS.items() if tier.takes_images)
            raise BotError(f"{wanted.text} plays in containers only; add --sandbox {fit}, also to ladder run")
        yield sandbox


def _taken(wanted: Wanted, folder: Path, settings: Settings, tell: Tell, bots: Bots | None) -> Arrival:
    fetched = fetch(wanted.text, wanted.run, folder, settings)
    bot = load(wanted.text if fetched is None else str(fetched.folder))
    if bots is not None or fetched is not None:
        check_name(bot.name if wanted.name is None else wanted.name, () if bots is None else bots())
    settings.admit(bot)
    if fetched is None:
        tell(Step("manifest", "none: a command line", {"manifest": False}))
        arrival = written(folder, wanted.text, settings)
        text = "those of a command line are not copied, and the table of a ladder says so; a folder with a bot.toml is copied"
        tell(Step("files", text))
        return arrival
    runs = " ".join(bot.program.command)
    tell(Step("manifest", f"{bot.name!r}, runs {runs}", {"name": bot.name, "run": list(bot.program.command)}))
    arrival = copied(folder, fetched.folder, settings, fetched.told, fetched.commit)
    tell(_files(arrival, fetched.commit))
    hash = arrival.bot.contents.hash
    tell(Step("contents", f"sha256 {short(hash)}", {"hash": hash}))
    return arrival


def _files(arrival: Arrival, commit: str) -> Step:
    """The step that tells what was copied, and what was not."""
    left = arrival.snapshot.left_out if arrival.snapshot else ()
    text = f"{counted(arrival.files, 'file')}, {size_text(arrival.size)}"
    if commit:
        text += f" of commit {commit[:12]}, without uncommitted changes"
    if left:
        named = ", ".join(f"{one.path} ({size_text(one.size)})" for one in left[:SHOWN])
        more = f" and {len(left) - SHOWN} more" if len(left) > SHOWN else ""
        text += f"; left out: {named}{more}"
        if arrival.snapshot and arrival.snapshot.by_default:
            text += f" (by default: a {IGNORE} in the folder decides otherwise)"
    facts = [{"path": one.path, "size": one.size, "files": one.files} for one in left]
    return Step("files", text, {"files": arrival.files, "size": arrival.size, "commit": commit, "left_out": facts})

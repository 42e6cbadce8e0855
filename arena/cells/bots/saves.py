"""Watching the folder of a bot: act at once, and again whenever its author has saved something.

The files are looked at now and then; a kernel's own notices would have to be asked for each folder anew, and miss network drives.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path

import trio

from bullring.arena.cells.bots import snapshot
from bullring.arena.cells.bots.bot import MANIFEST
from bullring.arena.cells.files.walk import Bounds
from bullring.errors import BotError, first_error

LOOK = 0.25
"""Seconds between two looks."""

SETTLED = 0.25
"""Seconds without a change after which all is saved: editors and formatters write in bursts."""


Look = Callable[[], Awaitable[object]]
"""Returns something that differs when something was saved."""


def looking(folder: Path, bounds: Bounds) -> Look:
    """Look at the bot's own files in a folder, in a thread."""
    return lambda: trio.to_thread.run_sync(seen_in, folder, bounds)


def seen_in(folder: Path, bounds: Bounds) -> object:
    """What differs when a file of the bot was saved."""
    try:
        return snapshot.marks(folder, bounds)
    except BotError as error:  # a manifest that is wrong, or half saved
        try:
            return str(error), (folder / MANIFEST).stat().st_mtime_ns
        except OSError:
            return str(error)


async def on_each_save(look: Look, act: Callable[[], Awaitable[None]]) -> None:
    """Call `act`, and again after each change, cancelling what still acts. Never ends by itself."""
    seen = await look()
    while True:
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(act)
                seen = await _changed(look, seen)
                nursery.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            raise first_error(group) from None


async def _changed(look: Look, seen: object) -> object:
    """Wait until something has changed, and then until nothing does any more. Returns the last look."""
    before = seen
    while True:
        await trio.sleep(LOOK if before == seen else SETTLED)
        now = await look()
        if now == before != seen:
            return now
        before = now

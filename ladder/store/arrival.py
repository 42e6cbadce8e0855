"""The way of a bot into a home: everything of it is in a folder of its own until it is entered, and goes with it if it is not.

`incoming` has one folder for each bot on its way, locked by the process that brings it, so several may be on their way at the same
time. Only entering takes turns: the process that holds the lock of `incoming` itself moves the bot's files to their place and
enters it into the store. Leftovers of a killed process are swept by the next: folders that are not locked, and files
that were moved and are not in the store.
"""

import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.files.walk import opened
from bullring.ladder.store.disk import explained
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store

_KEPT = re.compile(r"[0-9a-f]{64}(\.json)?", re.ASCII)
"""Names of files and folders in their place. Anything else there is older, or not ours."""


@contextmanager
def arriving(home: Home, store: Store) -> Iterator[Path]:
    """A new folder for a bot on its way into the home. It is removed in the end, with everything in it. Raises `StoreError`."""
    folder = home.incoming / secrets.token_hex(8)
    with explained(folder, "used"), taking_turns(home):
        _sweep(home, store)
        folder.mkdir(mode=0o700)
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(fd, fcntl.LOCK_EX)
    with explained(folder, "used"):
        try:
            yield folder
        finally:
            try:
                remove_tree(folder)
            finally:
                os.close(fd)


@contextmanager
def taking_turns(home: Home) -> Iterator[None]:
    """Wait until no other process enters a bot. Raises `OSError`."""
    home.incoming.mkdir(mode=0o700, exist_ok=True)
    with opened(home.incoming) as fd:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield


def sweep(home: Home, store: Store) -> None:
    """Remove what is left of bots whose way into the home was cut short. Raises `StoreError`."""
    with explained(home.incoming, "used"), taking_turns(home):
        _sweep(home, store)


def _sweep(home: Home, store: Store) -> None:
    for left in home.incoming.iterdir():
        if not _in_use(left):
            remove_tree(left)
    kept = {home.path / row.entry.place for row in store.bots()}
    for folder in (home.bots, home.commands):
        for path in folder.iterdir() if folder.is_dir() else ():
            if _KEPT.fullmatch(path.name) and path not in kept:
                remove_tree(path)


def _in_use(folder: Path) -> bool:
    """Whether the process that made it is still there."""
    try:
        with opened(folder) as fd:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False

"""The processes that serve a home: the maker of its site, its feed, and the server."""

import fcntl
import os
import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.kinds import LADDER_NEWS, MAKER, STEWARD
from bullring.arena.cells.sandbox.python import cache_folder, others_may_change
from bullring.arena.watching.web.serving import Hall, Start, server_with
from bullring.ladder.store.home import Home
from bullring.ladder.watching.site.folder import FIRST

HOME = "home"
"""The file that says which home a folder belongs to: when that is gone, so is the folder at the next start."""


def starts(
    home: Home,
    folder: Path,
    sockets: Sequence[socket.socket],
    hosts: Sequence[str],
    replays: int,
    *,
    logs: bool,
    analyse: int,
    hall: Hall,
) -> Sequence[Start]:
    """What is to be started for a home (`watch_over`). Where there are seconds to `analyse` a match, pages offer it."""
    more, offered = str(folder / "more"), str(int(analyse > 0))
    return [
        partial(
            _maker, str(home.path), str(folder), str(replays), str(int(logs)), offered, first=folder / "site" / FIRST
        ),
        hall.start,
        partial(server_with, folder, sockets, hosts, LADDER_NEWS, str(home.path), more, offered, hall=hall),
    ]


def hall_of(home: Home, folder: Path, *, may_make: bool, analyse: int) -> Hall:
    """The tables of a home. Everybody who reaches the server `may_make` tables, or nobody. Readers may have matches analysed, each
    with so many seconds of a processor."""
    return Hall(STEWARD, str(home.path), str(folder / "more"), str(analyse), may_make=may_make)


def _maker(*words: str, first: Path) -> Sequence[Child]:
    made = Child(MAKER, *words)
    if not first.exists():
        next(iter(made.ear()), None)  # nothing could be shown before; if it dies, that is noticed
    return [made]


@contextmanager
def folder_of(home: Home) -> Iterator[Path]:
    """The folder in which the site of a home is kept from one time to the next; another one if that is in use."""
    with tempfile.TemporaryDirectory(prefix="bullring-") as spare, ExitStack() as stack:
        folder = Path(spare)
        with suppress(OSError):
            folder = _kept(home, stack) or folder
        for name in ("more", "site"):
            (folder / name).mkdir(exist_ok=True)
        for left in (folder / "more" / "tables").glob("[0-9.]*"):
            left.unlink()
        yield folder


def _kept(home: Home, stack: ExitStack) -> Path | None:
    """The folder in the user's cache, held by this process; None if another one holds it. Raises `OSError`."""
    folders = cache_folder() / "web"
    folders.mkdir(parents=True, exist_ok=True, mode=0o700)
    if others_may_change(folders):
        return None
    for other in folders.iterdir():
        with suppress(OSError):
            if not Path((other / HOME).read_text("utf-8")).exists():
                remove_tree(other)
    folder = folders / sha256(os.fsencode(home.path)).hexdigest()[:16]
    folder.mkdir(exist_ok=True, mode=0o700)
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    stack.callback(os.close, lock)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return None
    (folder / HOME).write_text(str(home.path), "utf-8")
    return folder

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
from bullring.arena.watching.web.replays import Replays
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
    count: int,
    *,
    logs: bool,
    replays: Replays,
    hall: Hall,
) -> Sequence[Start]:
    """What is to be started for a home (`watch_over`). The last `count` matches of each list get pages of their own in its site."""
    place, words = str(home.path), replays.words()
    site = folder / "site"
    return [
        partial(_maker, site, place, str(site), str(count), str(int(logs)), *words),
        hall.start,
        partial(server_with, folder, sockets, hosts, LADDER_NEWS, place, *words, hall=hall, asked=True),
    ]


def replays_of(home: Home, folder: Path, *, offered: bool, address: str | None) -> Replays:
    """The pages of matches of a home that are over, in this folder. Their readers are `offered` to ask for analyses, or not."""
    return Replays(folder / "more", offered, address or "", home.name)


def hall_of(home: Home, replays: Replays, seconds: int, *, may_make: bool) -> Hall:
    """The tables of a home. Everybody who reaches the server `may_make` tables, or nobody. An analysis may take so many seconds
    of a processor."""
    return Hall(STEWARD, str(home.path), str(seconds), *replays.words(), may_make=may_make)


def _maker(site: Path, *words: str) -> Sequence[Child]:
    made = Child(MAKER, *words)
    if not (site / FIRST).exists():
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

"""Settling a home in which nobody plays: what a ladder that was killed has left is cleared away, and the rest packed densely."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from bullring.errors import LadderError
from bullring.ladder.store.condense import condense
from bullring.ladder.store.files import give_up
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store

_SEGMENTS = 4
"""Most segments that a command condenses before it does what it is for: two seconds. A run that was killed mostly leaves one."""


def clear_up(home: Home, store: Store) -> int | None:
    """Cut off and give up what a ladder that was killed has left. Only whoever holds the lock of the home may call it.

    Whatever is at the end of the records behind the match that was stored last was torn. If that match itself is missing, the end
    was damaged afterwards, and nothing is cut off: then its number is returned. Raises `StoreError`.
    """
    newest = store.newest()
    damaged = newest is not None and not home.kept.has(newest) and not home.old_record(newest).exists()
    with store.change():
        begun = store.playing()
        if not damaged:
            home.kept.mend(set(begun), store.has)
        give_up(home, store, begun)
    return newest if damaged else None


@contextmanager
def changing(home: Home) -> Iterator[Store]:
    """The store of a home, open to be changed. Before that the home is settled, unless a ladder runs there, or it cannot be.

    Raises `StoreError`, `LadderError`.
    """
    with closing(home.store()) as store:
        with suppress(LadderError):
            if store.playing() or home.kept.loose(at_rest=True):
                with home.locked():
                    clear_up(home, store)
                    condense(home.kept, home.kept.loose(at_rest=True)[:_SEGMENTS])
        yield store

"""Clearing away the traces of a ladder that was killed, and of matches that were given up."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress

from bullring.errors import LadderError
from bullring.ladder.store.disk import explained
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store


def clear_up(home: Home, store: Store) -> int | None:
    """Cut off and give up what a ladder that was killed has left. Call only with the lock of the home.

    If the record of the match that was stored last is missing, its file was damaged afterwards: then nothing is cut off there, and
    the number of the match is returned. Raises `StoreError`.
    """
    with store.change():
        begun = set(store.playing())
        missing = home.kept.mend({store.newest() or 0, *begun}, begun, store.newest_of)
        give_up(home, store, begun)
    return missing


@contextmanager
def changing(home: Home) -> Iterator[Store]:
    """The store of a home, open to be changed, after clearing up unless a ladder runs there. Raises `StoreError`, `LadderError`."""
    with closing(home.store()) as store:
        with suppress(LadderError):
            if store.playing():
                with home.locked():
                    clear_up(home, store)
        yield store


def give_up(home: Home, store: Store, matches: Iterable[int]) -> None:
    """Forget matches that were begun, and remove what there is of their records. Call within a change of the store.

    Their deals are not played again, and an audit would find records of matches that the store does not know. Raises `StoreError`.
    """
    matches = list(matches)
    for match in matches:
        with explained(path := home.partial(match), "removed"):
            path.unlink(missing_ok=True)
    store.give_up(matches)


def clear_live(home: Home) -> None:
    """Empty the folder for the records of matches that are being played. Raises `StoreError`."""
    with explained(home.live, "used"):
        home.live.mkdir(mode=0o700, exist_ok=True)
        for path in home.live.iterdir():
            path.unlink()

"""Referee processes of a run that are started before it: they import what they need while the command that runs it does."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.leftovers import clear_away
from bullring.ladder.run.workers.local import Referee, referees
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store


def owner_of(home: Home, store: Store) -> Owner:
    """The owner of all bots of a home. The inode tells a copy of the home apart, whose bots are not ours to end."""
    return Owner(f"{store.home}.{home.database.stat().st_ino}", (home.path,))


@contextmanager
def hired(home: Home, store: Store, jobs: int) -> Iterator[Sequence[Referee]]:
    """Start referee processes for a run of this home, which is locked. Those that no run has ended are killed on exit."""
    owner = owner_of(home, store)
    clear_away(owner.name)  # of our children, what earlier runs have left could not be told from these
    early = referees(owner, jobs)
    try:
        yield early
    finally:
        for referee in early:
            if referee.child.status is None:
                referee.child.kill()
                referee.child.wait()

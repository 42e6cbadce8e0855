"""The interface between a run and what it plays for: standings, or the score of a duel."""

import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

from bullring.ladder.pairing.known import Known
from bullring.ladder.store.packed_row import PackedRow


class Scoreboard(Protocol):
    """Takes finished matches and decides when enough have been played. By itself it has no ratings, as in a duel."""

    def add(self, rows: Sequence[PackedRow]) -> None:
        """Take matches that were stored; the matches of a group follow each other."""

    unfinished: Sequence[tuple[int, tuple[int, ...]]] = ()
    """The groups of a duel that an earlier run has begun and not ended: first match, bots as they sit in it."""

    def settle(self, begun: Iterable[int]) -> None:
        """Note which groups were begun and have not ended, by their first matches."""
        return

    def ahead(self, workers: int) -> int:
        """The most matches of quick bots to give each of so many workers in advance."""
        return sys.maxsize

    @property
    def full(self) -> bool:
        """Whether no match may begin until one that was begun before others has ended."""
        return False

    def enough(self, bots: Sequence[int]) -> str | None:
        """The reason to stop the run, given the bots that play; None if it goes on."""

    def opened(self) -> AbstractAsyncContextManager[None]:
        """A context for a run. When it is left, all added matches are rated."""
        return _nothing()

    def write(self) -> None:
        """Store sums. Call within a change of the store."""
        return

    def rating(self, bot: int) -> float | None:
        """The current rating of a bot; None if it has none."""
        return None

    def matches(self, bot: int) -> int:
        """The number of a bot's finished matches, if they are counted."""
        return 0

    def known(self) -> Known | None:
        """The ratings as the schedule of a ladder needs them; the same value as long as nothing is new. None in a duel."""
        return None

    def refresh(self) -> None:
        """Update the ratings if there are new results; not too often."""
        return

    def tell(self) -> None:
        """Show the ratings to those who watch, if there are new ones; not too often."""
        return

    def untell(self) -> None:
        """Show them no more: the run is over."""
        return


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield

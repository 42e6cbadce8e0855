"""The end of a run whose machine does not play any more: referee processes die too often, or only failing matches come.

A referee process that dies is replaced, and what it was playing is played with other deals. A match that the machine failed,
because no bot could be started or no record written, is likewise given up and another one played. Neither ends a run that can go
on. The run ends if

* more than `MOST_DEATHS` referee processes, and more than there are at a time, die within `WINDOW` seconds; or
* at least `MOST_FAILURES` matches fail, one after another, for at least `FAILING` seconds in which no match is played.
"""

from collections import deque

from bullring.errors import LadderError, StoreError

MOST_DEATHS = 5
"""Most referee processes that may die within `WINDOW`; as many as there are in the run, if those are more."""

WINDOW = 60.0
"""Seconds."""

MOST_FAILURES = 10
"""Most matches that may fail one after another, however quickly."""

FAILING = 20.0
"""Seconds for which matches may fail one after another, however many: a container engine may be starting anew."""


class Failures:
    """Counts deaths and failures. Times are in seconds, of any clock."""

    def __init__(self, jobs: int) -> None:
        self._most_deaths = max(MOST_DEATHS, jobs)
        self._deaths: deque[float] = deque()
        self._failures = 0
        self._since = 0.0
        """The time of the first of the last failures."""

    @property
    def failing(self) -> bool:
        """Whether no match was played since one failed."""
        return self._failures > 0

    def played(self) -> None:
        """Note that a match was played."""
        self._failures = 0

    def died(self, now: float, how: str) -> None:
        """Note that a referee process has died, and how it ended. Raises `LadderError` if that happens too often."""
        self._deaths.append(now)
        while self._deaths[0] < now - WINDOW:
            self._deaths.popleft()
        if len(self._deaths) > self._most_deaths:
            raise LadderError(
                f"{len(self._deaths)} referee processes have died within {WINDOW:g} s; the last one {how}."
                " See above what they wrote to stderr, then run this again"
            )

    def failed(self, now: float, error: str) -> None:
        """Note that the machine has failed a match. Raises `StoreError` if it plays none any more."""
        self._since = self._since if self._failures else now
        self._failures += 1
        if self._failures >= MOST_FAILURES and now - self._since >= FAILING:
            raise StoreError(
                f"the last {self._failures} matches could not be played, for {now - self._since:.0f} s now: {error}"
            )

"""The resources of the ladder and its referee processes, measured while they run."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bullring.arena.cells.sandbox import identity
from bullring.arena.cells.sandbox.local import tree
from tests.ladder.homes import workers_of

SURE = 3.0
"""Standard errors that are taken for chance."""


@dataclass(frozen=True)
class Reading:
    """The use of one process, or of several together, at one moment."""

    resident: int
    """Bytes of memory."""
    descriptors: int
    bots: int
    """The number of its children that are not referees."""


@dataclass
class Gauges:
    """All readings of a run."""

    seconds: list[float] = field(default_factory=list)
    matches: list[int] = field(default_factory=list)
    ladder: list[Reading] = field(default_factory=list)
    workers: list[Reading] = field(default_factory=list)
    """Readings of all referee processes together."""
    referees: set[str] = field(default_factory=set)
    """The ladder and its referee processes, by the names they give what they make."""
    users: set[int] = field(default_factory=set)
    """Users as which bots have run."""

    def read(self, pid: int, seconds: float, matches: int) -> None:
        """Look at what a ladder uses; nothing is noted while it begins or ends."""
        with suppress(OSError, IndexError):
            ladder, *own = [_reading(one) for one in (pid, *workers_of(pid))]
            if own:
                self.seconds.append(seconds)
                self.matches.append(matches)
                self.ladder.append(ladder)
                self.workers.append(
                    Reading(
                        sum(one.resident for one in own),
                        sum(one.descriptors for one in own),
                        sum(one.bots for one in own),
                    )
                )

    def read_owners(self, pid: int) -> None:
        """Note the owners of everything that the ladder makes."""
        workers = workers_of(pid)
        with suppress(OSError):
            self.referees.update(identity.name(one) for one in (pid, *workers))
        for one in tree.descendants(workers) - {*workers}:
            with suppress(OSError):
                self.users.add(Path(f"/proc/{one}").stat().st_uid)


def _reading(pid: int) -> Reading:
    pages = int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    files = len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208  # a plain number is all that is wanted
    return Reading(pages * os.sysconf("SC_PAGE_SIZE"), files, len(tree.children(pid)))


def growth(seconds: Sequence[float], values: Sequence[float], bots: Sequence[int]) -> float:
    """By how much they surely grow in the second half, on the line that fits them best; 0 if that is within what is chance.

    What goes with the number of bots is left out. That number is not exact, for some begin and some end at any moment.
    """
    half = len(seconds) // 2
    times, sizes = np.array(seconds[half:]), np.array(values[half:], dtype=float)
    causes = np.column_stack([np.ones_like(times), times, np.array(bots[half:], dtype=float)])
    free = len(times) - np.linalg.matrix_rank(causes)
    if free < 3:
        return 0.0
    inverse = np.linalg.pinv(causes.T @ causes)
    line = inverse @ causes.T @ sizes
    error = np.sqrt(np.sum((sizes - causes @ line) ** 2) / free * inverse[1, 1])
    return max(0.0, float((line[1] - SURE * error) * (times[-1] - times[0])))

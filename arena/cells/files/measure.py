"""Measure what is in a folder, for limits and for people: what cannot be read, or is gone by now, counts as nothing."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path


def below(path: Path | bytes, most: int) -> Iterator[os.stat_result]:
    """The states of a path and of all that is below it, without following links; at most `most` entries of each folder."""
    left = [os.fsencode(path)]
    while left:
        here = left.pop()
        with suppress(OSError):
            found = os.lstat(here)
            yield found
            if stat.S_ISDIR(found.st_mode):
                with os.scandir(here) as entries:
                    left += [entry.path for entry in islice(entries, most)]

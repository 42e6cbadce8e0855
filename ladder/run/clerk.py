"""The clerk: a process beside a run that reads what was stored and rates it, so that the run has its time for the referees.

`python -m bullring.ladder.run.clerk HOME LIST ANCHOR TARGET` rates a list at each byte on stdin, but spends only a small part
of the time on it, and writes `News` to stdout, pickled, behind their length. It ends when stdin does. With `FINAL` it rates at
once, and says everything that it has not said yet.
"""

import os
import pickle
import select
import sys
import time
from pathlib import Path

from bullring.ladder.run.ratings import news_of
from bullring.ladder.standings.standings import SHARE, Standings
from bullring.ladder.store.home import Home

LENGTH = 8
"""Bytes of the length before each message."""

RATE, FINAL = b"r", b"f"

REST = 0.5
"""Least seconds between two ratings."""


def main(home: str, list_: str, anchor: str, target: str) -> None:
    """Rate until stdin ends."""
    store = Home(Path(home)).store(read_only=True)
    (row,) = (one for one in store.lists() if one.id == int(list_))
    standings = Standings(store, row, anchor or None, float(target) if target else None, live=True)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything printed by mistake must not be read as news
    until = 0.0
    while wishes := os.read(0, 4096):
        final = FINAL in wishes
        while not final and (left := until - time.monotonic()) > 0:
            if select.select([0], [], [], left)[0]:
                if not (more := os.read(0, 4096)):
                    return
                final = FINAL in more
        began = time.monotonic()
        standings.rate()
        data = pickle.dumps(news_of(standings, final=final))
        out.write(len(data).to_bytes(LENGTH, "big") + data)
        out.flush()
        until = time.monotonic() + max(REST, (time.monotonic() - began) / SHARE)


if __name__ == "__main__":
    main(*sys.argv[1:])

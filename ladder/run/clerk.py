"""The clerk: a process beside a run that reads what was stored and rates it, so that the run has its time for the referees.

`python -m bullring.ladder.run.clerk HOME LIST ANCHOR TARGET` rates a list at each message, but spends only a small part of the time
on it, and answers with the wish and its `Ratings`. At `final` it rates at once, and tells everything that it has not told yet; then
it need not answer a `rate` before it.
"""

import sys
import time
from contextlib import suppress
from pathlib import Path

from bullring.arena.cells.processes.frames import Ear, tell
from bullring.arena.cells.processes.inside import ends
from bullring.ladder.standings.ratings import Ratings
from bullring.ladder.standings.standings import REST, SHARE, Standings
from bullring.ladder.store.home import Home

RATE, FINAL = "rate", "final"


def main(home: str, list_: str, anchor: str, target: str) -> None:
    """Rate until stdin ends."""
    source, sink = ends()
    store = Home(Path(home)).store(read_only=True)
    (row,) = (one for one in store.lists() if one.id == int(list_))
    standings = Standings(store, row, anchor or None, float(target) if target else None, live=True)
    messages = Ear(source)
    until = 0.0
    for (wish,) in messages:
        final = wish == FINAL
        while not final and not messages.closed and (left := until - time.monotonic()) > 0:
            final = any(more == [FINAL] for more in messages.now(left))
        began = time.monotonic()
        standings.rate()
        tell(sink, FINAL if final else RATE, Ratings.of(standings, final=final).facts())
        until = time.monotonic() + max(REST, (time.monotonic() - began) / SHARE)


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # the run was killed
        main(*sys.argv[1:])

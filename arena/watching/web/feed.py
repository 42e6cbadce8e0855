"""The feed of one match, a program of its own: it follows a record, and tells the server public frames of it.

`python -m bullring.arena.watching.web.feed RECORD KEY FOLDER ...` tells on stdout, and ends with its stdin. When the match is over,
it writes the page of it to FOLDER, which is the first of the words of `Replays`.
"""

import os
import sys
import time
from functools import partial
from pathlib import Path

from bullring.arena.cells.processes.frames import tell
from bullring.arena.cells.processes.inside import end_with_parent, ends
from bullring.arena.match.records.reader import POLL, read_lines
from bullring.arena.watching.web.following import Following
from bullring.arena.watching.web.replays import Replays

NICE = 10
"""What is watched comes first."""


def main() -> None:
    """Follow a record until nobody listens. What it told stays with the server."""
    source, sink = ends()
    end_with_parent(source)
    os.nice(NICE)
    record, key, replays = Path(sys.argv[1]), sys.argv[2], Replays.of(*sys.argv[3:])
    following = Following(key, record, partial(tell, sink))
    known = False
    while following.ended is None and not following.lost:
        following.look()
        if following.begun and not known:  # who has come before the first card waits for it
            tell(sink, "known")
            known = True
        time.sleep(POLL)
    if following.ended is not None:
        if not replays.has(key):  # else whoever started us knew more of it
            replays.write(key, read_lines(record))
        following.end(page=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()

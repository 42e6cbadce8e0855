"""The steward of tables with people beside a ladder, a program of its own: its bots can be chosen as opponents.

`python -m bullring.ladder.watching.web.tables CONTROL HOME SECONDS FOLDER ...` ends with its stdin; the last words are those of
`Replays`. Records are kept in the folder `tables` of the home, as those of `bullring play` are elsewhere. It has matches analysed,
too, with at most so many seconds of a processor for each.
"""

import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import trio

from bullring.arena.cells.processes.inside import end_with_parent, ends
from bullring.arena.cells.processes.kinds import ANALYST
from bullring.arena.cells.processes.with_trio import TrioChild
from bullring.arena.watching.people.opponents import Opponent, built_in
from bullring.arena.watching.tables.steward import Steward
from bullring.arena.watching.web.analyses import Analyses
from bullring.arena.watching.web.replays import Replays
from bullring.ladder.standings.opponents import opponents
from bullring.ladder.store.home import Home
from bullring.ladder.watching.web.pages import analysis_of

RECORDS = "tables"
"""The folder of a home with the records of its tables."""


def main() -> None:
    """Keep tables until nobody needs them."""
    source, sink = ends()
    os.close(sink)
    end_with_parent(source)
    control, home, seconds = socket.socket(fileno=int(sys.argv[1])), Home(Path(sys.argv[2])), sys.argv[3]
    replays = Replays.of(*sys.argv[4:])
    control.set_inheritable(False)

    def known() -> Sequence[Opponent]:
        # What a bot lacks is told with paths of this machine, and it cannot play.
        return [*built_in(), *(one for one in opponents(home) if not one.lacks)]

    def analyst(key: str) -> TrioChild:
        return TrioChild(ANALYST, str(home.path), str(replays.folder), key, seconds)

    def is_kept(key: str) -> bool:
        return analysis_of(home, replays, key).exists()

    analyses = Analyses(replays.folder, analyst, is_kept) if replays.offered else None
    trio.run(Steward(home.path.resolve() / RECORDS, replays, known, analyses).run, control)


if __name__ == "__main__":
    main()

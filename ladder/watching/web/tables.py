"""The steward of tables with people beside a ladder, a program of its own: its bots can be chosen as opponents.

`python -m bullring.ladder.watching.web.tables CONTROL HOME FOLDER SECONDS` ends with its stdin. Records are kept in the folder
`tables` of the home, as those of `bullring play` are elsewhere. It has matches analysed, too, with at most so many seconds of a
processor for each; 0: none is.
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
from bullring.ladder.standings.opponents import opponents
from bullring.ladder.store.home import Home

RECORDS = "tables"
"""The folder of a home with the records of its tables."""


def main() -> None:
    """Keep tables until nobody needs them."""
    source, sink = ends()
    os.close(sink)
    end_with_parent(source)
    control, home, folder = socket.socket(fileno=int(sys.argv[1])), Home(Path(sys.argv[2])), Path(sys.argv[3])
    control.set_inheritable(False)

    def known() -> Sequence[Opponent]:
        # What a bot lacks is told with paths of this machine, and it cannot play.
        return [*built_in(), *(one for one in opponents(home) if not one.lacks)]

    words = [str(home.path), str(folder)]
    analyses = Analyses(folder, lambda key: TrioChild(ANALYST, *words, key, sys.argv[4])) if int(sys.argv[4]) else None
    trio.run(Steward(home.path.resolve() / RECORDS, folder, known, analyses).run, control)


if __name__ == "__main__":
    main()

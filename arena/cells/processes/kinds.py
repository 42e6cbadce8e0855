"""All kinds of child processes, one declaration each: another kind is one entry here and its module.

Modules are named, not imported, so this room knows nothing of what they do.
"""

import sys
from dataclasses import dataclass
from typing import Literal

from bullring.arena.cells.sandbox.first_process import name as signal_name


@dataclass(frozen=True)
class Kind:
    """A kind of child process."""

    name: str
    """For people, with an article."""
    module: str
    """The program: `python -m MODULE`."""
    session: bool = True
    """Whether it has a session of its own. Ctrl-C then goes to its parent alone, and ending it ends its whole process group."""
    terminal: bool = False
    """Whether its stdin is the terminal. It is then told on another descriptor, whose number is its first argument."""
    stderr: Literal["shared", "none"] = "shared"
    """Whether it writes to the parent's stderr, unless it is given another one."""
    patience: float = 0.0
    """Seconds that it gets to end after its stdin is closed, before it is killed."""

    def command(self, *words: str) -> list[str]:
        """Its command line. With -P, modules are never imported from the working folder, which may hold anything."""
        return [sys.executable, "-P", "-m", self.module, *words]


FEED = Kind("the feed of public frames", "bullring.arena.watching.people.feed", session=False, patience=5)
PEOPLE = Kind("the referee process", "bullring.arena.watching.people.referee", patience=10)
LIVE = Kind("the live display", "bullring.arena.watching.screens.live", session=False, terminal=True, patience=5)
SCREEN = Kind("the screen of a run", "bullring.ladder.watching.screens.live", session=False, terminal=True, patience=5)
ADVISER = Kind("the adviser", "bullring.arena.study.hints.process", stderr="none", patience=5)
ANALYSIS = Kind("the analysis", "bullring.arena.study.analysis.process", stderr="none")
BRANCHES = Kind("the process that plays on", "bullring.arena.study.branches.process", stderr="none")
SERVER = Kind("the web server", "bullring.arena.watching.web.server", patience=3)
MATCH_NEWS = Kind("the feed of a match for viewers", "bullring.arena.watching.web.feed")
LADDER_NEWS = Kind("the feed of a ladder for viewers", "bullring.ladder.watching.web.feed")
STEWARD = Kind("the steward of tables with people", "bullring.ladder.watching.web.tables", patience=3)
TABLE = Kind("a table with people", "bullring.arena.watching.tables.table", patience=3)
MAKER = Kind("the process that writes the site", "bullring.ladder.watching.web.maker")
ANALYST = Kind("an analysis that a reader asked for", "bullring.ladder.watching.web.analyst")
VERIFIER = Kind("a process that verified records", "bullring.ladder.store.verifier")
SHELVER = Kind("a process that wrote the site", "bullring.ladder.watching.site.shelves")
CLERK = Kind("the process that rates", "bullring.ladder.run.clerk")
REFEREE = Kind("a referee process", "bullring.ladder.run.workers.worker", patience=2)
BRIDGE = Kind("the process that speaks with the cluster", "bullring.ladder.run.cluster.bridge_process", patience=8)
CHECKER = Kind("a process that checked results", "bullring.ladder.run.cluster.checkers")
HOST = Kind("the host of a node", "bullring.ladder.run.cluster.host", patience=10)
DASK_WORKER = Kind("a Dask worker", "bullring.ladder.run.cluster.dask_workers", patience=5)

KINDS = (
    FEED,
    PEOPLE,
    LIVE,
    SCREEN,
    ADVISER,
    ANALYSIS,
    BRANCHES,
    SERVER,
    MATCH_NEWS,
    LADDER_NEWS,
    STEWARD,
    TABLE,
    MAKER,
    ANALYST,
    VERIFIER,
    SHELVER,
    CLERK,
    REFEREE,
    BRIDGE,
    CHECKER,
    HOST,
    DASK_WORKER,
)
"""All of them."""


def ended(status: int) -> str:
    """Describe how a child ended, by its return code."""
    return f"was killed by {signal_name(-status)}" if status < 0 else f"ended with status {status}"

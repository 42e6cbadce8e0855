"""An evening at the table: the start page, matches, their results, and again."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bullring.arena.watching.people.client import Table
from bullring.arena.watching.people.how import How
from bullring.arena.watching.people.invitation import Remembered
from bullring.arena.watching.people.messages import Broken, Over
from bullring.arena.watching.people.opponents import Opponent
from bullring.arena.watching.people.sitting import Sitting
from bullring.arena.watching.people.unfinished import Left, left
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.result import Next, Result
from bullring.arena.watching.screens.shell import Shell
from bullring.arena.watching.screens.start import Chosen, Start
from bullring.arena.watching.screens.start_choices import Choosing
from bullring.arena.watching.screens.table.screen import End, Play
from bullring.errors import FAILED


class Evening(Shell):
    """Start page, tables and results, one after the other. `left` and `broken` are to be told when it has ended."""

    def __init__(
        self,
        how: How,
        opponents: Callable[[], Sequence[Opponent]],
        settle: Callable[[Sitting], Sitting],
        begin: Table | Remembered,
    ) -> None:
        """Begin at a table, or with a start page that shows this. `opponents` finds those that can be chosen; `settle` adds the
        options of the command line to a sitting."""
        super().__init__()
        self.how = how
        self._opponents = opponents
        self._settle = settle
        self._begin = begin
        self._table: Table | None = None
        self.broken = ""
        """The reason why a match could not go on."""
        self.over: Over | None = None
        """The last result."""

    def on_mount(self) -> None:
        if isinstance(self._begin, Remembered):
            self._start(self._begin)
        else:
            self._sit(self._begin)

    def _start(self, last: Remembered) -> None:
        choosing = Choosing(self._opponents(), last, left())
        self.push_screen(Start(choosing), self._chosen)

    def _chosen(self, chosen: Chosen | None) -> None:
        if chosen is None:
            self.exit(0)
            return
        self.how, table = chosen.how, chosen.table
        self._sit(table.resume() if isinstance(table, Left) else Table.begin(self._settle(table)))

    def _sit(self, table: Table) -> None:
        self._table = table
        how = self.how
        Remembered.of(table.sitting, how).keep()
        pace = PACE if how.pace is None else how.pace
        screen = Play(table, send=how.send, hint=how.hint, teach=how.teach, pace=pace)
        self.push_screen(screen, self._risen)

    def _risen(self, end: End) -> None:
        assert self._table is not None
        if isinstance(end, Over):
            self.over = end
            self.push_screen(Result(end.facts), self._next)
            return
        self.broken = end.text if isinstance(end, Broken) else ""
        self.exit(FAILED if self.broken else 0)

    def _next(self, choice: Next | None) -> None:
        assert self._table is not None
        if choice is Next.AGAIN:
            self._sit(Table.begin(replace(self._table.sitting, seed="")))
        elif choice is Next.CHANGE:
            self._start(Remembered.of(self._table.sitting, self.how))
        else:
            self.exit(0)

    @property
    def left(self) -> str:
        """The record of a match that can go on; empty if there is none."""
        record = self._table.record if self._table is not None else ""
        return "" if self.over is not None and self.over.facts["record"] == record else record

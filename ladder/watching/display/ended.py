"""The end of a run on a terminal: who leads its list, which places it has changed, and its last results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.watching.display.career import Result
from bullring.ladder.standings.columns import Row, rating_text
from bullring.ladder.standings.lines import lines_of
from bullring.ladder.standings.outlook import Outlook
from bullring.ladder.watching.display.moves import moves
from bullring.ladder.watching.display.plots import meetings_map
from bullring.ladder.watching.display.progress import fitted, whole
from bullring.ladder.watching.display.tables import standings_notes, standings_table

SEATS = 5
"""Most seats of a result that are listed."""

FEWEST = 3
"""Results that are worth a title of their own."""

RESULTS = 24
"""Most results."""


@dataclass(frozen=True)
class Ended:
    """A run that is over."""

    title: str
    """Its list."""
    played: str
    """How many matches it has played, in words."""
    before: Sequence[Row]
    after: Sequence[Row]
    outlook: Outlook
    last: Sequence[Result]
    """Its last results, the newest first."""
    metrics: Sequence[str] = ()

    def drawn(self, width: int, height: int) -> Iterator[RenderableType]:
        """Everything, part by part; the results have the lines that are left of `height`, if these are enough for some."""
        head = Text.assemble(
            (" bullring ", "bold reverse"), " ", (self.title, "bold cyan"), no_wrap=True, overflow="ellipsis"
        )
        told = fitted([Text(self.played, "bold"), *_changes(self.before, self.after)], width, "   ")
        table = standings_table(self.after, live=True, metrics=self.metrics, width=width)
        notes = whole(standings_notes(self.after, self.outlook), width, height)
        free = height - 4 - table.row_count - len(notes)
        met = meetings_map(self.outlook.meetings, self.after, width)
        found = [one for one in self.last if not one.void]
        results = min(len(found), RESULTS, free - 1)
        blank = free >= results + 3
        parts: Sequence[RenderableType] = ("", head, told, table, *notes)
        yield from parts
        if met.height and met.height + 1 <= free - results - 3:
            yield ""
            yield met
        if results >= max(1, min(FEWEST, len(found))):
            around = [""] * blank
            yield from around
            yield last_results(found[:results])
            yield from around


def last_results(results: Sequence[Result]) -> Table:
    """Results with a title, a line for each."""
    table = Table(
        title=say("watch.said.results"), title_justify="left", title_style="bold", box=None, show_header=False
    )
    table.add_column(justify="right", style="dim")
    for _ in range(min(SEATS, max(len(one.seats) for one in results))):
        table.add_column(no_wrap=True, overflow="ellipsis", max_width=16)
        table.add_column(justify="right", style="dim")
    for one in results:
        cells = [cell for name, heads in one.seats[:SEATS] for cell in (harmless(name, 40), str(heads))]
        table.add_row(str(one.id), *(Text(cell, "bold" if not at else "") for at, cell in enumerate(cells)))
    return table


def changes(before: Sequence[Row], after: Sequence[Row], width: int) -> Text:
    """What the run has changed; empty as long as no bot is rated."""
    return fitted(_changes(before, after), width, "   ")


def _changes(before: Sequence[Row], after: Sequence[Row]) -> Sequence[Text]:
    """Who leads, and who has another place than before."""
    first = next((line.row for line in lines_of(after)), None)
    if first is None or first.settled is None:
        return ()
    leads = Text(say("ladder.leads", bot=harmless(first.bot, 40), rating=rating_text(first)), "bold green")
    changed = [move.drawn() for move in moves(before, after)][::-1]
    if not changed and any(row.settled for row in before):
        changed = [Text(say("ladder.unmoved"), "dim")]
    return [leads, *changed]

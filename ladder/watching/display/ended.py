"""The end of a run: who leads its list, which places it has changed, and its last results."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.watching.display.career import Result
from bullring.ladder.standings.columns import Row, rating_text
from bullring.ladder.standings.lines import lines_of
from bullring.ladder.watching.display.moves import moves
from bullring.ladder.watching.display.progress import fitted

SEATS = 5
"""Most seats of a result that are listed."""


def last_results(results: Sequence[Result], lines: int) -> Table | None:
    """The last results, the newest first, in at most so many lines; None where there is no room for some."""
    shown = [one for one in results if not one.void][: lines - 1]
    if len(shown) < min(3, len(results)) or not shown:
        return None
    table = Table(
        title=say("watch.said.results"), title_justify="left", title_style="bold", box=None, show_header=False
    )
    table.add_column(justify="right", style="dim")
    for _ in range(min(SEATS, max(len(one.seats) for one in shown))):
        table.add_column(no_wrap=True, overflow="ellipsis", max_width=16)
        table.add_column(justify="right", style="dim")
    for one in shown:
        cells = [cell for name, heads in one.seats[:SEATS] for cell in (harmless(name, 40), str(heads))]
        table.add_row(str(one.id), *(Text(cell, "bold" if not at else "") for at, cell in enumerate(cells)))
    return table


def ended(before: Sequence[Row], after: Sequence[Row], width: int) -> Text:
    """What the run has changed; empty as long as no bot is rated."""
    first = next((line.row for line in lines_of(after)), None)
    if first is None or first.settled is None:
        return Text()
    leads = Text(say("ladder.leads", bot=harmless(first.bot, 40), rating=rating_text(first)), "bold green")
    changed = [move.drawn() for move in moves(before, after)][::-1]
    if not changed and any(row.settled for row in before):
        changed = [Text(say("ladder.unmoved"), "dim")]
    return fitted([leads, *changed], width, "   ")

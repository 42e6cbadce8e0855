"""The end of a run in a line: who leads its list, and which places it has changed."""

from collections.abc import Sequence

from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.ladder.standings.columns import Row, rating_text
from bullring.ladder.standings.lines import lines_of
from bullring.ladder.watching.display.moves import moves
from bullring.ladder.watching.display.progress import fitted


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

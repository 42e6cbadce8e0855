"""A list of matches that are over, one of which is chosen."""

from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.ladder.watching.screens.reader import Result

NAME = 16
"""Characters of a name."""

LETTERS = 6
"""Columns of a name, at least."""

GAP = 2
"""Columns between two seats."""

BETWEEN = 4 + GAP
"""Columns for the heads of a seat, and between two of them."""


class Results(Widget):
    """Draws a line for each match, the newest first. A click opens one."""

    DEFAULT_CSS = "Results { height: auto; background: ansi_default; color: ansi_default; }"

    class Opened(Message):
        """Somebody wants to see a match."""

        def __init__(self, match: int) -> None:
            super().__init__()
            self.match = match

    def __init__(self, own: str | None = None) -> None:
        """The place and the heads of the bot `own` come first in each, then the others."""
        super().__init__()
        self.results: Sequence[Result] = ()
        self.at: int | None = None
        """The line that is chosen; None: none."""
        self._own = own

    @property
    def chosen(self) -> int | None:
        """The match that is chosen."""
        return self.results[self.at].id if self.at is not None and self.at < len(self.results) else None

    def show(self, results: Sequence[Result]) -> None:
        """List these. While one is chosen, the list stays as it is: nobody can hit what moves away."""
        if self.at is None:
            self.results = results
            self.refresh(layout=True)

    def choose(self, at: int | None) -> None:
        """Choose this line, or none."""
        self.at = at
        self.refresh()

    def render(self) -> Text:
        first = max(0, (self.at or 0) - self.size.height + 1)
        shown = list(enumerate(self.results))[first : first + max(1, self.size.height)]
        return Text("\n").join(self._line(at, result) for at, result in shown)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self.results)

    def _line(self, at: int, result: Result) -> Text:
        chosen = at == self.at
        line = Text(f"{'▸' if chosen else ' '}{result.id:>7}  ", style="reverse" if chosen else "", no_wrap=True)
        if result.void:
            line.append(f"{say('watch.bot.void')}  ", style="yellow")
        seats = list(result.seats)
        own = next((at for at, (name, _) in enumerate(seats) if name == self._own), None)
        if own is not None:
            _, heads = seats.pop(own)
            place = "" if result.void else f"{result.ranks[own]}."
            line.append(f"{place:>3} {heads:>3}   ", style="bold")
        room = self.size.width - line.cell_len
        # Names are cut before results are; of many seats, the first ones that have letters enough to be known.
        fit = max(1, min(len(seats), (room + GAP) // (LETTERS + BETWEEN)))
        wide = max(LETTERS, min(self._widest, (room + GAP) // fit - BETWEEN))
        for at, (name, heads) in enumerate(seats[:fit]):
            style = "bold" if not at and self._own is None else ""
            shown = Text(harmless(name, NAME), style)
            shown.truncate(wide, overflow="ellipsis", pad=True)
            line.append_text(shown).append(f" {heads:>3}{' ' * GAP}", style="dim")
        if len(seats) > fit:
            line.append(f"+{len(seats) - fit}", style="dim")
        line.truncate(self.size.width, pad=chosen)
        line.apply_meta({"result": result.id})
        return line

    @property
    def _widest(self) -> int:
        """The columns of the longest name."""
        return max((len(harmless(name, NAME)) for result in self.results for name, _ in result.seats), default=0)

    def on_click(self, event: events.Click) -> None:
        if "result" in event.style.meta:
            self.post_message(self.Opened(event.style.meta["result"]))

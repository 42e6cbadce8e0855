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

BETWEEN = 7
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
        """The bot `own` is marked in each."""
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
        room = self.size.width - line.cell_len
        wide = self._widest if len(result.seats) * (self._widest + BETWEEN) <= room else 0
        for place, (name, heads) in enumerate(result.seats):
            style = "bold" if name == self._own or (not place and self._own is None) else ""
            seat = Text.assemble((f"{harmless(name, NAME):<{wide}}", style), (f" {heads:>{3 * bool(wide)}}   ", "dim"))
            others = len(result.seats) - place
            if line.cell_len + seat.cell_len + (5 if others > 1 else 0) > self.size.width:
                line.append(f"+{others}", style="dim")
                break
            line.append_text(seat)
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

"""A list of matches that are over, one of which is chosen."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.watching.display.career import Result

NAME = 16
"""Characters of a name."""

LETTERS = 6
"""Columns of a name, at least."""

GAP = 2
"""Columns between two seats."""

MORE = 2
"""Columns for the number of seats that are left out."""


class Results(Widget):
    """Draws a line for each match, the newest first. A click opens one."""

    DEFAULT_CSS = "Results { width: 100%; height: auto; background: ansi_default; color: ansi_default; }"

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
        self.own = own

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
        begun = [self._begun(at, result) for at, result in shown]
        others = [[seat for seat in result.seats if seat[0] != self.own] for _, result in shown]
        widths = self._widths(others, self.size.width - max((line.cell_len for line in begun), default=0))
        lines = []
        for (at, result), line, seats in zip(shown, begun, others, strict=True):
            for place, ((name, heads), wide) in enumerate(zip(seats, widths, strict=False)):
                told = Text(harmless(name, NAME), "" if place or self.own else "bold")
                told.truncate(wide, overflow="ellipsis", pad=True)
                line.append_text(told).append(f" {heads:>{self._high}}{' ' * GAP}", style="dim")
            if len(seats) > len(widths):
                line.append(f"+{len(seats) - len(widths)}", style="dim")
            line.truncate(self.size.width, pad=at == self.at)
            line.apply_meta({"result": result.id})
            lines.append(line)
        return Text("\n").join(lines)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self.results)

    def _begun(self, at: int, result: Result) -> Text:
        """The number of a match, and the own result in it."""
        chosen, digits = at == self.at, max(len(_label(one)) for one in self.results)
        line = Text(f"{'▸' if chosen else ' '}{_label(result):>{digits}}  ", "reverse" if chosen else "", no_wrap=True)
        if result.void:
            line.append(f"{say('tables.career.void')}  ", style="yellow")
        for place, (name, heads) in zip(result.ranks, result.seats, strict=False):
            if name == self.own:
                ended = "" if result.void else f"{place}."
                line.append(f"{ended:>3} {heads:>{self._high}}  ", style="bold")
        return line

    @property
    def wished(self) -> int:
        """The columns in which nothing is cut, of at most four seats."""
        if not self.results:
            return 0
        others = [
            [seat for seat in one.seats if seat[0] != self.own][: 4 - (self.own is not None)] for one in self.results
        ]
        begun = max(self._begun(at, one).cell_len for at, one in enumerate(self.results))
        more = MORE if any(len(one.seats) > 4 for one in self.results) else 0
        return begun + more + sum(wide + 1 + self._high + GAP for wide in self._widths(others, 1000))

    @property
    def _high(self) -> int:
        """The columns of the most heads."""
        return max((len(str(heads)) for result in self.results for _, heads in result.seats), default=0)

    def _widths(self, rows: Sequence[Sequence[tuple[str, int]]], room: int) -> list[int]:
        """The columns of the names of each seat: names are cut before results are, and the longest ones first.

        Of many seats, there are only those for which names have letters enough to be known.
        """
        between = 1 + self._high + GAP
        seats = max(map(len, rows), default=0)
        widths = [
            max(cell_len(harmless(row[at][0], NAME)) for row in rows if at < len(row)) + between for at in range(seats)
        ]
        while sum(widths) - GAP > room and max(widths) > LETTERS + between:
            widths[widths.index(max(widths))] -= 1
        if sum(widths) - GAP > room:
            while len(widths) > 1 and sum(widths) + MORE > room:
                widths.pop()
        return [wide - between for wide in widths]

    def on_click(self, event: events.Click) -> None:
        if "result" in event.style.meta:
            self.post_message(self.Opened(event.style.meta["result"]))


def _label(result: Result) -> str:
    return result.label or str(result.id)

"""The list of the tables being played, one of which is chosen."""

from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.ladder.run.progress import RunningMatch


class Tables(Widget):
    """Draws a line for each table. A click opens one."""

    DEFAULT_CSS = "Tables { height: auto; max-height: 40%; background: ansi_default; color: ansi_default; }"

    class Opened(Message):
        """Somebody wants to see a table."""

        def __init__(self, match: int) -> None:
            super().__init__()
            self.match = match

    def __init__(self) -> None:
        super().__init__()
        self.playing: Sequence[RunningMatch] = ()
        self.at: int | None = None
        """The line that is chosen; None: none."""
        self._left = False
        """Whether the chosen match is no longer played."""

    @property
    def chosen(self) -> RunningMatch | None:
        """The table that is chosen."""
        return self.playing[self.at] if self.at is not None else None

    def show(self, playing: Sequence[RunningMatch]) -> None:
        """List these, and the one that is chosen even if it is over: what somebody has chosen is what opens."""
        ids, before = [match.id for match in playing], self.chosen
        self._left = before is not None and before.id not in ids
        if before is not None and self.at is not None:
            at = min(self.at, len(ids)) if self._left else ids.index(before.id)
            self.at, playing = at, [*playing[:at], before, *playing[at + (not self._left) :]]
        self.playing = playing
        self.refresh(layout=True)

    def choose(self, at: int | None) -> None:
        """Choose the table in this line, or none."""
        before, self.at = self.chosen, at
        if self._left and before is not None and self.chosen != before:
            chosen = self.chosen
            self._left, self.playing = False, [match for match in self.playing if match != before]
            self.at = None if chosen is None else self.playing.index(chosen)
            self.refresh(layout=True)
        self.refresh()

    def render(self) -> Text:
        first = self._first()
        lines = [
            _line(match, chosen=first + at == self.at, over=self._left and first + at == self.at, width=self.size.width)
            for at, match in enumerate(self.playing[first : first + max(1, self.size.height)])
        ]
        return Text("\n").join(lines)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self.playing)

    def _first(self) -> int:
        """The first line that is shown, so that the chosen one is."""
        return max(0, min((self.at or 0) - self.size.height // 2, len(self.playing) - self.size.height))

    def on_click(self, event: events.Click) -> None:
        if "table" in event.style.meta:
            self.post_message(self.Opened(event.style.meta["table"]))


def _line(match: RunningMatch, *, chosen: bool, over: bool, width: int) -> Text:
    names = "  ".join(harmless(name, 20) for name in match.bots)
    line = Text(f"{'▸' if chosen else ' '}{match.id:>6}  {names}", style="reverse" if chosen else "", no_wrap=True)
    line.append(f"  {say('watch.said.over')}" if over else "", style="dim")
    line.apply_meta({"table": match.id})
    line.truncate(width, overflow="ellipsis", pad=chosen)
    return line

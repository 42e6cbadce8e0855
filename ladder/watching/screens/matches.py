"""The list of the tables being played, one of which is chosen."""

from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from bullring.arena.cells.text.harmless import harmless
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
        self._at = 0

    @property
    def chosen(self) -> RunningMatch | None:
        """The table that is chosen."""
        return self.playing[self._at] if self.playing else None

    def show(self, playing: Sequence[RunningMatch]) -> None:
        """List these. The one that is chosen stays so as long as it is played, then its place in the list does."""
        ids, before = [match.id for match in playing], self.chosen
        self._at = ids.index(before.id) if before and before.id in ids else max(0, min(self._at, len(ids) - 1))
        self.playing = playing
        self.refresh(layout=True)

    def choose(self, by: int) -> None:
        """Choose the table `by` lines further down."""
        self._at = max(0, min(self._at + by, len(self.playing) - 1))
        self.refresh()

    def render(self) -> Text:
        first = self._first()
        lines = [
            _line(match, chosen=first + at == self._at, width=self.size.width)
            for at, match in enumerate(self.playing[first : first + max(1, self.size.height)])
        ]
        return Text("\n").join(lines)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self.playing)

    def _first(self) -> int:
        """The first line that is shown, so that the chosen one is."""
        return max(0, min(self._at - self.size.height // 2, len(self.playing) - self.size.height))

    def on_click(self, event: events.Click) -> None:
        at = self._first() + event.y
        if at < len(self.playing):
            self._at = at
            self.refresh()
            self.post_message(self.Opened(self.playing[at].id))


def _line(match: RunningMatch, *, chosen: bool, width: int) -> Text:
    names = "  ".join(harmless(name, 20) for name in match.bots)
    line = Text(f"{'▸' if chosen else ' '}{match.id:>6}  {names}", style="reverse" if chosen else "", no_wrap=True)
    line.truncate(width, overflow="ellipsis", pad=chosen)
    return line

"""The screen of `match --watch`: matches one after the other while they are played."""

import time
from collections import deque
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from bullring.arena.games.rulebook.language import say
from bullring.arena.match.records.reader import Follower
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.steps import Ended
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.live_messages import Match, News
from bullring.arena.watching.screens.pace import Pacing
from bullring.arena.watching.screens.shell import TICK, Shell, TableView
from bullring.errors import RecordError

HELD = 5
"""For how many steps the end of a match is shown."""

SLICE = 0.02
"""Seconds in a row spent on reading, so that keys are answered."""

SAID = 4
"""Lines of stderr that are shown."""


class LiveScreen(Shell):
    """Follows matches one after the other, each at the pace of people. It ends when the last one has been shown."""

    CSS = "#said { height: auto; max-height: 25%; }"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "live.keys.pause", key_display="Space"),
        Binding("plus,equals_sign", "faster", "keys.faster", key_display="+"),
        Binding("minus", "slower", "keys.slower", key_display="-"),
        Binding("end", "latest", "keys.latest", key_display="End"),
    ]

    def __init__(self, news: News, pace: float = PACE) -> None:
        super().__init__()
        self.pacing = Pacing(pace)
        self.view = TableView()
        self._news = news
        self._match: Match | None = None
        self._tail: Follower | None = None
        self._reducer = Reducer()
        self._batches = 0
        """Batches of the match that are answered."""
        self._told: tuple[int, ...] | None = None
        self._said: deque[str] = deque(maxlen=SAID)

    def compose(self) -> ComposeResult:
        yield self.view
        said = Static(id="said")
        said.display = False
        yield said

    def on_mount(self) -> None:
        self.set_interval(TICK, self.look)

    def on_unmount(self) -> None:
        if self._tail is not None:
            self._tail.close()

    def look(self) -> None:
        """Take new messages and entries, and draw the frame that is due."""
        try:
            self._news.hear()
            self._begin()
            self._read()
        except (RecordError, OSError) as error:
            self.exit(return_code=1, message=f"the match cannot be shown: {error}")
            return
        self._show_said()
        self.view.follow(self.pacing, time.monotonic())
        self.view.note = self.note()
        if self._news.gone:
            self.exit()  # the process that plays was interrupted

    def note(self) -> str:
        """The match, and the number of steps that the picture is behind."""
        notes = [self._match.title if self._match else "", "" if self.pacing.playing else say("live.paused")]
        if self.pacing.behind > 1:
            notes.append(say("live.behind", count=self.pacing.behind))
        return " · ".join(filter(None, notes))

    def _begin(self) -> None:
        """Begin with the next match when the end of this one has been seen."""
        now, frame = time.monotonic(), self.pacing.frame
        if self._match is not None:
            over = frame is not None and isinstance(frame.step, Ended) and self.pacing.latest
            if not over or not self.pacing.playing or self.pacing.shown(now) < HELD * self.pacing.pace:
                return
        if not self._news.matches:
            if self._news.finished:
                self.exit()
            return
        if self._tail is not None:
            self._tail.close()
        if self._match is not None and self._match.remove:
            self._match.record.unlink(missing_ok=True)
        self._match = self._news.matches.popleft()
        self._tail = Follower(self._match.record)
        self._reducer, self._batches, self._told = Reducer(), 0, None
        self.pacing.clear()

    def _read(self) -> None:
        """Read new entries of the record, and the seats that still think."""
        if self._tail is None or self._match is None:
            return
        now = time.monotonic()
        while not self._tail.over and time.monotonic() - now < SLICE:
            for entry in self._tail.read():
                self._batches += "answers" in entry
                self.pacing.add(self._reducer.feed(entry), now)
            if self._tail.idle:
                thinking = self._news.thinking(self._match.number, self._batches + 1)
                if thinking is not None and thinking != self._told:
                    self.pacing.add(self._reducer.thinking(thinking), now)
                self._told = thinking
                return

    def _show_said(self) -> None:
        """Show the stderr of bots below the table."""
        if self._news.said:
            self._said.extend(self._news.said)
            self._news.said.clear()
            shown = self.query_one("#said", Static)
            shown.display = True
            shown.update(Text("\n".join(self._said), no_wrap=True, overflow="ellipsis", style="dim"))

    def action_pause(self) -> None:
        """Pause, or go on."""
        self.pacing.playing = not self.pacing.playing

    def action_faster(self) -> None:
        self.pacing.faster()

    def action_slower(self) -> None:
        self.pacing.slower()

    def action_latest(self) -> None:
        """Go to the newest frame."""
        self.pacing.skip(time.monotonic())

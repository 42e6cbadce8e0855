"""The standings of a ladder and the tables being played."""

import threading
from typing import ClassVar

from rich.console import Group
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.sayings import counted
from bullring.arena.watching.screens import PACE
from bullring.ladder.run.progress import running
from bullring.ladder.standings.lines import lines_of
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.tables import HOUSE_NOTE, WIDE, standings_notes, standings_table
from bullring.ladder.watching.screens.match import Table
from bullring.ladder.watching.screens.matches import Tables
from bullring.ladder.watching.screens.reader import Chooser, News, read_on

LOOK = 0.25
"""Seconds between two looks at what is being played."""


class StandingsScreen(Screen[None]):
    """Waits for a ladder, and shows it. Enter or a click opens a table."""

    DEFAULT_CSS = """
    StandingsScreen { layout: vertical; }
    StandingsScreen #title, StandingsScreen #about, StandingsScreen #foot { height: 1; }
    StandingsScreen #about { margin-top: 1; text-style: bold; }
    StandingsScreen VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; }
    StandingsScreen VerticalScroll Static { height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "choose(1)", "choose a table", key_display="↓ ↑"),
        Binding("up", "choose(-1)"),
        Binding("enter", "open", "watch it", key_display="Enter"),
        Binding("v", "versions", "show all versions, or one line a bot"),
        Binding("pagedown", "scroll(1)", "scroll the standings", key_display="PgDn PgUp"),
        Binding("pageup", "scroll(-1)"),
    ]

    def __init__(self, home: Home, choose: Chooser, *, pace: float = PACE) -> None:
        super().__init__()
        self.news = News()
        self._home = home
        self._choose = choose
        self._pace = pace
        self._goes_on: bool | None = None
        """Whether a ladder runs; None before the first look."""
        self._versions = False
        """Whether all versions are shown."""
        self._more = 0
        """Matches being played that are not listed."""
        self._stopped = threading.Event()
        self._title = Static(id="title")
        self._scroll = VerticalScroll(can_focus=False)
        self._standings = Static()
        self._about = Static(id="about")
        self._tables = Tables()
        self._foot = Static(id="foot")

    def compose(self) -> ComposeResult:
        yield self._title
        with self._scroll:
            yield self._standings
        yield self._about
        yield self._tables
        yield self._foot

    def on_mount(self) -> None:
        # A thread that is not joined: the screen may be left while a long list is being rated.
        threading.Thread(
            target=read_on, args=(self._home, self._choose, self._take_from_thread, self._stopped), daemon=True
        ).start()
        self.look()
        self.set_interval(LOOK, self.look)

    def on_unmount(self) -> None:
        self._stopped.set()

    def on_resize(self) -> None:
        self._draw()

    def _take_from_thread(self, news: News) -> None:
        if not self._stopped.is_set():
            try:
                self.app.call_from_thread(self.take, news)
            except RuntimeError:
                self._stopped.set()  # the screen was left at this moment

    def take(self, news: News) -> None:
        """Show the standings."""
        self.news = news
        if self.is_mounted:
            self._draw()

    def look(self) -> None:
        """See what is being played."""
        found = running(self._home)
        playing, more = ((), 0) if found is None else (found.matches, found.more)
        if (found is not None, list(playing), more) != (self._goes_on, list(self._tables.playing), self._more):
            self._goes_on, self._more = found is not None, more
            self._tables.show(playing)
            self._draw()

    def action_choose(self, by: int) -> None:
        self._tables.choose(by)

    def action_open(self) -> None:
        chosen = self._tables.chosen
        if chosen is not None:
            self._open(chosen.id)

    def on_tables_opened(self, opened: Tables.Opened) -> None:
        self._open(opened.match)

    def _open(self, match: int) -> None:
        self.app.push_screen(Table(self._home, match, live=True, pace=self._pace))

    def action_versions(self) -> None:
        self._versions = not self._versions
        self._draw()

    def action_scroll(self, by: int) -> None:
        if by > 0:
            self._scroll.scroll_page_down(animate=False)
        else:
            self._scroll.scroll_page_up(animate=False)

    def _draw(self) -> None:
        news, width = self.news, self.app.size.width
        title = Text(" bullring ", style="bold reverse", no_wrap=True, overflow="ellipsis")
        if news.title:
            title.append(f" {news.title}: {counted(news.matches, 'match', 'matches')}", style="bold not reverse")
        self._title.update(title)
        if news.rows:
            table = standings_table(news.rows, wide=width >= WIDE, width=width - 2, versions=self._versions)
            self._standings.update(Group(table, *standings_notes(news.rows, news.outlook, versions=True)))
        else:
            self._standings.update(Text(harmless(news.trouble, 400) or "reading the standings", style="dim"))
        playing = self._tables.playing
        if self._goes_on:
            shown = f", the first {len(playing)} of which are listed" if self._more else ""
            self._about.update(Text(f" {counted(len(playing) + self._more, 'table')} being played{shown}"))
        else:
            self._about.update(Text(" no ladder is running in this home; waiting for one", style="yellow"))
        foot = Text(" ", no_wrap=True, overflow="ellipsis")
        if news.rows and news.trouble:
            foot.append(harmless(news.trouble, 400), style="red")
        else:
            keys = [("Enter", "watch a table"), ("↑↓", "choose")] if playing else []
            if any(line.folded for line in lines_of(news.rows)):
                keys.append(("v", "one line a bot" if self._versions else "all versions"))
            for key, what in [*keys, ("?", "keys"), ("q", "quit")]:
                foot.append(key, style="bold")
                foot.append(f" {what}  ", style="dim")
            if any(row.house for row in news.rows) and width > len(HOUSE_NOTE) + foot.cell_len:
                foot.append(HOUSE_NOTE, style="dim")
        self._foot.update(foot)

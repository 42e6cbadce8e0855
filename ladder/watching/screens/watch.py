"""The screens of `bullring watch`: a ladder, one of its matches, or one of its bots."""

from typing import Any

from rich.text import Text
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.shell import Shell
from bullring.ladder.run.progress import running
from bullring.ladder.store.home import Home
from bullring.ladder.watching.screens.match import Table
from bullring.ladder.watching.screens.reader import Chooser
from bullring.ladder.watching.screens.standings import StandingsScreen

LOOK = 0.1
"""Seconds between two looks for the next match of a bot."""


class WatchApp(Shell):
    """A ladder in full screen. It only reads."""

    def __init__(self, screen: Screen[Any]) -> None:
        super().__init__()
        self._first = screen

    def get_default_screen(self) -> Screen[Any]:
        return self._first

    def action_interrupt(self) -> None:
        """End: a spectator has nothing to break off."""
        self.exit()


def ladder(home: Home, choose: Chooser, pace: float = PACE) -> WatchApp:
    """Standings and tables."""
    return WatchApp(StandingsScreen(home, choose, pace=pace))


def match(home: Home, number: int, pace: float = PACE) -> WatchApp:
    """One match: a replay if it is over."""
    return WatchApp(Table(home, number, live=not home.is_over(number), pace=pace))


def bot(home: Home, name: str, pace: float = PACE) -> WatchApp:
    """The matches of a bot, one after another."""
    return WatchApp(BotScreen(home, name, pace=pace))


class BotScreen(Screen[None]):
    """Waits for the next match of a bot, shows it, and waits again."""

    DEFAULT_CSS = "BotScreen { align: center middle; } BotScreen Static { width: auto; max-width: 100%; }"

    def __init__(self, home: Home, name: str, *, pace: float = PACE) -> None:
        super().__init__()
        self._home = home
        self._name = name
        self._pace = pace
        self._last = 0
        self._what = Static()

    def compose(self) -> ComposeResult:
        yield self._what

    def on_mount(self) -> None:
        self._look()
        self.set_interval(LOOK, self._look)

    def _look(self) -> None:
        if not self.is_current:
            return
        found = running(self._home)
        matches = [] if found is None else [match.id for match in found.matches if self._name in match.bots]
        number = next((number for number in matches if number != self._last), None)
        if number is not None:
            self._last = number
            self.app.push_screen(Table(self._home, number, live=True, passing=True, pace=self._pace))
            return
        what = say(f"watch.said.{'no_ladder' if found is None else 'waits'}")
        self._what.update(Text(f"{harmless(self._name, 40)}: {what}", style="dim"))

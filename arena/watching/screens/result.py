"""The result of a match, and the next choice: play again, look at it once more, change the table, or stop."""

import shlex
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar

from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.board import Sheet
from bullring.arena.games.rules.registry import find
from bullring.arena.match.records.reader import read_lines
from bullring.arena.study.analysis.kept import beside, kept
from bullring.arena.study.analysis.result import Analysis
from bullring.arena.watching.display import decisions
from bullring.arena.watching.display.board import sheet_of
from bullring.arena.watching.display.results import headline, placing
from bullring.arena.watching.screens.replay import Replay
from bullring.errors import BullringError


class Next(Enum):
    """A choice after a match."""

    AGAIN = "a"
    """The same table, a new deal."""
    LOOK = "l"
    CHANGE = "c"
    """To the start page."""
    STOP = "q"


class Choices(Widget, can_focus=True):
    """The choices, side by side."""

    DEFAULT_CSS = "Choices { height: auto; background: ansi_default; color: ansi_default; padding: 0 1; }"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", "keys.choice_before"),
        Binding("right,tab", "move(1)", "keys.next_choice"),
        Binding("enter", "take", "keys.take"),
    ]

    at: reactive[int] = reactive(0)

    def __init__(self, language: str) -> None:
        super().__init__()
        self._words = {choice: LANGUAGES[language].say(f"screens.result.{choice.name.lower()}") for choice in Next}

    def render(self) -> Text:
        line = Text()
        for number, choice in enumerate(Next):
            style = "bold reverse" if number == self.at else "bold"
            key = f" ({choice.value})" if self.size.width >= 80 else ""
            label = f" {self._words[choice]}{key} "
            line.append(label, Style.parse(style) + Style(meta={"choice": number}))
            line.append(" ")
        return line

    def action_move(self, by: int) -> None:
        """Go to another choice."""
        self.at = (self.at + by) % len(Next)

    def action_take(self) -> None:
        """Take the choice at the cursor."""
        screen = self.screen
        assert isinstance(screen, Result)
        screen.take(list(Next)[self.at])

    def on_click(self, event: events.Click) -> None:
        if "choice" in event.style.meta:
            self.at = event.style.meta["choice"]
            self.action_take()


class Result(Screen[Next]):
    """Shows a result, given as facts of `people.messages.Over`. Gives the next choice, except `Next.LOOK`, which is done here."""

    DEFAULT_CSS = """
    Result { layout: vertical; background: ansi_default; color: ansi_default; }
    Result #headline { padding: 0 1; height: auto; }
    Result VerticalScroll { height: 1fr; background: ansi_default; scrollbar-size-vertical: 1; }
    Result #told { padding: 0 1; height: auto; }
    Result #record { padding: 0 1; height: auto; color: ansi_default; text-style: dim; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "take('a')", "keys.again"),
        Binding("l", "take('l')", "keys.look"),
        Binding("c", "take('c')", "keys.change"),
        Binding("q,escape", "take('q')", "keys.quit"),
        Binding("up", "scroll(-1)", "keys.scroll_up"),
        Binding("down", "scroll(1)", "keys.scroll_down"),
    ]

    def __init__(self, facts: Mapping[str, Any], language: str = "en") -> None:
        super().__init__()
        self.facts = facts
        self.language = language
        self.record = Path(facts["record"])
        self.analysis: Analysis | None = None

    def compose(self) -> ComposeResult:
        title = wording(find(self.facts["game"]), self.language).title
        yield Static(Text.assemble((" bullring ", "bold reverse"), (f" {title}", "bold")))
        yield Static(headline(self.facts, self.language), id="headline")
        with VerticalScroll(can_focus=False):
            yield Static(id="told")
        yield Static(self._where(), id="record")
        yield Choices(self.language)

    def on_mount(self) -> None:
        self.query_one(Choices).focus()
        self._look_for_analysis()

    def on_screen_resume(self) -> None:
        self._look_for_analysis()

    def on_resize(self) -> None:
        self._show()

    def action_take(self, key: str) -> None:
        """Take a choice by its key."""
        self.take(Next(key))

    def action_scroll(self, by: int) -> None:
        """Scroll the sheet."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)

    def take(self, choice: Next) -> None:
        """Carry out a choice."""
        if choice is Next.LOOK:
            self.app.push_screen(Replay(self.record, beside(self.record), analyse=True))
        else:
            self.dismiss(choice)

    def _look_for_analysis(self) -> None:
        with suppress(BullringError):  # the record may be gone; what is shown does not need it
            self.analysis = self.analysis or kept(beside(self.record), read_lines(self.record).seal or "")
        self._show()

    def _show(self) -> None:
        width = max(30, self.app.size.width - 3)
        parts: list[RenderableType] = [placing(self.facts, min(width, 110), self.language)]
        if "sheet" in self.facts:
            parts.append(sheet_of(self.facts["names"], Sheet(**self.facts["sheet"]), min(width, 110)))
        if self.analysis is not None:
            parts += [Text(), decisions.summary(self.analysis, width=min(width, 110))]
        self.query_one("#told", Static).update(Group(*parts))

    def _where(self) -> Text:
        """The command that shows the record later."""
        record = harmless(shlex.quote(self.facts["record"]), 400)
        return Text(f"bullring replay {record}", overflow="fold")

"""The page of somebody who plays: how it went so far, and the last matches, which can be opened."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from bullring.arena.games.rulebook.language import say
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.screens.results import Results
from bullring.arena.watching.screens.shell import key_name

WIDE = 100
"""Columns from which on the last matches are beside the rest."""

LEAST = 44
"""Least columns of the rest beside them."""

RECENT = 5
"""Least lines of the last matches below the rest, with their title."""


class Profile(Screen[None]):
    """Shows somebody, as of the moment at which it is opened. Enter or a click opens one of the last matches."""

    DEFAULT_CSS = """
    Profile { layout: vertical; }
    Profile #title, Profile #foot { height: 1; }
    Profile #middle { height: 1fr; layout: vertical; }
    Profile VerticalScroll { height: auto; scrollbar-size-vertical: 1; padding: 0 1; }
    Profile VerticalScroll { scrollbar-background: ansi_default; scrollbar-color: ansi_bright_black; }
    Profile VerticalScroll Static { height: auto; }
    Profile #recent { height: 1fr; }
    Profile #told { height: 1; text-style: bold; padding: 0 1; }
    Profile.side #middle { layout: horizontal; }
    Profile.side VerticalScroll { height: 1fr; max-height: 100%; padding: 1 1 0 1; }
    Profile.side #recent { width: 1fr; padding: 1 1 0 0; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "choose(1)", "tables.career.keys.after", key_display="↓ ↑"),
        Binding("up", "choose(-1)"),
        Binding("enter", "open", "tables.career.keys.open"),
        Binding("pagedown", "scroll(1)", "tables.career.keys.scroll", key_display="PgDn PgUp"),
        Binding("pageup", "scroll(-1)"),
    ]

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (("Enter", "open"), ("↑↓", "choose"), ("?", "keys"), ("q", "quit"))
    """The keys of the last line, with texts of `tables.career.foot`."""

    def __init__(self, own: str | None) -> None:
        super().__init__()
        self._keys = self.KEYS
        self._title = Static(id="title")
        self._scroll = VerticalScroll(can_focus=False)
        self._facts = Static()
        self._told = Static(id="told")
        self._results = Results(own)
        self._foot = Static(id="foot")

    def compose(self) -> ComposeResult:
        yield self._title
        with Container(id="middle"):
            with self._scroll:
                yield self._facts
            with Container(id="recent"):
                yield self._told
                yield self._results
        yield self._foot

    def on_mount(self) -> None:
        self.on_resize()

    def on_resize(self) -> None:
        self.draw()

    # What a page is of

    def named(self) -> Text:
        """The title."""
        raise NotImplementedError

    def drawn(self, width: int, height: int) -> Block | Text:
        """Everything but the last matches."""
        raise NotImplementedError

    def opened(self, match: int) -> None:
        """Open a match by its number."""
        raise NotImplementedError

    # Keys

    def action_choose(self, by: int) -> None:
        at = self._results.at
        if at is not None:
            self._results.choose(max(0, min(at + by, len(self._results.results) - 1)))

    def action_open(self) -> None:
        if self._results.chosen is not None:
            self.opened(self._results.chosen)

    def on_results_opened(self, opened: Results.Opened) -> None:
        self.opened(opened.match)

    def action_scroll(self, by: int) -> None:
        if by > 0:
            self._scroll.scroll_page_down(animate=False)
        else:
            self._scroll.scroll_page_up(animate=False)

    # Drawing

    def draw(self) -> None:
        """Draw everything."""
        width, height = self.app.size
        side = width >= WIDE
        self.set_class(side, "side")
        self._title.update(Text.assemble((" bullring ", "bold reverse"), "  ", self.named()))
        self._told.update(say("tables.career.recent"))
        wide = max(LEAST, width - self._results.wished - 3) if side else width
        self._scroll.styles.width = wide
        self._scroll.styles.max_height = "100%" if side else height - 2 - RECENT
        self._facts.update(self.drawn(wide - (4 if side else 3), height - 3 if side else height - 2 - RECENT))
        foot = Text(" ", no_wrap=True, overflow="ellipsis")
        for key, what in self._keys:
            told = say(f"tables.career.foot.{what}")
            foot.append_text(Text.assemble((key_name(key), "bold"), (f" {told}  ", "dim")))
        self._foot.update(foot)

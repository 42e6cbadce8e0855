"""The results of a match with luck and mistakes told apart."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from bullring.arena.study.analysis.result import Analysis
from bullring.arena.watching.display import worth


class Summary(ModalScreen[None]):
    """Shows an analysis of a match; any of its keys leaves it."""

    DEFAULT_CSS = """
    Summary { align: center middle; background: transparent; }
    Summary VerticalScroll {
        width: 100%; max-width: 104; height: auto; max-height: 100%; border: round $foreground; background: ansi_default;
        padding: 0 1;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,s,enter,space", "leave", "back")]

    def __init__(self, analysis: Analysis) -> None:
        super().__init__()
        self._analysis = analysis

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static()

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        width = min(self.app.size.width, 104) - 4
        self.query_one(Static).update(worth.summary(self._analysis, width=width))

    def action_leave(self) -> None:
        if self.is_current:  # a second key may have come with the first one
            self.dismiss()

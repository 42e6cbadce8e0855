"""The windows of a replay: a prompt for a place to go to, and the results with luck and mistakes told apart."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Static

from bullring.arena.study.analysis.result import Analysis
from bullring.arena.watching.display import decisions
from bullring.arena.watching.screens.shell import Dialog
from bullring.arena.watching.screens.stepper import Stepper


class Jump(Dialog[bool]):
    """Asks for a deal and turn, and goes there. Gives whether it went."""

    DEFAULT_CSS = """
    Jump { align: center bottom; }
    Jump Vertical { height: auto; width: 100%; max-width: 60; border: round $foreground; background: ansi_default; }
    Jump Input, Jump Input:focus { border: none; height: 1; padding: 0 1; background: ansi_default; color: ansi_default; }
    Jump Static { padding: 0 1; height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "stay", "stay")]

    def __init__(self, stepper: Stepper) -> None:
        super().__init__()
        self._stepper = stepper

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Input(placeholder=self._stepper.place)
            yield Static("deal and turn, such as d2t7, d2 or t7", id="told")

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        try:
            self.close(bool(submitted.value.strip()) and self._stepper.jump(submitted.value))
        except ValueError as error:
            self.query_one("#told", Static).update(str(error), layout=True)

    def action_stay(self) -> None:
        self.close(False)


class Summary(Dialog[None]):
    """Shows an analysis of a match; any of its keys leaves it."""

    DEFAULT_CSS = """
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

    def on_resize(self) -> None:
        width = min(self.app.size.width, 104) - 4
        self.query_one(Static).update(decisions.summary(self._analysis, width=width))

    def action_leave(self) -> None:
        self.close()

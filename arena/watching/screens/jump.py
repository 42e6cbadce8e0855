"""A prompt for the deal and turn to go to."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from bullring.arena.watching.screens.stepper import Stepper

WHAT = "deal and turn, such as d2t7, d2 or t7"


class Jump(ModalScreen[bool]):
    """Asks for a place, and goes there. Gives whether it went."""

    DEFAULT_CSS = """
    Jump { align: center bottom; background: transparent; }
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
            yield Static(WHAT, id="told")

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        try:
            moved = bool(submitted.value.strip()) and self._stepper.jump(submitted.value)
        except ValueError as error:
            self.query_one("#told", Static).update(str(error), layout=True)
            return
        self._leave(moved)

    def action_stay(self) -> None:
        self._leave(False)

    def _leave(self, moved: bool) -> None:
        if self.is_current:  # a second key may have come with the first one
            self.dismiss(moved)

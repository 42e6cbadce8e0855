"""The windows of a replay: a prompt for a place to go to, and the results with luck and mistakes told apart."""

from collections.abc import Sequence
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Static

from bullring.arena.games.rulebook.language import say
from bullring.arena.study.analysis.result import Analysis
from bullring.arena.watching.display import decisions
from bullring.arena.watching.display.chances import chances
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.turning import turning_points
from bullring.arena.watching.screens.shell import Dialog
from bullring.arena.watching.screens.stepper import NoSuchPlace, Stepper


class Jump(Dialog[bool]):
    """Asks for a deal and turn, and goes there. Gives whether it went."""

    DEFAULT_CSS = """
    Jump { align: center bottom; }
    Jump Vertical { height: auto; width: 100%; max-width: 60; border: round $foreground; background: ansi_default; }
    Jump Input, Jump Input:focus { border: none; height: 1; padding: 0 1; background: ansi_default; color: ansi_default; }
    Jump Static { padding: 0 1; height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "stay", "replay.keys.back")]

    def __init__(self, stepper: Stepper) -> None:
        super().__init__()
        self._stepper = stepper

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Input(placeholder=self._stepper.place)
            yield Static(say("replay.jump.how"), id="told")

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        try:
            self.close(bool(submitted.value.strip()) and self._stepper.jump(submitted.value))
        except NoSuchPlace as error:
            told = say(f"replay.jump.{error.key}", **error.values)
            self.query_one("#told", Static).update(Text(told), layout=True)

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

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,s,enter,space", "leave", "replay.keys.back")]

    def __init__(self, analysis: Analysis, frames: Sequence[Frame]) -> None:
        """`frames` are those of the whole match."""
        super().__init__()
        self._analysis = analysis
        self._frames = frames

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static()

    def on_resize(self) -> None:
        width = min(self.app.size.width, 104) - 4
        parts: list[RenderableType] = [decisions.summary(self._analysis, width=width)]
        if self._analysis.chances:
            parts += [Text(), chances(self._analysis, self._frames[-1].picture, width)]
        if points := list(turning_points(self._analysis, self._frames)):
            parts += [Text(), Text(say("replay.chance.turning"), "bold")]
            parts += [Text.assemble((f"d{one.deal}t{one.turn}  ", "dim"), " ".join(told)) for one, told in points]
        self.query_one(Static).update(Group(*parts))

    def action_leave(self) -> None:
        self.close()

"""The bar of steps below a table: the step that is shown, the beginnings of deals, mistakes. A click goes there."""

from rich.text import Text
from textual import events
from textual.app import RenderResult
from textual.message import Message
from textual.widget import Widget

from bullring.arena.watching.display.analysis import STYLES
from bullring.arena.watching.screens.stepper import Stepper


class StepsBar(Widget):
    """Draws a stepper in one line. Call `refresh` when it has moved."""

    DEFAULT_CSS = "StepsBar { height: 1; }"

    class Picked(Message):
        """A frame was clicked on."""

        def __init__(self, frame: int) -> None:
            super().__init__()
            self.frame = frame

    def __init__(self, stepper: Stepper, *, ended: bool = False) -> None:
        super().__init__()
        self.stepper = stepper
        self.ended = ended
        """Whether no more frames can follow."""

    def render(self) -> RenderResult:
        before, after = self._sides()
        _, length = self._track()
        text = Text(no_wrap=True, overflow="crop")
        text.append(before)
        if length > 0:
            text.append_text(self._line(length))
        text.append(after)
        return text

    def _sides(self) -> tuple[str, str]:
        stepper = self.stepper
        count = len(stepper.frames)
        playing = "▶" if stepper.playing else "‖"
        after = f" {stepper.at + 1 if count else 0}/{count}{'' if self.ended else '…'} {playing} ×{stepper.speed:g} "
        return f" {stepper.place:<6} ", after

    def _track(self) -> tuple[int, int]:
        before, after = self._sides()
        return len(before), self.size.width - len(before) - len(after)

    def _column(self, frame: int, length: int) -> int:
        last = max(1, len(self.stepper.frames) - 1)
        return min(length - 1, round(frame * (length - 1) / last))

    def _line(self, length: int) -> Text:
        stepper = self.stepper
        here = self._column(stepper.at, length)
        line = Text("━" * here + "─" * (length - here), style="dim")
        line.stylize("not dim", 0, here)
        cells = list(line.plain)
        for number in stepper.deals:
            column = self._column(number, length)
            cells[column] = "┿" if column < here else "┼"
        line.plain = "".join([*cells[:here], "●", *cells[here + 1 :]])
        line.stylize("bold not dim", here, here + 1)
        for number, _, mark in stepper.mistakes:
            column = self._column(number, length)
            if column != here:
                line.stylize(f"{STYLES[mark]} not dim", column, column + 1)
        return line

    def on_click(self, event: events.Click) -> None:
        start, length = self._track()
        if length > 1 and self.stepper.frames:
            share = min(1.0, max(0.0, (event.x - start) / (length - 1)))
            self.post_message(self.Picked(round(share * (len(self.stepper.frames) - 1))))

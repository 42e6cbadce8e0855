"""A live picture with the whole terminal for itself, drawn over itself and only where it has changed: nothing flickers.

It has the terminal's other screen, which keeps no lines of the past: whatever size the terminal gets, nothing of an older picture
comes back. When it ends, the shell's screen is as it was, and below its lines come what was printed meanwhile and the last picture.
"""

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleDimensions, ConsoleRenderable, RenderableType
from rich.control import Control
from rich.live import Live
from rich.segment import ControlType, Segment, Segments

Lines = Sequence[Sequence[Segment]]


class SteadyLive(Live):
    """Draws at each `refresh`. What is printed meanwhile is shown in the end."""

    def __init__(self, picture: RenderableType, console: Console) -> None:
        super().__init__(picture, console=console, auto_refresh=False, screen=console.is_interactive)
        self._drawn: Lines = ()
        """The lines on the terminal, which fill it."""
        self._size: ConsoleDimensions | None = None
        self._printed: list[ConsoleRenderable] = []

    @property
    def resized(self) -> bool:
        """Whether the terminal has got another size since the picture was drawn."""
        return self._size not in (None, self.console.size)

    def stop(self) -> None:
        """Give the terminal back, and leave the picture there."""
        leaves = self.is_started and self.console.is_interactive
        super().stop()
        if leaves:
            self.console.print(*self._printed, self.get_renderable(), sep="\n")

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Draw the picture, and keep what is printed."""
        if not self.console.is_interactive:
            return super().process_renderables(renderables)
        self._printed += [one for one in renderables if not isinstance(one, Control)]
        size = self.console.size
        lines = self.console.render_lines(self.get_renderable())[: size.height]
        lines += [[Segment(" " * size.width)]] * (size.height - len(lines))
        start, before = Control(ControlType.HOME), self._drawn
        if self._size != size:
            start, before = Control(ControlType.CLEAR, ControlType.HOME), ()
        self._drawn, self._size = lines, size
        return [start, Segments(_changed(lines, before)), Control(ControlType.HOME)]


def _changed(lines: Lines, before: Lines) -> Iterator[Segment]:
    """The lines, without the content of those that were the same before. The cursor rests in the first: keys are echoed there."""
    for at, line in enumerate(lines):
        if at:
            yield Segment.line()
        if not at or at >= len(before) or line != before[at]:
            yield from line

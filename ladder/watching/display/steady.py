"""A live picture that is drawn over itself, and only where it has changed: nothing is blanked first, so nothing flickers."""

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleDimensions, ConsoleRenderable, RenderableType
from rich.control import Control
from rich.live import Live
from rich.segment import ControlType, Segment, Segments

Lines = Sequence[Sequence[Segment]]


class SteadyLive(Live):
    """Draws at each `refresh`. What is printed meanwhile stays above; where the terminal gets another size, it is cleared."""

    def __init__(self, picture: RenderableType, console: Console) -> None:
        super().__init__(picture, console=console, auto_refresh=False)
        self._drawn: Lines = ()
        """The lines on the terminal, each as wide as it. The cursor is in the last one."""
        self._size: ConsoleDimensions | None = None

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Draw the picture behind what is printed."""
        if not self.console.is_interactive:
            return super().process_renderables(renderables)
        printed = [one for one in renderables if not isinstance(one, Control)]
        size, before = self.console.size, self._drawn
        lines = self.console.render_lines(self.get_renderable())[: size.height]
        if self._size not in (None, size):
            start, before = Control(ControlType.CLEAR, ControlType.HOME), ()
        elif printed or len(lines) < len(before):
            start, before = _erased(len(before)), ()
        else:
            start = Control(
                ControlType.CARRIAGE_RETURN, *[(ControlType.CURSOR_UP, len(before) - 1)] * (len(before) > 1)
            )
        self._drawn, self._size = lines, size
        end = [] if self.is_started else [Segment.line()]
        return [start, *printed, Segments([*_changed(lines, before), *end])]


def _erased(height: int) -> Control:
    """Erase so many lines, from the last to the first."""
    up = [(ControlType.CURSOR_UP, 1), (ControlType.ERASE_IN_LINE, 2)] * (height - 1)
    return Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2), *up)


def _changed(lines: Lines, before: Lines) -> Iterator[Segment]:
    """The lines, without the content of those that were the same before."""
    for at, line in enumerate(lines):
        if at:
            yield Segment.line()
        if at >= len(before) or line != before[at]:
            yield from line

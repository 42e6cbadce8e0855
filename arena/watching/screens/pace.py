"""Frames one step after the other, however fast they arrive."""

from collections.abc import Iterable

from bullring.arena.games.rules.stages import DealOver, Took
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.steps import Asked, Began, Ended, Step, Thinking
from bullring.arena.watching.screens import PACE

FASTEST, SLOWEST = 0.025, 6.4
"""Seconds of a step that `faster` and `slower` do not pass."""


def time_of(step: Step, pace: float) -> float:
    """Seconds for which a step is shown if another one follows."""
    if isinstance(step, Began | Asked | Thinking):
        return 0.0  # what was answered meanwhile is shown at once
    return pace * (3 if isinstance(step, DealOver | Ended) else 2 if isinstance(step, Took) else 1)


class Pacing:
    """The frame to show at any moment. It keeps all frames; moments are seconds of any clock that the caller likes.

    With a `pace` of 0, the latest frame is always the one that is shown. Nobody waits for the picture: frames may come at any time.
    """

    def __init__(self, pace: float = PACE) -> None:
        self.pace = pace
        """Seconds of one step; 0 for at once."""
        self.frames: list[Frame] = []
        self.at = -1
        """The index of the frame that is shown; -1 before the first one."""
        self.playing = True
        """Whether the frames follow each other by themselves."""
        self._since = 0.0
        """The moment from which on the frame is shown."""
        self._came = 0.0
        """The moment at which the newest frame came, except those of `Thinking`."""

    @property
    def frame(self) -> Frame | None:
        """The frame that is shown."""
        return self.frames[self.at] if self.at >= 0 else None

    @property
    def latest(self) -> bool:
        """Whether no frame follows the one that is shown."""
        return self.at >= len(self.frames) - 1

    @property
    def behind(self) -> int:
        """Frames not shown yet."""
        return len(self.frames) - 1 - self.at

    def add(self, frames: Iterable[Frame], now: float) -> None:
        """Take new frames."""
        for frame in frames:
            self.frames.append(frame)
            if not isinstance(frame.step, Thinking):
                self._came = now

    def clear(self) -> None:
        """Forget all frames: another match begins."""
        self.frames.clear()
        self.at = -1

    def advance(self, now: float) -> bool:
        """Show the frame that is due at this moment. Returns whether it is another one."""
        before = self.at
        if self.at < 0 and self.frames:
            self._show(0, now)
        while self.playing and not self.latest and now - self._since >= self._time():
            # After a while without a look, steps follow from now on: those in between were not seen.
            self._show(self.at + 1, now if self._time() else self._since)
        return self.at != before

    def phase(self, now: float) -> float:
        """The progress of the step that is shown, from 0 to 1: done after half of its time, so that people see the result."""
        time = self._time()
        return 1.0 if not self.playing or time <= 0 else min(1.0, max(0.0, 2 * (now - self._since) / time))

    def waited(self, now: float) -> float:
        """Seconds since the newest frame came, if it is shown; else 0."""
        return max(0.0, now - self._came) if self.latest else 0.0

    def shown(self, now: float) -> float:
        """Seconds for which the frame has been shown."""
        return now - self._since

    def skip(self, now: float) -> None:
        """Show the newest frame, if there is one."""
        if self.frames:
            self._show(len(self.frames) - 1, now)

    def faster(self) -> None:
        """Halve the time of a step."""
        self.pace = max(FASTEST, self.pace / 2) if self.pace else 0.0

    def slower(self) -> None:
        """Double the time of a step."""
        self.pace = min(SLOWEST, self.pace * 2) if self.pace else FASTEST

    def _show(self, at: int, now: float) -> None:
        self.at, self._since = at, now

    def _time(self) -> float:
        """Seconds for which the frame is shown if another one follows."""
        return time_of(self.frames[self.at].step, self.pace)

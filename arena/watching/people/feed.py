"""The feed, a program of its own: it follows the record of a match and writes public frames of it as lines of JSON.

Making frames takes longer than a fast bot's turn, so it must not happen in the process that keeps the clocks; and the record shows
all hands, so it must not be read in the process of a person. Of a match that goes on, only the last frame from before is written.
"""

import os
import select
import sys
from collections.abc import Iterable
from pathlib import Path

from bullring.arena.cells.text.lines import LineBuffer
from bullring.arena.match.records.reader import follow
from bullring.arena.watching.picture.frames_json import written
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.steps import Asked
from bullring.errors import RecordError

PROGRAM = (sys.executable, "-P", "-m", "bullring.arena.watching.people.feed")
"""The command; it is followed by the path of the record, and the number of lines that were there before."""


def feed(path: Path, before: int) -> None:
    """Write the frames of a record until the match is over or stdin is closed."""
    reducer, pulse = Reducer(), _Pulse()
    latest: list[Frame] = []
    for found in follow(path, pulse.hear):
        for entry in found:
            frames = reducer.feed(entry)
            if reducer.number <= before:
                latest = frames[-1:] or latest
                frames = latest if reducer.number == before else []
            _write(frames)
            pulse.asked += sum(isinstance(frame.step, Asked) for frame in frames)
        pulse.hear()
        if thinking := pulse.news():
            _write(reducer.thinking(thinking))
        sys.stdout.flush()


def _write(frames: Iterable[Frame]) -> None:
    for frame in frames:
        sys.stdout.write(written(frame) + "\n")


class _Pulse:
    """The messages of the referee on stdin: lines with the number of a batch and the seats that have not answered it yet."""

    def __init__(self) -> None:
        self.asked = 0
        """Batches asked so far, by the record."""
        self._lines = LineBuffer()
        self._thinking: list[int] = []
        self._closed = False

    def hear(self) -> bool:
        """Take what has come. Returns whether more may come."""
        while not self._closed and select.select([sys.stdin], [], [], 0)[0]:
            data = os.read(sys.stdin.fileno(), 65536)
            self._closed = not data
            for line in self._lines.feed(data):
                self._thinking = [int(number) for number in line.split()]
        return not self._closed

    def news(self) -> list[int]:
        """The seats that have not answered the latest batch; none if that was told already."""
        if self._thinking[:1] != [self.asked]:
            return []
        seats, self._thinking = self._thinking[1:], []
        return seats


def main() -> int:
    """Run `python -m bullring.arena.watching.people.feed RECORD LINES`. Returns the exit code."""
    try:
        feed(Path(sys.argv[1]), int(sys.argv[2]))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody listens any more
        return 0
    except (RecordError, OSError) as error:
        sys.stderr.write(f"the picture of the table stops: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

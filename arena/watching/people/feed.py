"""The feed, a program of its own: it follows the record of a match and writes public frames of it, as JSON in messages.

Making frames takes longer than a fast bot's turn, so it must not happen in the process that keeps the clocks; and the record shows
all hands, so it must not be read in the process of a person. Of a match that goes on, only the last frame from before is written.
"""

import sys
from pathlib import Path

from bullring.arena.cells.processes.frames import Ear, tell
from bullring.arena.cells.processes.inside import ends
from bullring.arena.match.records.reader import follow
from bullring.arena.watching.picture.frames_json import written
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.steps import Asked
from bullring.errors import RecordError


def feed(path: Path, before: int, source: int, sink: int) -> None:
    """Write the frames of a record to `sink` until the match is over or `source` is closed."""
    reducer, pulse = Reducer(addressed=True), _Pulse(source)
    latest: list[Frame] = []
    for found in follow(path, pulse.hear):
        for entry in found:
            frames = reducer.feed(entry)
            if reducer.number <= before:
                latest = frames[-1:] or latest
                frames = latest if reducer.number == before else []
            for frame in frames:
                tell(sink, "frame", written(frame))
            pulse.asked += sum(isinstance(frame.step, Asked) for frame in frames)
        pulse.hear()
        if thinking := pulse.news():
            for frame in reducer.thinking(thinking):
                tell(sink, "frame", written(frame))


class _Pulse:
    """The messages of the referee: the number of a batch, and the seats that have not answered it yet."""

    def __init__(self, source: int) -> None:
        self.asked = 0
        """Batches asked so far, by the record."""
        self._ear = Ear(source)
        self._thinking: list[int] = []

    def hear(self) -> bool:
        """Take the messages that have come. Returns whether more may come."""
        for _, *thinking in self._ear.now():
            self._thinking = thinking
        return not self._ear.closed

    def news(self) -> list[int]:
        """The seats that have not answered the latest batch; none if that was told already."""
        if self._thinking[:1] != [self.asked]:
            return []
        seats, self._thinking = self._thinking[1:], []
        return seats


def main() -> int:
    """Run `python -m bullring.arena.watching.people.feed RECORD LINES`. Returns the exit code.

    `LINES` are the lines of the record that were there before.
    """
    try:
        feed(Path(sys.argv[1]), int(sys.argv[2]), *ends())
    except BrokenPipeError:
        return 0  # the person has left
    except (RecordError, OSError) as error:
        sys.stderr.write(f"the picture of the table stops: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

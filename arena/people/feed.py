"""The feed, a program of its own: it follows the record of a match and writes public frames of it as lines of JSON.

Making frames takes longer than a fast bot's turn, so it must not happen in the process that keeps the clocks; and the record shows
all hands, so it must not be read in the process of a person. Of a match that goes on, only the last frame from before is written.
"""

import json
import os
import select
import sys
from collections.abc import Iterable
from pathlib import Path

from bullring.arena.picture.facts import facts
from bullring.arena.picture.picture import Frame
from bullring.arena.picture.reducer import Reducer
from bullring.arena.records.reading import follow
from bullring.errors import RecordError

PROGRAM = (sys.executable, "-P", "-m", "bullring.arena.people.feed")
"""The command; it is followed by the path of the record, and the number of lines that were there before."""


def write(frames: Iterable[Frame]) -> None:
    """Write frames to stdout."""
    for frame in frames:
        sys.stdout.write(json.dumps(facts(frame), separators=(",", ":")) + "\n")


def feed(path: Path, before: int) -> None:
    """Write the frames of a record until the match is over or stdin is closed."""
    reducer = Reducer()
    latest: list[Frame] = []
    for found in follow(path, _goes_on):
        for entry in found:
            frames = reducer.feed(entry)
            if reducer.number > before:
                write(frames)
                continue
            latest = frames[-1:] or latest
            if reducer.number == before:
                write(latest)
        if found:
            sys.stdout.flush()


def _goes_on() -> bool:
    """Whether the referee still holds the other end of stdin."""
    ready, _, _ = select.select([sys.stdin], [], [], 0)
    return not ready or bool(os.read(sys.stdin.fileno(), 4096))


def main() -> int:
    """Run `python -m bullring.arena.people.feed RECORD LINES`. Returns the exit code."""
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

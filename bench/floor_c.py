"""The floor in C: compile `floor.c` and run it with the frames. Prints one line of JSON, or why there is none."""

import subprocess
import sys
import tempfile
from pathlib import Path

from bench.cost import ENOUGH, PARTS, parsed, parser
from bench.frames import typical
from bench.programs import compiled


def main() -> None:
    """Measure and print the figures."""
    given = parsed(parser(__doc__))
    floor, bot = compiled("floor"), compiled("instant")
    if floor is None or bot is None:
        sys.exit("no gcc: left out")
    turns = max(1, given.decisions // (given.matches * given.seats * PARTS))
    with tempfile.TemporaryDirectory(prefix="bullring-bench-") as folder:
        frames = Path(folder) / "frames"
        frames.write_bytes(b"".join(len(frame).to_bytes(4, sys.byteorder) + frame for frame in typical(given.seats)))
        numbers = [str(number) for number in (given.matches, given.seats, turns, PARTS, round(ENOUGH))]
        subprocess.run([str(floor), str(bot), str(frames), *numbers], check=True)


if __name__ == "__main__":
    main()

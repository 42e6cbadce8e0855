"""Makes empty files, each of which costs the kernel memory. Bound: 100000 of them, or two seconds.

They are left for whoever tidies up. If nothing stops it, the box must at least be its own: a file system that goes with it.
"""

import os
import time
from pathlib import Path

from hostile import HOME, escaped, held, name_of, play


def fill():
    made, until = 0, time.monotonic() + 2
    folder = HOME / "files"
    try:
        folder.mkdir()
        own = folder.stat().st_dev
        while made < 100_000 and time.monotonic() < until:
            os.close(os.open(folder / str(made), os.O_CREAT | os.O_WRONLY))
            made += 1
    except OSError as error:
        held(f"{made} files, then {name_of(error)}")
        return
    bound = own != Path(__file__).stat().st_dev
    (held if bound else escaped)(
        f"{made} files {'in a file system that goes with the bot' if bound else 'on the disk'}"
    )


def question(number, message):
    if number == 2:
        fill()


play(question)

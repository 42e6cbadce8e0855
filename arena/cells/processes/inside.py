"""The beginning of a child's program, with its ends of the pipes."""

import os
import threading
from typing import NamedTuple


class Ends(NamedTuple):
    """The descriptors of a child."""

    source: int
    """On which it is told."""
    sink: int
    """On which it tells."""


def ends() -> Ends:
    """Take over stdin and stdout. Anything that is printed by mistake goes to stderr, so that it is not read as a message."""
    found = Ends(os.dup(0), os.dup(1))
    os.dup2(2, 1)
    return found


def end_with_parent(source: int) -> None:
    """End this process at once when its parent does, whatever it is doing; for a child that is told nothing more."""

    def watch() -> None:
        while os.read(source, 1 << 10):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()

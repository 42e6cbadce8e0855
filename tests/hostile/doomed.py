"""A referee that is going to be killed: `python -m tests.hostile.doomed TIER FOLDER TOKEN`, in a scene that is laid out already."""

import sys
from pathlib import Path

from bullring.arena.cells.sandbox.identity import me
from tests.hostile.behaviours import BEHAVIOURS
from tests.hostile.contest import play
from tests.hostile.scene import Scene

(behaviour,) = [one for one in BEHAVIOURS if one.survives]


def main(tier: str, folder: str, token: str) -> None:
    """Tell our name, then play."""
    print(me(), flush=True)
    made = Scene(Path(folder), token)
    play(tier, made.table(behaviour), behaviour.limits, made.folder)


if __name__ == "__main__":
    main(*sys.argv[1:])

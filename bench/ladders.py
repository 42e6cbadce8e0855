"""A ladder of instant bots in a separate process: `python -m bench.ladders JOBS MATCHES` prints one JSON object.

rate: matches per second; own: CPU seconds of the ladder itself; matches: CPU seconds of its workers and their bots; growth: growth
in memory of the ladder and its workers in the second half of the run, in MiB.
"""

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import trio

from bench.programs import instant_bot
from bullring.arena.rules.registry import find
from bullring.arena.sandbox.local import tree
from bullring.arena.sandbox.wish import Wish
from bullring.ladder.keeping.home import Home
from bullring.ladder.knowing.standings import Standings
from bullring.ladder.pairing.schedule import Ladder
from bullring.ladder.running.dispatch import Plays
from bullring.ladder.running.happenings import Happening, Progress
from bullring.ladder.running.run import LadderRun, Stops

BOTS = 6
SEATS = 4


class Watch:
    """Measures the memory in the middle and near the end of the run."""

    def __init__(self, matches: int) -> None:
        self.matches = matches
        self.middle = self.end = 0
        self._pid = os.getpid()

    def happened(self, happening: Happening) -> None:
        """Raise `RuntimeError` on anything unusual, such as a fault: it would spoil the figures."""
        if happening.kind not in ("sandbox", "match", "stop"):
            raise RuntimeError(happening.text)

    def tick(self, progress: Progress) -> None:
        """Measure the memory of the ladder and its workers when it is time to."""
        if not self.middle and progress.matches >= self.matches / 2:
            self.middle = tree.resident_bytes(self._pid)
        if not self.end and progress.matches >= self.matches * 0.95:
            self.end = tree.resident_bytes(self._pid)


def main() -> None:
    """Play, measure, and print the figures."""
    jobs, matches = int(sys.argv[1]), int(sys.argv[2])
    # As many cores as workers: the bots of a single worker must not use a second core.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:jobs])
    with tempfile.TemporaryDirectory(prefix="bullring-bench-") as folder:
        home = Home.create(Path(folder) / "home", [])
        store = home.store()
        for number in range(BOTS):
            bot = home.adopt(" ".join(instant_bot()), f"instant {number}", ())
            store.add_bot(bot.name, "")
        game = find("standard")(SEATS, {"deals": 1})
        list_ = store.list_of(game.id, game.options, SEATS)
        watch = Watch(matches)
        plays = Plays(list_, "ladder", None, Ladder(SEATS, Random(1)))
        run = LadderRun(home, store, plays, Standings(store, list_), Stops(matches=matches), jobs, watch)
        began, own = time.monotonic(), time.process_time()
        trio.run(run.run, home.settings(), Wish("none", allow_unsandboxed=True, proven=False))
        seconds, own = time.monotonic() - began, time.process_time() - own
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    facts = {
        "rate": run.matches / seconds,
        "own": own,
        "matches": used.ru_utime + used.ru_stime,
        "growth": (watch.end - watch.middle) / (1 << 20),
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()

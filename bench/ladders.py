"""A ladder of instant bots in a separate process: `python -m bench.ladders JOBS` prints one JSON object.

rate: matches per second; quick: those per second without the costly bot, if there is one; own: CPU seconds of the ladder itself;
matches: CPU seconds of its workers and their bots; growth: growth in memory of the ladder and its workers in the second half of the
run, in MiB; most: the most processes below one worker at a time; ending: seconds from the last match to the end of all processes.
"""

import argparse
import json
import os
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import trio

from bench.programs import HERE, instant_bot
from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.registry import find
from bullring.ladder.pairing.informed import Informed
from bullring.ladder.run.dispatch import Plays
from bullring.ladder.run.happenings import Happening, Progress
from bullring.ladder.run.rated import Rated
from bullring.ladder.run.run import LadderRun, Stops
from bullring.ladder.store.add import add
from bullring.ladder.store.home import Home

SEATS = 4

COSTLY = "costly"
"""The name of the costly bot."""


class Watch:
    """Measures memory in the middle and near the end of the run, and counts processes and matches."""

    def __init__(self, matches: int | None, seconds: float | None, *, strict: bool) -> None:
        self.middle = self.end = self.most = self.quick = 0
        self.ended = 0.0
        """When the last match ended."""
        self._matches, self._seconds, self._strict = matches, seconds, strict
        self._pid = os.getpid()
        self._next = 0.0

    wants_matches = True

    def happened(self, happening: Happening) -> None:
        """Raise `RuntimeError` on anything unusual, such as a fault: it would spoil the figures."""
        if happening.kind == "match":
            self.ended = time.monotonic()
            self.quick += COSTLY not in happening.facts["bots"]
        elif self._strict and happening.kind not in ("sandbox", "stop"):
            raise RuntimeError(happening.text)

    def tick(self, progress: Progress) -> None:
        """Measure when it is time to."""
        share = progress.matches / self._matches if self._matches else progress.seconds / (self._seconds or 1)
        if not self.middle and share >= 0.5:
            self.middle = tree.resident_bytes(self._pid)
        if not self.end and share >= 0.95:
            self.end = tree.resident_bytes(self._pid)
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.5
            self.most = max([self.most, *(len(tree.descendants([pid])) - 1 for pid in tree.children(self._pid))])


def fill(home: Home, bots: int, costly: str | None, folder: Path) -> None:
    """Add the instant bots, and the costly one."""
    store = home.store()
    for number in range(bots):
        add(home, store, " ".join(instant_bot()), f"instant {number}")
    if costly is not None:
        restart = "match" if costly in ("hello", "farewell") else "never"
        folder.mkdir()
        command = json.dumps(["{python}", "-I", "-S", "costly_bot.py", costly])
        (folder / "bot.toml").write_text(f'name = "{COSTLY}"\nrun = {command}\nrestart = "{restart}"\n')
        (folder / "costly_bot.py").write_bytes((HERE / "costly_bot.py").read_bytes())
        add(home, store, str(folder), COSTLY)


def main() -> None:
    """Play, measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", type=int)
    parser.add_argument("--matches", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--bots", type=int, default=6)
    parser.add_argument("--costly", help="what a costly bot beside them does, as in costly_bot.py")
    given = parser.parse_args()
    # As many cores as workers: the bots of a single worker must not use a second core.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: given.jobs])
    with tempfile.TemporaryDirectory(prefix="bullring-bench-") as name:
        Path(name).chmod(0o755)  # if the referee is root, bots run as another user
        home = Home.create(Path(name) / "home", [])
        fill(home, given.bots, given.costly, Path(name) / "costly")
        store = home.store()
        game = find("standard")(SEATS, {"deals": 1})
        list_ = store.list_of(game.id, game.options, SEATS)
        watch = Watch(given.matches, given.seconds, strict=given.costly is None)
        plays = Plays(list_, "ladder", None, Informed(SEATS, np.random.default_rng(1)))
        stops = Stops(given.matches, given.seconds)
        run = LadderRun(home, store, plays, Rated(home, store, list_), stops, given.jobs, watch)
        began, own = time.monotonic(), time.process_time()
        trio.run(run.run, home.settings(), Wish("none", allow_unsandboxed=True, proven=False))
        ended, own = time.monotonic(), time.process_time() - own
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    facts = {
        "rate": run.matches / (watch.ended - began),
        "quick": watch.quick / (given.seconds or watch.ended - began),
        "own": own,
        "matches": used.ru_utime + used.ru_stime,
        "growth": (watch.end - watch.middle) / (1 << 20),
        "most": watch.most,
        "ending": ended - watch.ended,
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()

"""A ladder of copies of a bot on a cluster in a separate process: `python -m bench.clusters local:4` prints one JSON object.

With `jobs:4` four referee processes play without Dask; with `relay:2:0.05` two by Dask, and between the run and each of them a
round trip takes so many seconds. Figures are of the time between 30 and 95 % of the run. rate: matches
per second; own: milliseconds of CPU of the run itself for each match; all: of everything, referees and bots included.

`--beside jobs:4 --seconds 100` runs both at the same time, so that whatever disturbs one disturbs the other, and prints how many
times as many matches this one plays with the same CPU: where all cores are busy, that is how much faster it is.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import trio

from bench.ladders import SEATS
from bench.nodes import started
from bench.programs import instant_bot
from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.registry import find
from bullring.ladder.pairing.informed import Informed
from bullring.ladder.run.cluster.cluster import Cluster
from bullring.ladder.run.dispatch import Plays
from bullring.ladder.run.happenings import Happening, Progress
from bullring.ladder.run.rated import Rated
from bullring.ladder.run.run import LadderRun, Stops
from bullring.ladder.store.add import add
from bullring.ladder.store.home import Home

BEGIN, END = 0.3, 0.95

BOTS = 6


class Watch:
    """Notes what was used when."""

    wants_matches = False

    def __init__(self, stops: Stops) -> None:
        self._stops = stops
        self.notes: list[tuple[float, int, float, float]] = []
        """Time, matches, CPU of the run and of everything, at the beginning and at the end of what is measured."""

    def happened(self, happening: Happening) -> None:
        """Raise `RuntimeError` on anything unusual: it would spoil the figures."""
        if happening.kind not in ("sandbox", "stop", "node"):
            raise RuntimeError(happening.text)

    def tick(self, progress: Progress) -> None:
        """Note it when it is time to."""
        matches, seconds = self._stops.matches, self._stops.seconds
        share = progress.matches / matches if matches else progress.seconds / (seconds or 1.0)
        if len(self.notes) < 2 and share >= (BEGIN, END)[len(self.notes)]:
            self.note(progress)

    def note(self, progress: Progress) -> None:
        """Note it now."""
        everything = tree.usage(os.getpid())[0]
        self.notes.append((time.monotonic(), progress.matches, time.process_time(), everything))

    @property
    def _differences(self) -> list[float]:
        before, after = self.notes
        return [b - a for a, b in zip(before, after, strict=True)]

    @property
    def rate(self) -> float:
        """Matches per second."""
        seconds, matches, _, _ = self._differences
        return matches / seconds

    @property
    def own(self) -> float:
        """Milliseconds of CPU of the run itself, for each match."""
        _, matches, own, _ = self._differences
        return 1000 * own / matches

    @property
    def all(self) -> float:
        """Milliseconds of CPU of everything, for each match."""
        _, matches, _, everything = self._differences
        return 1000 * everything / matches


def _compared(place: str, beside: str, bot: str, seconds: float) -> dict[str, Any]:
    """The figures of both, and the ratio."""
    commands = [(sys.executable, "-m", "bench.clusters", each, "--bot", bot) for each in (place, beside)]
    running = [
        subprocess.Popen((*command, "--seconds", f"{seconds}"), stdout=subprocess.PIPE, text=True)
        for command in commands
    ]
    own, other = [json.loads(each.communicate()[0]) for each in running]
    return {place: own, beside: other, "ratio": other["all"] / own["all"]}


def main() -> None:
    """Play, measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("place")
    parser.add_argument("--matches", type=int, default=4000)
    parser.add_argument("--seconds", type=float, help="play for so long, however many matches")
    parser.add_argument("--beside", help="another place, with which to compare")
    parser.add_argument(
        "--bot", default=" ".join(instant_bot()), help="whose copies play; default: one that answers at once"
    )
    given = parser.parse_args()
    if given.beside:
        print(json.dumps(_compared(given.place, given.beside, given.bot, given.seconds or 100.0)))
        return
    kind, number, *delay = given.place.split(":")
    with ExitStack() as stack:
        name = stack.enter_context(tempfile.TemporaryDirectory(prefix="bullring-bench-"))
        cluster = None if kind == "jobs" else Cluster(given.place, mix=100.0)
        if kind == "relay":
            cluster = Cluster(stack.enter_context(started("scheduler")), mix=100.0)
            stack.enter_context(started("real", cluster.address, number, *delay))
        Path(name).chmod(0o755)  # if the referee is root, bots run as another user
        home = Home.create(Path(name) / "home", [])
        store = home.store()
        for bot in range(BOTS):
            add(home, store, given.bot, f"bot {bot}")
        game = find("standard")(SEATS, {"deals": 1})
        list_ = store.list_of(game.id, game.options, SEATS)
        stops = Stops(None, given.seconds) if given.seconds else Stops(given.matches)
        watch = Watch(stops)
        plays = Plays(list_, "ladder", None, Informed(SEATS, np.random.default_rng(1)))
        rated = Rated(home, store, list_)
        run = LadderRun(home, store, plays, rated, stops, int(number) if cluster is None else 1, watch, cluster)
        trio.run(run.run, home.settings(), Wish("none", allow_unsandboxed=True, proven=False))
    facts = {"rate": watch.rate, "own": watch.own, "all": watch.all}
    print(json.dumps(facts))


if __name__ == "__main__":
    main()

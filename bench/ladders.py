"""A ladder of instant bots in a separate process: `python -m bench.ladders PLACE` prints one JSON object.

PLACE is jobs:4 for four referee processes, local:4 for four workers by Dask, or relay:4:0.05 for four nodes of a cluster, whose
records are checked and whose round trips take this many seconds.

rate: matches per second; quick: those per second without the costly bot, if there is one; own: CPU seconds of the ladder itself;
matches: CPU seconds of its workers and their bots; growth: growth in memory of the ladder and its workers in the second half of the
run, in MiB; most: the most processes below one worker at a time; ending: seconds from the last match to the end of all processes.
From 30 to 95 % of the run: steady: matches per second; own_ms and all_ms: milliseconds of CPU for each match, of the run itself
and of everything, referees and bots included; referees_ms: of the referee processes.

`--beside jobs:4 --seconds 100` runs both at the same time, so that whatever disturbs one disturbs the other, and prints how many
times as many matches this one plays with the same CPU: where all cores are busy, that is how much faster it is.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import trio

from bench.programs import HERE, instant_bot
from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.registry import find
from bullring.ladder.pairing.informed import Informed
from bullring.ladder.run.cluster.cluster import Cluster
from bullring.ladder.run.dispatch import Plays
from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.run.progress import Happening, Progress
from bullring.ladder.run.run import LadderRun, Stops
from bullring.ladder.store.add import add
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store

SEATS = 4
BEGIN, END = 0.3, 0.95
WISH = Wish("none", allow_unsandboxed=True, proven=False)
"""The sandbox of runs whose sandbox is not what is measured."""

COSTLY = "costly"
"""The name of the costly bot."""


class Watch:
    """Notes the time and CPU that matches took in the steady part of a run."""

    wants_matches = False

    def __init__(self, stops: Stops) -> None:
        self._stops = stops
        self.notes: list[tuple[float, int, float, float, float]] = []
        """Time, matches, CPU of the run, of everything and of its children alone, when the steady part begins and ends."""

    def happened(self, happening: Happening) -> None:
        """Raise `RuntimeError` on anything unusual, such as a fault: it would spoil the figures."""
        if happening.kind not in ("sandbox", "stop", "node", "match"):
            raise RuntimeError(happening.text)

    def share(self, progress: Progress) -> float:
        """The share of the run that is over."""
        matches, seconds = self._stops.matches, self._stops.seconds
        return progress.matches / matches if matches else progress.seconds / (seconds or 1.0)

    def tick(self, progress: Progress) -> None:
        """Note the beginning and the end of the steady part."""
        if len(self.notes) < 2 and self.share(progress) >= (BEGIN, END)[len(self.notes)]:
            self.note(progress)

    def note(self, progress: Progress) -> None:
        """Note the present."""
        pid = os.getpid()
        children = sum(_alone(child) for child in tree.children(pid))
        everything = tree.usage(pid)[0]
        self.notes.append((time.monotonic(), progress.matches, time.process_time(), everything, children))

    def facts(self) -> dict[str, float]:
        """The figures of the steady part."""
        before, after = self.notes
        seconds, matches, *used = (b - a for a, b in zip(before, after, strict=True))
        return {"steady": matches / seconds} | {
            f"{who}_ms": 1000 * cpu / matches for who, cpu in zip(("own", "all", "referees"), used, strict=True)
        }


class CrowdWatch(Watch):
    """Also measures memory in the middle and near the end of the run, and counts processes and matches."""

    wants_matches = True

    def __init__(self, stops: Stops, *, strict: bool) -> None:
        super().__init__(stops)
        self.middle = self.end = self.most = self.quick = 0
        self.ended = 0.0
        """The time at which the last match ended."""
        self._strict = strict
        self._pid = os.getpid()
        self._next = 0.0

    def happened(self, happening: Happening) -> None:
        if happening.kind == "match":
            self.ended = time.monotonic()
            self.quick += COSTLY not in happening.facts["bots"]
        elif self._strict:
            super().happened(happening)

    def tick(self, progress: Progress) -> None:
        super().tick(progress)
        share = self.share(progress)
        if not self.middle and share >= 0.5:
            self.middle = tree.resident_bytes(self._pid)
        if not self.end and share >= END:
            self.end = tree.resident_bytes(self._pid)
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.5
            self.most = max([self.most, *(len(tree.descendants([pid])) - 1 for pid in tree.children(self._pid))])


def _alone(pid: int) -> float:
    """The seconds of processor time of a process without its children; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def new_home(
    folder: Path, bots: int, bot: str, costly: str | None = None, names: Sequence[str] = ()
) -> tuple[Home, Store, ListRow]:
    """A home with copies of a bot, or of several (with commas between), and a costly one; its store, its list of deals of four.

    The copies have these `names`, or numbers.
    """
    folder.chmod(0o755)  # if the referee is root, bots run as another user
    home = Home.create(folder / "home", [])
    store = home.store()
    kinds = bot.split(",")
    for number in range(bots):
        add(home, store, kinds[number % len(kinds)], names[number] if names else f"bot {number}")
    if costly is not None:
        restart = "match" if costly in ("hello", "farewell") else "never"
        own = folder / COSTLY
        own.mkdir()
        command = json.dumps(["{python}", "-I", "-S", "costly_bot.py", costly])
        (own / "bot.toml").write_text(f'name = "{COSTLY}"\nrun = {command}\nrestart = "{restart}"\n')
        (own / "costly_bot.py").write_bytes((HERE / "costly_bot.py").read_bytes())
        add(home, store, str(own), COSTLY)
    game = find("standard")(SEATS, {"deals": 1})
    return home, store, store.list_of(game.id, game.options, SEATS)


def _cluster(place: str, stack: ExitStack) -> Cluster | None:
    """The cluster of a place; None for processes of this machine without Dask."""
    kind, number, *delay = place.split(":")
    if kind == "jobs":
        return None
    if kind == "local":
        return Cluster(place, mix=100.0)
    from bench.nodes import started

    cluster = Cluster(stack.enter_context(started("bench.nodes", "scheduler")), mix=100.0)
    stack.enter_context(started("bench.nodes", cluster.address, number, *(delay or ["0"])))
    return cluster


def _compared(place: str, beside: str, bot: str, seconds: float) -> dict[str, Any]:
    """The figures of both, and the ratio."""
    commands = [(sys.executable, "-m", "bench.ladders", each, "--bot", bot) for each in (place, beside)]
    running = [
        subprocess.Popen((*command, "--seconds", f"{seconds}"), stdout=subprocess.PIPE, text=True)
        for command in commands
    ]
    own, other = [json.loads(each.communicate()[0]) for each in running]
    return {place: own, beside: other, "ratio": other["all_ms"] / own["all_ms"]}


def main() -> None:
    """Play, measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("place")
    parser.add_argument("--matches", type=int)
    parser.add_argument("--seconds", type=float, help="play for this time instead of 4000 matches")
    parser.add_argument("--bots", type=int, default=6)
    parser.add_argument("--bot", default=" ".join(instant_bot()), help="default: one that answers at once")
    parser.add_argument("--tier", choices=TIERS, default=WISH.tier)
    parser.add_argument("--costly", help="what a costly bot beside them does, as in costly_bot.py")
    parser.add_argument("--pin", action="store_true", help="keep everything on as many cores as PLACE has workers")
    parser.add_argument("--beside", help="another place, with which to compare")
    given = parser.parse_args()
    if given.beside:
        print(json.dumps(_compared(given.place, given.beside, given.bot, given.seconds or 100.0)))
        return
    jobs = int(given.place.split(":")[1])
    if given.pin:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:jobs])
    with ExitStack() as stack:
        name = stack.enter_context(tempfile.TemporaryDirectory(prefix="bullring-bench-"))
        cluster = _cluster(given.place, stack)
        home, store, list_ = new_home(Path(name), given.bots, given.bot, given.costly)
        stops = Stops(given.matches or (None if given.seconds else 4000), given.seconds)
        watch = CrowdWatch(stops, strict=given.costly is None)
        plays = Plays(list_, "ladder", None, Informed(SEATS, np.random.default_rng(1)))
        run = LadderRun(
            home, store, plays, Rated(home, store, list_), stops, jobs if cluster is None else 1, watch, cluster
        )
        began, own = time.monotonic(), time.process_time()
        trio.run(run.run, home.settings(), replace(WISH, tier=given.tier))
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
    print(json.dumps(facts | watch.facts()))


if __name__ == "__main__":
    main()

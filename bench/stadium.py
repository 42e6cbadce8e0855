"""What a server costs the ladder beside it: `python -m bench.stadium` runs a ladder of quick bots with and without viewers.

All is processor time, which other work on the machine changes little: of each process of the server a second, the share of the
machine that this is, which is what a ladder loses that keeps all cores busy, and matches for each second of the ladder's own. The
viewers look at the front. The site is written anew as often as its share allows, so in a short run it may be once too often.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from rich.console import Console

from bench.figures import Facts, Target, alone, interleaved, table
from bench.programs import HERE
from bullring.arena.cells.sandbox.local import tree
from bullring.ladder.store.add import add
from bullring.ladder.store.home import Home

BOTS = ("random", "greedy", "beginner", "casual")
MOST = 2.0
"""Percent of the machine."""

PARTS = ("feed", "server", "maker", "steward", "others")
_PARTS = {"web.feed": "feed", "web.server": "server", "web.maker": "maker", "web.tables": "steward"}


def _times(root: int) -> dict[str, float]:
    """Seconds of processor time by process of a server, with those that each has started and outlived."""
    found: dict[str, float] = defaultdict(float)
    for pid in (root, *tree.children(root)):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode()
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        name = next((part for word, part in _PARTS.items() if word in words), "others")
        found[name] += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return found


@contextmanager
def _served(home: Home, seconds: float, viewers: int) -> Iterator[tuple[int, str]]:
    """A server with its viewers. Inside, they are all there: its process id, and its address."""
    words = [sys.executable, "-m", "bullring", "serve", str(home.path), "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server, ExitStack() as stack:
        stack.callback(server.terminate)
        assert server.stdout is not None
        found = re.search(r":(\d+);", server.stdout.readline())
        assert found is not None
        if viewers:
            asked = [sys.executable, "-m", "bench.watching", found[1], str(3 * seconds), str(viewers), "/events"]
            watching = stack.enter_context(subprocess.Popen(asked, stdout=subprocess.PIPE, text=True, cwd=HERE.parent))
            stack.callback(watching.kill)
            assert watching.stdout is not None
            watching.stdout.readline()
        yield server.pid, found[1]


def measured(seconds: float, viewers: int | None) -> Facts:
    """A ladder for so many seconds, beside a server with so many viewers; None: alone."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Home.create(Path(folder) / "home", ("10s", "start=30s"))
        with closing(home.store()) as store:
            for bot in BOTS:
                add(home, store, f"@{bot}")
        words = [sys.executable, "-m", "bullring", "ladder", "run", "--home", str(home.path), "--seats", "4"]
        words += ["--for", f"{seconds}s", "--sandbox", "none", "--allow-unsandboxed", "--json"]
        server = None if viewers is None else stack.enter_context(_served(home, seconds, viewers))[0]
        before = _times(server) if server else {}
        began = time.monotonic()
        ladder = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(ladder.pid, 0)
        ladder.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - began
        after = _times(server) if server else {}
        with closing(home.store(read_only=True)) as store:
            matches = store.count()
    spent = {name: 1000 * (after[name] - before.get(name, 0.0)) / wall for name in after}
    share = sum(spent.values()) / 10 / len(os.sched_getaffinity(0))
    return {
        **dict.fromkeys(PARTS, 0.0),
        **spent,
        "share": share,
        "matches": matches / wall,
        "worth": matches / (used.ru_utime + used.ru_stime),
    }


def section(console: Console, rounds: int, seconds: float) -> list[Target]:
    """Measure, and print. Returns the figures beside their targets."""
    cases = {"alone": None, "nobody": 0, "one": 1, "a thousand": 1000}
    found = interleaved({name: partial(measured, seconds, viewers) for name, viewers in cases.items()}, rounds)
    title = f"{rounds} runs of {seconds:g} s, load {os.getloadavg()[0]:.0f}: ms of processor time a second"
    shown = table(title, "viewers", *PARTS, "% of the machine", "matches a second", "matches a s of the ladder's time")
    targets = []
    for name, facts in found.items():
        spent = [statistics.median(one[part] for one in facts) for part in PARTS]
        share, matches, worth = (statistics.median(one[key] for one in facts) for key in ("share", "matches", "worth"))
        shown.add_row(name, *(f"{ms:.1f}" for ms in spent), f"{share:.2f}", f"{matches:.0f}", f"{worth:.1f}")
        if cases[name] is not None:
            targets.append(Target(f"a server with {name} looking: share of the machine", share, MOST, "%"))
    console.print(shown)
    return targets


if __name__ == "__main__":
    alone(section, __doc__, rounds=1, seconds=20.0)

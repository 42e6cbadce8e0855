"""The beginning and the end of runs: how long a ladder takes to its first match, and how long it outlasts `--for`.

A home of quick and of thinking bots, like that of `make demo`, that have played before: builds are made, and who is slow is known.
With `--old CHECKOUT`, each round also runs that source tree, so that the two can be compared pair by pair.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench.figures import interleaved, ratios, spread, table, wide_console
from bench.programs import HERE

BOTS = ("@greedy", "@random", "@beginner", "@greedy-js", "@montecarlo", "@bayes")
TIME = "150ms"
BULLRING = (sys.executable, "-P", "-m", "bullring")


class Run(NamedTuple):
    """A run, in seconds."""

    first: float
    """From the command to its first result."""
    over: float
    """From when the time is up to the end of the command."""


def _environment(checkout: Path) -> dict[str, str]:
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**env, "PYTHONPATH": f"{checkout.resolve()}/src"}


def new_home(home: Path) -> None:
    """Make a home at this path, whose bots have played."""
    home.parent.chmod(0o755)  # if the referee is root, bots run as another user
    lines = (
        ("init", str(home), "--time", TIME),
        ("add", *BOTS, "--home", str(home)),
        ("run", "--for", "10s", "--home", str(home), "--json"),
    )
    for words in lines:
        subprocess.run(
            [*BULLRING, "ladder", *words], check=True, stdout=subprocess.DEVNULL, env=_environment(HERE.parent)
        )


def run(home: Path, seconds: float, checkout: Path, *more: str) -> Run:
    """Run the ladder for these seconds."""
    words = ("ladder", "run", "--for", f"{seconds:g}s", "--home", str(home), "--json", *more)
    began = time.monotonic()
    first = up = 0.0
    with subprocess.Popen([*BULLRING, *words], stdout=subprocess.PIPE, text=True, env=_environment(checkout)) as child:
        assert child.stdout is not None
        for line in child.stdout:
            kind = json.loads(line)["type"]
            now = time.monotonic()
            if kind == "match":
                first = first or now - began
            elif kind == "stop":
                up = now
    if child.returncode or not first or not up:
        raise RuntimeError("the run failed")
    return Run(first, time.monotonic() - up)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--cluster", default="", help="local:N")
    parser.add_argument("--old", type=Path, metavar="CHECKOUT")
    given = parser.parse_args()
    more = ("--cluster", given.cluster) if given.cluster else ()
    checkouts = {"this": HERE.parent, **({} if given.old is None else {"old": given.old})}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        new_home(home)
        cases = {name: partial(run, home, given.seconds, checkout, *more) for name, checkout in checkouts.items()}
        runs = interleaved(cases, given.rounds)
    shown = table(
        f"Runs of {given.seconds:g} s{' on ' if more else ''}{given.cluster}: median (min-max) of {given.rounds} rounds",
        *("source tree", "to the first result, s", "over its time, s"),
    )
    for name, each in runs.items():
        shown.add_row(name, *(spread(list(times), 2) for times in zip(*each, strict=True)))
    if given.old is not None:
        pairs = [ratios(*([figure[at] for figure in runs[name]] for name in ("this", "old"))) for at in (0, 1)]
        shown.add_row("this v old", *(spread(each, 2) for each in pairs))
    wide_console().print(shown)


if __name__ == "__main__":
    main()

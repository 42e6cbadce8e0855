"""The cost of short commands: their processor time, nearly all of it imports, beside that of Python itself.

Modules are compiled before the first round, as they are where a package was installed, whatever the environment says.
"""

import os
import resource
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

from rich.console import Console

from bench.figures import Target, alone, interleaved, ratios, spread, table
from bench.programs import instant_bot

FLOOR = "python -c pass"
CLICK = "python -c 'import click'"
MATCH = "bullring match, two instant bots"
HELP = ("bullring --help", "bullring match --help", "bullring ladder run --help")
MOST = {**dict.fromkeys(HELP, 120.0), "bullring games": 150.0, MATCH: 300.0}
"""Targets in milliseconds, on the machine where they were set."""
COMPILING = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
"""An environment in which Python keeps the modules that it compiles."""


def cases(folder: Path) -> dict[str, list[str]]:
    """The command lines. A match is recorded in `folder`, for those that read a record."""
    python = [sys.executable, "-P"]
    bullring = [*python, "-m", "bullring"]
    bots = [" ".join(instant_bot())] * 2
    record = str(folder / "match.jsonl")
    subprocess.run([*bullring, "match", *bots, "--record", record], check=True, capture_output=True)
    return {
        FLOOR: [*python, "-c", "pass"],
        CLICK: [*python, "-c", "import click"],
        "bullring --help": [*bullring, "--help"],
        "bullring --version": [*bullring, "--version"],
        "bullring games": [*bullring, "games"],
        "bullring bots --builtin": [*bullring, "bots", "--builtin"],
        "bullring match --help": [*bullring, "match", "--help"],
        "bullring ladder run --help": [*bullring, "ladder", "run", "--help"],
        MATCH: [*bullring, "match", *bots],
        "bullring verify": [*bullring, "verify", record],
        "bullring replay": [*bullring, "replay", record],
        "imports of a referee process": [*python, "-c", "import bullring.ladder.run.workers.worker"],
    }


def spent(line: list[str]) -> float:
    """Milliseconds of processor time, user and system, of a command and of all processes that it waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(line, check=True, capture_output=True, env=COMPILING)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3


def section(console: Console, rounds: int) -> list[Target]:
    """Measure and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        lines = cases(Path(folder))
        for line in lines.values():
            spent(line)
        times = interleaved({name: partial(spent, line) for name, line in lines.items()}, rounds)
    shown = table(
        f"Processor time of commands: median (min-max) of {rounds} rounds", "command", "ms", "v python", "v click"
    )
    for name, each in times.items():
        shown.add_row(
            name, spread(each, 0), spread(ratios(each, times[FLOOR]), 1), spread(ratios(each, times[CLICK]), 1)
        )
    console.print(shown)
    return [Target(name, median(times[name]), most, "ms") for name, most in MOST.items()]


if __name__ == "__main__":
    alone(section, __doc__, rounds=15)

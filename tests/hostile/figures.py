"""`python -m tests.hostile.figures`: what a busy machine does to starts and to honest bots, and what freezing leaves of a bot.

Each figure is measured for some seconds, as the user who runs it. With `--json`, counts are added to those in the file: short runs
add up.
"""

import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.program import PYTHON, Program
from bullring.arena.settings.limits import Limits
from tests.everyone.load import spinners
from tests.hostile.behaviours import BEHAVIOURS
from tests.hostile.contest import play
from tests.hostile.scene import scene
from tests.support.command import bullring

START_LOAD, MATCH_LOAD = 40, 8
"""The load of the machine beside starts: spinners are added to what there is. The number of spinners beside matches."""

SIDE_BY_SIDE = 4
"""So many starts or matches at a time, which adds to the load."""

LIMITS = Limits.seconds(start=60.0, card=0.1, row=0.1, other=0.1)

BURNER = """
import json, sys, time
print('{"type": "hello", "protocol": 1, "name": "burner"}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        until = time.process_time() + 0.06
        while time.process_time() < until:
            pass
        print(json.dumps({"type": "choice", "id": message["id"], "option": message["options"][0]}), flush=True)
    elif message["type"] == "bye":
        break
"""
"""A bot that computes for 60 of 100 ms."""


def _starts(end: float) -> Counter[str]:
    found: Counter[str] = Counter()
    while time.monotonic() < end:
        done = bullring("match", "@greedy", "@random", "--deals", "1")
        found.update(tried=1, refused=int(done.returncode != 0))
        if done.returncode:
            click.echo(done.stderr, err=True)
    return found


def starts(seconds: float) -> Counter[str]:
    """Matches that were asked for on a busy machine, and those that were refused."""
    with spinners(max(START_LOAD - int(os.getloadavg()[0]), 0), seconds * 4):
        return _side_by_side(_starts, seconds)


def _matches(end: float) -> Counter[str]:
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        program = Path(folder, "burner")
        program.mkdir()
        (program / "bot.py").write_text(BURNER)
        bots = [Bot(f"burner {seat}", Program((PYTHON, "-S", "-E", "-B", "bot.py"), program)) for seat in range(2)]
        while time.monotonic() < end:
            (report,) = play("bwrap", bots, LIMITS, Path(folder))
            found.update(matches=1, faults=len(report.faults), voids=int(report.void is not None))
            for false in (*report.faults, report.void):
                if false is not None:
                    click.echo(false, err=True)
    return found


def honest(seconds: float) -> Counter[str]:
    """Matches of bots that use 60 % of their limit on a busy machine, with faults and voids, which all are false."""
    with spinners(MATCH_LOAD, seconds * 4):
        return _side_by_side(_matches, seconds)


def _side_by_side(course: Callable[[float], Counter[str]], seconds: float) -> Counter[str]:
    """The sum of what several processes count until then."""
    with ProcessPoolExecutor(SIDE_BY_SIDE, multiprocessing.get_context("spawn")) as pool:
        found: Counter[str] = Counter()
        for one in pool.map(course, [time.monotonic() + seconds] * SIDE_BY_SIDE):
            found.update(one)  # a sum would lack what was never counted
        return found


def frozen(seconds: float) -> Counter[str]:
    """Processor that a bot took of its rivals' time, frozen and free, in milliseconds: behaviour 35. Needs an idle one."""
    found: Counter[str] = Counter()
    behaviour = next(one for one in BEHAVIOURS if one.number == 35)
    end = time.monotonic() + seconds
    while not found or time.monotonic() < end:
        for name, freeze in (("frozen", True), ("free", False)):
            with scene("bwrap", behaviour, "") as (made, _):
                (report,) = play("bwrap", made.table(behaviour), behaviour.limits, made.folder, freeze=freeze)
            words = next(line for line in report.logs[1].splitlines() if "of processor in" in line).split()
            found[f"{name}_used_ms"] += int(words[1])
            found[f"{name}_ms"] += int(words[words.index("in") + 1])
    return found


FIGURES: dict[str, Callable[[float], Counter[str]]] = {"starts": starts, "honest": honest, "frozen": frozen}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(FIGURES)))
@click.option("--seconds", default=60.0, help="Measure each figure for this time.")
@click.option(
    "--json", "file", type=click.Path(path_type=Path), help="Add the counts to this file: docgen/figures.json."
)
def main(names: tuple[str, ...], seconds: float, file: Path | None) -> None:
    """Exits with 1 if an honest bot or a start came to harm."""
    before = json.loads(file.read_text("utf-8")) if file is not None and file.exists() else {}
    user = "root" if os.geteuid() == 0 else "an ordinary user"
    bad = 0
    for name in names or FIGURES:
        found = FIGURES[name](seconds)
        bad += found["refused"] + found["faults"] + found["voids"]
        click.echo(f"{name}, as {user}: {json.dumps(found)}")
        told = before.setdefault(user, {})
        told[name] = {key: told.get(name, {}).get(key, 0) + count for key, count in found.items()}
    if file is not None:
        file.write_text(json.dumps(before, indent=1) + "\n", "utf-8")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

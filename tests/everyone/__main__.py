"""`python -m tests.everyone`: the suites beside spinners, and as root, first as an ordinary user in a clone of the last commit.

An ordinary user plays them on an idle machine, too; for root, `make test-all` does that. It is a share of the tests, another one
with each commit.
"""

import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import click

from bullring.arena.cells.sandbox.cores import cores
from tests.everyone.load import spinners
from tests.everyone.person import ROOT, person

SUITES = ("hostile", "arena/match/seats", "arena/cells", "ladder/run", "cli")

SPINNERS = 4
"""For each core. `make everyone` plays beside so many programs that do nothing but take time."""

SHARES = 32
"""Into so many the tests are divided: beside spinners each takes about five times as long as on an idle machine."""


@click.command()
@click.option(
    "--share", metavar="K/N", help=f"Play this share of the tests; 0/1 is all. Default: commits mod {SHARES}."
)
def main(share: str | None) -> None:
    """Exits with 1 if anything fails."""
    share = share or f"{_commits() % SHARES}/{SHARES}"
    failed = []
    if os.geteuid() == 0:
        with person() as somebody:
            if somebody.run("make", "everyone", f"SHARE={share}"):
                failed.append(f"as the ordinary user {somebody.name}")
        failed += _play(share, beside=SPINNERS)
    else:
        failed += [*_play(share, beside=0), *_play(share, beside=SPINNERS)]
    for each in failed:
        click.echo(f"FAILED: {each}", err=True)
    sys.exit(bool(failed))


def _commits() -> int:
    counted = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    return int(counted.stdout)


def _play(share: str, beside: int) -> list[str]:
    """Play a share of the tests, and the demo. Returns what failed."""
    who = "as root" if os.geteuid() == 0 else "as an ordinary user"
    where = f"{who}, beside {beside} spinners a core" if beside else f"{who}, on an idle machine"
    suites = [str(Path("tests", suite)) for suite in SUITES]
    workers = str(len(cores()) + 1)
    tests = (sys.executable, "-m", "pytest", "-n", workers, "-m", "", "-p", "tests.everyone.share", "--share", share)
    failed = []
    with spinners(beside * len(cores())) if beside else nullcontext():
        for what, command in ((f"share {share} of the tests", (*tests, *suites)), ("the demo", ("make", "demo"))):
            click.secho(f"{what} {where}", bold=True)
            if subprocess.run(command, cwd=ROOT, check=False).returncode:
                failed.append(f"{what} {where}")
    return failed


main()

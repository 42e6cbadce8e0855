"""The cost of the sandbox tiers, each beside the same program without one: starting, asking, freezing, killing, proving."""

import argparse
from collections.abc import Sequence
from functools import cache

import trio
from rich.console import Console

from bench.figures import Facts, Target, fresh, table, wide_console
from bullring.arena.cells.sandbox.choice import opening
from bullring.arena.cells.sandbox.proof import prove
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import HostError

WANTED_TRIP = 1.3
"""Largest ratio of a round trip in bubblewrap to one through a raw pipe. Other tiers are slower by nature, or faster."""

FIGURES = {
    "start_c": ("start to first byte, C bot, ms", 2),
    "start_next": ("the same right after another, ms", 2),
    "start_python": ("start to first byte, Python bot, ms", 1),
    "trip": ("round trip, us", 1),
    "freeze": ("freeze, us", 0),
    "thaw": ("thaw, us", 0),
    "thawed_trip": ("thaw and round trip, us", 0),
    "kill": ("kill of 33 processes until none is left, ms", 2),
    "proof": ("the quick proof, ms", 0),
}
"""The title of each figure and its digits after the point."""


@cache
def missing(tier: str) -> str:
    """The reason why this machine lacks a tier or cannot prove it; empty if it can."""
    return trio.run(_missing, tier)


async def _missing(tier: str) -> str:
    async with opening() as opener:
        try:
            sandbox = await opener.open(TIERS[tier], Wish(tier))
        except HostError as error:
            return str(error)
        return (await prove(sandbox)).text()


def section(console: Console, only: Sequence[str] = tuple(TIERS)) -> list[Target]:
    """Measure each tier and print the table."""
    shown = table(
        "Tiers of the sandbox, each beside the same program without a sandbox (raw)",
        *("tier", "what", "median", "p99", "raw", "raw, p99", "v raw"),
    )
    shown.columns[1].justify = "left"
    targets, skipped = [], []
    for tier in only:
        if reason := missing(tier):
            skipped.append(f"{tier}: left out: {reason}")
            continue
        facts = fresh("tier", tier)
        for row in _rows(tier, facts):
            shown.add_row(*row)
        shown.add_section()
        if tier == "bwrap":
            targets.append(Target("round trip in bubblewrap v a raw pipe", facts["trip_ratio"], WANTED_TRIP))
    if shown.row_count:
        console.print(shown)
    for line in skipped:
        console.print(line, markup=False, highlight=False)
    return targets


def _rows(tier: str, facts: Facts) -> list[list[str]]:
    rows = []
    for name, (title, digits) in FIGURES.items():
        if name not in facts:
            rows.append([tier, title, "not here", *[""] * 4])
            continue
        figures = [facts.get(key) for key in (name, f"{name}_p99", f"raw_{name}", f"raw_{name}_p99")]
        ratio = facts.get(f"{name}_ratio", facts[name] / facts.get(f"raw_{name}", facts[name]))
        rows.append(
            [
                tier,
                title,
                *("-" if figure is None else f"{figure:,.{digits}f}" for figure in figures),
                f"{ratio:.2f}" if f"raw_{name}" in facts else "-",
            ]
        )
    return rows


def main() -> None:
    """Measure and print only this table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tiers", nargs="*", choices=list(TIERS), help="only these")
    section(wide_console(), parser.parse_args().tiers or tuple(TIERS))


if __name__ == "__main__":
    main()

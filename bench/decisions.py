"""The cost of a decision: the whole referee, a mock and the bare pattern beside the floors, with 1, 8 and 32 matches of 4 seats.

With `--old FOLDER`, a checkout of an older commit, also matches of one deal beside those there, run by this interpreter.
"""

import argparse
from functools import partial
from pathlib import Path
from statistics import median

from rich.console import Console

from bench.figures import Facts, Target, fresh, interleaved, ratios, show_targets, spread, table, wide_console

SIZES = {1: 60_000, 8: 100_000, 32: 100_000}
"""Number of decisions measured, by the number of simultaneous matches."""
NAMES = {
    "floor_python": "Python epoll loop",
    "floor_trio": "the pattern, bare",
    "mock": "a mock referee",
    "referee": "the whole referee",
}
ONE_DEAL = 20_000
"""Decisions of the matches of one deal."""
REFEREE_SHARE = 0.6
"""Share of the decisions that the referee gets, because it takes longer."""


def section(console: Console, rounds: int) -> list[Target]:
    """Measure all sizes and print the table."""
    shown = table(
        f"Microseconds per decision, 4 seats, instant bots: median (min-max) of {rounds} rounds",
        *("matches", "program", "referee's CPU", "wall clock", "CPU v Python epoll"),
    )
    targets: list[Target] = []
    whole: dict[int, list[float]] = {}
    for matches, decisions in SIZES.items():
        found = interleaved({name: partial(_run, name, matches, decisions) for name in NAMES}, rounds)
        cpu = {name: [facts["cpu_us"] for facts in runs] for name, runs in found.items()}
        for name in NAMES:
            shown.add_row(
                f"{matches}, on one core" if matches == 1 else str(matches),
                NAMES[name],
                spread(cpu[name], 1),
                spread([facts["wall_us"] for facts in found[name]], 1),
                spread(ratios(cpu[name], cpu["floor_python"])),
            )
        shown.add_section()
        whole[matches] = cpu["referee"]
        if matches > 1:
            targets += _targets(cpu, matches)
    console.print(shown)
    grown = median(whole[32]) / median(whole[8])
    return [*targets, Target("the whole referee, 32 matches v 8", grown, 1.1)]


def one_deal(console: Console, rounds: int, old: Path | None) -> list[Target]:
    """Measure matches of one deal, whose fixed costs count most, here and in the checkout of an older commit."""
    run = partial(fresh, "referee", "--matches", 8, "--deals", 1, "--decisions", ONE_DEAL)
    cases = {"this checkout": run, **({str(old): partial(run, checkout=old)} if old else {})}
    found = interleaved(cases, rounds)
    cpu = {name: [facts["cpu_us"] for facts in runs] for name, runs in found.items()}
    title = (
        f"Microseconds per decision in matches of one deal, 8 at a time, 4 seats: median (min-max) of {rounds} rounds"
    )
    shown = table(title, "referee of", "CPU")
    for name, figures in cpu.items():
        shown.add_row(name, spread(figures, 1))
    console.print(shown)
    here, *there = cpu.values()
    return [Target("matches of one deal v an older commit", median(ratios(here, there[0])), 0.7)] if there else []


def _run(name: str, matches: int, decisions: int) -> Facts:
    share = REFEREE_SHARE if name == "referee" else 1.0
    # With a single match, the choice of core would dominate the figure, so keep everything on one.
    pin = ["--pin"] if matches == 1 else []
    return fresh(name, "--matches", matches, "--decisions", round(decisions * share), *pin)


def _targets(cpu: dict[str, list[float]], matches: int) -> list[Target]:
    def ratio(above: str, below: str) -> float:
        return median(ratios(cpu[above], cpu[below]))

    at = f", {matches} matches"
    found = [Target(f"the whole referee v a mock referee{at}", ratio("referee", "mock"), 1.3)]
    if matches == 8:
        found += [
            Target(f"the whole referee v a Python epoll loop{at}", ratio("referee", "floor_python"), 3.5),
            Target(f"the bare pattern v a Python epoll loop{at}", ratio("floor_trio", "floor_python"), 1.3),
        ]
    return found


def main() -> None:
    """Measure and print only this table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--old", type=Path, help="a checkout of an older commit, for matches of one deal")
    given, console = parser.parse_args(), wide_console()
    targets = [] if given.old else section(console, given.rounds)
    show_targets(console, [*targets, *one_deal(console, given.rounds, given.old)])


if __name__ == "__main__":
    main()

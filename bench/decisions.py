"""The cost of a decision: the whole referee and its bare pattern beside the floors, with 1, 8 and 32 matches of 4 seats."""

import argparse
from functools import partial
from statistics import median

from rich.console import Console

from bench.figures import Facts, Target, fresh, interleaved, ratios, spread, table, wide_console
from bench.programs import compiled

SIZES = {1: 60_000, 8: 100_000, 32: 100_000}
"""Number of decisions measured, by the number of simultaneous matches."""
NAMES = {
    "floor_c": "C epoll loop",
    "floor_python": "Python epoll loop",
    "floor_trio": "the pattern, bare",
    "referee": "the whole referee",
}
REFEREE_SHARE = 0.6
"""Share of the decisions that the referee gets, because it takes longer."""


def section(console: Console, rounds: int) -> list[Target]:
    """Measure all sizes and print the table."""
    modules = [name for name in NAMES if name != "floor_c" or compiled("floor")]
    shown = table(
        f"Microseconds per decision, 4 seats, instant bots: median (min-max) of {rounds} rounds",
        *("matches", "program", "referee's CPU", "wall clock", "CPU v Python epoll", "CPU v C epoll"),
    )
    targets: list[Target] = []
    for matches, decisions in SIZES.items():
        found = interleaved({name: partial(_run, name, matches, decisions) for name in modules}, rounds)
        cpu = {name: [facts["cpu_us"] for facts in runs] for name, runs in found.items()}
        for name in modules:
            shown.add_row(
                f"{matches}, on one core" if matches == 1 else str(matches),
                NAMES[name],
                spread(cpu[name], 1),
                spread([facts["wall_us"] for facts in found[name]], 1),
                spread(ratios(cpu[name], cpu["floor_python"])),
                spread(ratios(cpu[name], cpu["floor_c"])) if "floor_c" in cpu else "no gcc: left out",
            )
        shown.add_section()
        if matches == 8:
            targets = _targets(cpu)
    console.print(shown)
    return targets


def _run(name: str, matches: int, decisions: int) -> Facts:
    share = REFEREE_SHARE if name == "referee" else 1.0
    # With a single match, the choice of core would dominate the figure, so keep everything on one.
    pin = ["--pin"] if matches == 1 else []
    return fresh(name, "--matches", matches, "--decisions", round(decisions * share), *pin)


def _targets(cpu: dict[str, list[float]]) -> list[Target]:
    def ratio(above: str, below: str) -> float:
        return median(ratios(cpu[above], cpu[below]))

    found = [
        Target("the whole referee v a Python epoll loop, 8 matches", ratio("referee", "floor_python"), 2.5),
        Target("the bare pattern v a Python epoll loop, 8 matches", ratio("floor_trio", "floor_python"), 1.3),
    ]
    if "floor_c" in cpu:
        found.append(Target("the bare pattern v a C epoll loop, 8 matches", ratio("floor_trio", "floor_c"), 2.0))
    return found


def main() -> None:
    """Measure and print only this table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    section(wide_console(), parser.parse_args().rounds)


if __name__ == "__main__":
    main()

"""Comparing figures: measure cases alternately, compare them pair by pair, show them beside their targets."""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.table import Table

from bench.programs import HERE

TIMEOUT = 300.0
"""Most seconds for one measurement."""

WIDTH = 132

T = TypeVar("T")
Facts = dict[str, float]


@dataclass(frozen=True)
class Target:
    """A figure, such as a ratio, and its target."""

    what: str
    figure: float
    wanted: float
    unit: str = "x"
    at_least: bool = False
    """Whether `wanted` is a minimum; otherwise it is a maximum."""

    @property
    def reached(self) -> bool:
        """Whether the figure reaches the target."""
        return self.figure >= self.wanted if self.at_least else self.figure <= self.wanted

    def cells(self) -> tuple[str, str, str, str]:
        """The cells of its row in the table of targets."""
        mark = "[green]OK[/]" if self.reached else "[red]not reached[/]"
        sign = ">=" if self.at_least else "<="
        return self.what, f"{self.figure:.4g} {self.unit}", f"{sign} {self.wanted:g} {self.unit}", mark


def fresh(module: str, *arguments: object, checkout: Path = HERE.parent) -> Facts:
    """Run a module of this package in a new process. Returns the JSON in its last line of output.

    It is that of this `checkout`, with its own packages.
    """
    command = [sys.executable, "-m", f"bench.{module}", *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": f"{checkout.resolve()}/src"}
    done = subprocess.run(
        command, cwd=checkout, env=env, stdout=subprocess.PIPE, timeout=TIMEOUT, check=True, text=True
    )
    facts: Facts = json.loads(done.stdout.splitlines()[-1])
    return facts


def interleaved(cases: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """The results of each case. The cases alternate, every other round in reverse order, so that no drift favours one."""
    results: dict[str, list[T]] = {name: [] for name in cases}
    for number in range(rounds):
        for name in list(cases)[:: -1 if number % 2 else 1]:
            results[name].append(cases[name]())
    return results


def ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """The ratio of each pair."""
    return [a / b for a, b in zip(above, below, strict=True)]


def p99(values: Sequence[float]) -> float:
    """The 99th percentile."""
    return sorted(values)[-(-99 * len(values) // 100) - 1]


def lateness(late_us: Sequence[float]) -> Facts:
    """The number of hung bots noticed, how many of them too early, and median, 99th percentile and worst in microseconds."""
    if not late_us:
        raise RuntimeError("no hung bot was noticed at all")
    return {
        "noticed": len(late_us),
        "early": sum(us < 0 for us in late_us),
        "median_us": statistics.median(late_us),
        "p99_us": p99(late_us),
        "worst_us": max(late_us),
    }


def spread(values: Sequence[float], digits: int = 2) -> str:
    """The median, with minimum and maximum in parentheses."""
    low, middle, high = (f"{value:.{digits}f}" for value in (min(values), statistics.median(values), max(values)))
    return f"{middle} ({low}-{high})"


def wide_console() -> Console:
    """A console at least as wide as the tables, even if the output goes to a file."""
    console = Console()
    console.width = max(console.width, WIDTH)
    return console


def alone(section: Callable[..., Sequence[Target] | None], what: str | None, **defaults: float | str) -> None:
    """Measure one section by itself; its arguments are options with these defaults."""
    parser = argparse.ArgumentParser(description=what)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    console = wide_console()
    show_targets(console, section(console, **vars(parser.parse_args())) or ())


def show_targets(console: Console, targets: Sequence[Target]) -> None:
    """Print figures beside their targets, if there are any."""
    shown = table("Targets", "what", "figure", "wanted", "")
    for target in targets:
        shown.add_row(*target.cells())
    if targets:
        console.print(shown)


def table(title: str, *columns: str) -> Table:
    """An empty table; the first column is text, the others are numbers."""
    made = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        made.add_column(column, justify="right" if number else "left")
    return made

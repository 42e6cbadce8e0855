"""The processor time of an analysis: a deal of four random players in each game; of tournament and online, a match."""

import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

import bullring
from bench.figures import Target, alone, table
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.simulator import COMPILED

SEATS = 4
WANTED = 5.0
"""Seconds."""


def seconds(game: str, path: Path) -> tuple[float, int, float]:
    """The processor time of an analysis, its decisions, and the largest error of what a choice cost."""
    chance = Random(game)

    def player(message: dict[str, Any]) -> Any:
        return chance.choice(message["options"])

    deals = {"deals": 1} if any(option.name == "deals" for option in GAMES[game].option_specs) else {}
    bullring.play(*[player] * SEATS, game=game, options=deals, seed="one", record=path)
    record = bullring.read(path)
    began = time.process_time()
    analysis = record.analyse()
    return time.process_time() - began, len(analysis.choices), max(choice.cost_error for choice in analysis.choices)


def section(console: Console, rounds: int) -> list[Target]:
    """Measure each game `rounds` times, after the kernels are compiled, and print the table with the least times."""
    if not COMPILED:
        console.print("no numba: the analysis is left out; pip install 'bullring[fast]'", markup=False)
        return []
    shown = table(
        f"Analysis: seconds of processor time, {SEATS} seats, the least of {rounds}",
        *("game", "seconds", "decisions", "error of a cost, at most, heads"),
    )
    slowest = 0.0
    with TemporaryDirectory() as folder:
        for game in GAMES:
            seconds(game, Path(folder) / f"{game}.jsonl")  # compiled, or read from the cache
            least = min(seconds(game, Path(folder) / f"{game}-{number}.jsonl") for number in range(rounds))
            slowest = max(slowest, least[0])
            shown.add_row(game, f"{least[0]:.1f}", str(least[1]), f"{least[2]:.2f}")
    console.print(shown)
    return [Target("analysis of the slowest game", slowest, WANTED, "s")]


if __name__ == "__main__":
    alone(section, __doc__, rounds=2)

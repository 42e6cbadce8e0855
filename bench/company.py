"""How often `bullring ladder company` marks pairs of honest bots, how large honest effects are, and which help it finds.

Three parts: `honest` plays homes of drawn characters (`characters.py`, on the simulator); `help` draws matches by strengths, in
which one bot is stronger beside another one; `colluders` plays two pairs that collude (`conspiring.py`).
"""

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bench import characters, conspiring
from bench.figures import table, wide_console
from bullring.ladder.rating.company import Company, company
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO
from bullring.ladder.rating.style import Unusual, unusual
from bullring.ladder.rating.tally import tally

HOMES = ((5, 4, 10_000), (6, 4, 10_000), (8, 4, 5_000), (12, 4, 20_000), (12, 3, 20_000), (14, 10, 20_000))
"""Bots, seats and matches."""

Heads = NDArray[np.int64]


def tables(rng: np.random.Generator, bots: int, seats: int, matches: int) -> Heads:
    """(G, n): random line-ups."""
    return np.argsort(rng.random((matches, bots)), axis=1)[:, :seats].astype(np.int64)


def judged(bots: int, lineups: Heads, values: NDArray[Any]) -> tuple[Company, Unusual]:
    """The verdict on matches of these heads, or of any values of which less is better."""
    ranks = 1 + (values[:, None, :] < values[:, :, None]).sum(axis=-1)
    heads = np.rint(values).astype(np.int64)
    found = company(tally(Results.stacked(bots, lineups, ranks[:, None, :], heads[:, None, :])))
    return found, unusual(found, lineups.shape[1])


def honest(console: Console, homes: int) -> None:
    """Homes of honest bots: by strength alone, and of drawn characters."""
    shown = table(
        f"Honest homes, {homes} of each kind",
        *("bots", "seats", "matches", "luck", "homes with a mark", "largest effect", "largest beyond style", "spread"),
    )
    rng = np.random.default_rng(1)
    for bots, seats, matches in HOMES:
        for kind in ("strengths", "characters"):
            marks, largest, beyond, spreads = 0, 0.0, 0.0, []
            for _ in range(homes):
                lineups = tables(rng, bots, seats, matches)
                values: NDArray[Any]
                if kind == "characters":
                    values = characters.play(characters.drawn(rng, bots), lineups, int(rng.integers(1 << 40)))
                else:
                    values = of_strengths(rng, np.zeros((bots, bots)), lineups)
                found, verdict = judged(bots, lineups, values)
                marks += bool(verdict.marked.any())
                largest = max(largest, float(np.nanmax(np.abs(found.points))))
                beyond = max(beyond, float(np.nanmax(np.abs(verdict.beyond))))
                spreads.append(verdict.spread)
            shown.add_row(
                *(str(bots), str(seats), f"{matches:,}", kind, f"{marks / homes:.1%}"),
                *(f"{largest:.3f}", f"{beyond:.3f}", f"{np.median(spreads):.4f}"),
            )
    console.print(shown)


def of_strengths(rng: np.random.Generator, help_: NDArray[np.float64], lineups: Heads) -> NDArray[np.float64]:
    """Values of Plackett-Luce, with strengths of -150 to 150 Elo, and help_[i, j] more for j beside i."""
    own = np.linspace(-150, 150, len(help_))[lineups] + help_[lineups[:, :, None], lineups[:, None, :]].sum(axis=1)
    return np.asarray(12 - 4 * (own / ELO - np.log(rng.exponential(size=lineups.shape))))


def help_found(console: Console, homes: int) -> None:
    """Homes in which one bot is so much stronger beside another one, by strengths alone otherwise."""
    shown = table(
        f"One of 12 bots at 4 seats is helped by another, {homes} homes each: share of homes that mark it", "Elo"
    )
    sizes = (5_000, 20_000, 100_000)
    for size in sizes:
        shown.add_column(f"{size:,} matches ({size // 11:,} of the two)", justify="right")
    rng = np.random.default_rng(2)
    for elo in (25.0, 50.0, 75.0, 100.0, 150.0):
        help_ = np.zeros((12, 12))
        help_[3, 8] = elo
        cells = []
        for size in sizes:
            some = max(2, homes * 5_000 // size)
            marks = 0
            for _ in range(some):
                lineups = tables(rng, 12, 4, size)
                marks += bool(judged(12, lineups, of_strengths(rng, help_, lineups))[1].marked[3, 8])
            cells.append(f"{marks / some:.0%}")
        shown.add_row(f"{elo:g}", *cells)
    console.print(shown)


PAIRS: dict[str, tuple[list[list[float]], tuple[int, int], bool]] = {
    "king": ([[1, 0, 0], [0.3, 1, -0.3]], (conspiring.NOTHING, conspiring.TOLD), False),
    "whispers": ([[1, 0, 0], [1, 0, 0]], (conspiring.HEARS, conspiring.HEARS), True),
}
"""Sample colluders: what the two aim at, what they know, and whether they announce their cards."""


def colluders(console: Console, homes: int) -> None:
    """Homes of twelve bots at four seats, of which two collude: what it gains them, and how often it is found."""
    shown = table(
        f"Sample colluders among 10 characters, {homes} homes each",
        *(
            "pair",
            "matches",
            "points of the first",
            "heads",
            "first marked",
            "second marked",
            "homes with another mark",
        ),
    )
    for name, (aims, knows, speaks) in PAIRS.items():
        for matches in (2_000, 5_000):
            rng = np.random.default_rng(7)
            plot = conspiring.nobody(12)
            plot.mates[:2], plot.aims[:2], plot.knows[:2], plot.speaks[:2] = (1, 0), aims, knows, speaks
            gains, marked, others = [], np.zeros(2), 0
            for _ in range(homes):
                lineups = tables(rng, 12, 4, matches)
                values = conspiring.play(characters.drawn(rng, 12), plot, lineups, int(rng.integers(1 << 40)))
                found, verdict = judged(12, lineups, values)
                gains.append((found.points[1, 0], found.heads[1, 0]))
                marks = verdict.marked.copy()
                marked += marks[1, 0], marks[0, 1]
                marks[1, 0] = marks[0, 1] = False
                others += bool(marks.any())
            points, heads = np.mean(gains, axis=0)
            first, second = marked / homes
            shown.add_row(
                *(name, f"{matches:,}", f"{points:+.3f}", f"{heads:+.2f}"),
                *(f"{first:.0%}", f"{second:.0%}", f"{others / homes:.0%}"),
            )
    console.print(shown)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*", default=["honest", "help", "colluders"])
    parser.add_argument("--homes", type=int, default=100)
    given = parser.parse_args()
    console = wide_console()
    for part in given.part:
        match part:
            case "honest":
                honest(console, given.homes)
            case "help":
                help_found(console, given.homes)
            case "colluders":
                colluders(console, given.homes)
            case other:
                parser.error(f"the parts are honest, help and colluders, not {other}")


if __name__ == "__main__":
    main()

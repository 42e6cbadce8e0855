"""Alarms of `bullring ladder company` in simulated lists: how often honest bots raise one, and how often rings are found."""

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bench.figures import table
from bullring.ladder.rating.company import company
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.rings import Ring, judged
from bullring.ladder.rating.scales import ELO, Floats
from bullring.ladder.rating.tally import tally

BOTS, SEATS, MATCHES = 12, 4, 20_000

HELP = 100.0
"""Elo, by each helper at the table."""

HONEST: tuple[tuple[float, ...], ...] = (
    (),
    (40.0,),
    (20.0, 20.0),
    (27.0, 27.0),
    (37.0, 15.0),
    (23.0, 23.0, 23.0),
    (36.0, 11.0, 11.0),
)
"""Elo of each axis of style."""

RINGS = {
    "one helper": Ring((3,), (8,)),
    "two help each other": Ring((3, 8), (3, 8)),
    "ring of three": Ring((3, 5, 8), (3, 5, 8)),
    "ring of four": Ring((1, 3, 5, 8), (1, 3, 5, 8)),
    "two for a king": Ring((5, 8), (3,)),
    "three for a king": Ring((1, 5, 8), (3,)),
    "four for a king": Ring((1, 5, 8, 10), (3,)),
}

STYLES: tuple[tuple[float, ...], ...] = ((), (28.0,), (20.0, 20.0))
"""Beside rings."""


def drawn(random: np.random.Generator, sizes: tuple[float, ...], *, two_values: bool) -> Floats:
    """(K, K): Elo that the company of the first bot gives the second by style: factors of two values, or normal ones."""
    total = np.zeros((BOTS, BOTS))
    for size in sizes:
        u, v = random.choice([-1.0, 1.0], (2, BOTS)) if two_values else random.normal(size=(2, BOTS))
        total += size * np.outer(u, v)
    return total


def played(random: np.random.Generator, given: Floats) -> Results:
    """Matches at random tables by Plackett and Luce, of bots from -150 to 150 Elo that gain this from each other's company."""
    lineups: NDArray[np.int64] = np.argsort(random.random((MATCHES, BOTS)), axis=1)[:, :SEATS]
    elo = np.linspace(-150, 150, BOTS)[lineups] + given[lineups[:, :, None], lineups[:, None, :]].sum(axis=1)
    value = elo / ELO - np.log(random.exponential(size=lineups.shape))
    ranks = 1 + (value[:, None, :] > value[:, :, None]).sum(axis=-1)
    heads = np.rint(np.clip(12 - 4 * value, 0, None)).astype(np.int64)
    return Results.stacked(BOTS, lineups, ranks[:, None, :], heads[:, None, :])


def alarms(seed: int, sizes: tuple[float, ...], ring: Ring | None = None) -> list[Ring]:
    """The rings that a list confirms; by its seed, style has factors of two values or normal ones."""
    random = np.random.default_rng([seed, 25])
    given = drawn(random, sizes, two_values=seed % 2 == 0)
    if ring is not None:
        given = given + HELP * ring.marks(BOTS)
    tallied = tally(played(random, given))
    early = random.random(MATCHES) < 0.5
    verdict = judged(company(tallied), (company(tallied.chosen(early)), company(tallied.chosen(~early))), SEATS)
    return [one.ring for one in verdict.suspicions if one.confirmed]


def section(console: Console, lists: int = 15) -> None:
    """Print the shares of lists that raise an alarm, and of those in which exactly the ring is found."""
    titles = ("Elo of the axes of style", "list", "alarm", "the ring, and nothing else")
    shown = table(
        f"Alarms of company, {lists} lists of {BOTS} bots, {SEATS} seats, {MATCHES:,} matches"
        f" ({max(1, lists // 5)} with rings, of {HELP:.0f} Elo), %: honest ones promised at most 5",
        *titles,
    )

    def share(hits: list[bool]) -> str:
        mean = (sum(hits) + 1) / (len(hits) + 2)  # by Laplace, as a share of 0 or 1 would have no error
        return f"{100 * np.mean(hits):.0f} ± {100 * (mean * (1 - mean) / len(hits)) ** 0.5:.0f}"

    every = []
    for sizes in HONEST:
        raised = [bool(alarms(seed, sizes)) for seed in range(lists)]
        every += raised
        shown.add_row(_named(sizes), "honest", share(raised), "")
    shown.add_row("all of these", "honest", share(every), "")
    for sizes in STYLES:
        for name, ring in RINGS.items():
            found = [alarms(seed, sizes, ring) for seed in range(max(1, lists // 5))]
            shown.add_row(
                _named(sizes), name, share([bool(one) for one in found]), share([one == [ring] for one in found])
            )
    console.print(shown)


def _named(sizes: tuple[float, ...]) -> str:
    return ", ".join(f"{size:.0f}" for size in sizes) or "none"

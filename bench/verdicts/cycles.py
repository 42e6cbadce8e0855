"""Cycles in simulated lists: how often one is seen where there is none, and where there is one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.console import Console

from bench.figures import table
from bullring.ladder.rating.cycles import cycles
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO, Floats
from bullring.ladder.rating.tally import tally


@dataclass(frozen=True)
class Field:
    """Lists of one kind, whose tables are drawn at random."""

    title: str
    strengths: Floats
    """(K,), in Elo."""
    seats: int
    groups: int
    more: Floats | None = None
    """(K, K): by how much more the first beats the second than strengths say, in Elo, where they sit at one table."""

    def seen(self, random: np.random.Generator) -> bool:
        """Play a list of one deal each, which is Plackett-Luce but for what is `more`, and look for a cycle."""
        bots, ones = len(self.strengths), np.ones(self.groups, dtype=np.int64)
        tables = np.argsort(random.random((self.groups, bots)), axis=1)[:, : self.seats]
        value = self.strengths[tables] / ELO + random.gumbel(size=tables.shape)
        if self.more is not None:
            value += self.more[tables[:, :, None], tables[:, None, :]].sum(axis=-1) / (2 * ELO)
        ranks = 1 + (value[:, None, :] > value[:, :, None]).sum(axis=-1)
        results = Results(bots, tables, ones, ranks, ranks, ones)
        return cycles(tally(results).sums, np.arange(bots), 1)[1] > 0


def matrix(blocks: Sequence[tuple[slice, slice]], elo: float, bots: int = 12) -> Floats:
    """(K, K): the bots of each first slice beat those of the second one by so much."""
    found = np.zeros((bots, bots))
    for one, other in blocks:
        found[one, other] += elo
        found[other, one] -= elo
    return found


EQUAL = np.zeros(12)
NORMAL = 150 * np.array([-1.7, -1.1, -0.8, -0.55, -0.3, -0.1, 0.1, 0.3, 0.55, 0.8, 1.1, 1.7])
RINGED = np.concatenate([np.zeros(3), NORMAL[[0, 1, 2, 3, 4, 7, 8, 9, 10]]])

FOUR = (slice(0, 4), slice(4, 8)), (slice(4, 8), slice(8, 12))
"""The first four beat the next four, and these the last four, who draw with the first: any of these results may be wrong."""

RING = (slice(0, 1), slice(1, 2)), (slice(1, 2), slice(2, 3)), (slice(2, 3), slice(0, 1))
"""The first three beat each other in a circle. Where all of them sit at one table, it is not to be seen."""

FIELDS = (
    Field("no cycle: 12 equal", EQUAL, 4, 2000),
    Field("no cycle: 12 gaussian, 150 Elo", NORMAL, 4, 2000),
    Field("no cycle: 30 equal", np.zeros(30), 6, 3000),
    Field("no cycle: 4 beat 4 by 300, these beat 4, who draw with the first", EQUAL, 2, 12_000, matrix(FOUR, 300.0)),
    Field("the same by 60", EQUAL, 2, 12_000, matrix(FOUR, 60.0)),
    *(Field("a cycle of 60 among 12 equal", EQUAL, 4, groups, matrix(RING, 60.0)) for groups in (4000, 8000, 16_000)),
    Field("a cycle of 60 among 12 gaussian, 150 Elo", RINGED, 4, 8000, matrix(RING, 60.0)),
)


def section(console: Console, lists: int = 300) -> None:
    """Print in how many lists a cycle is seen."""
    shown = table(
        f"Lists in which a cycle is seen, %, {lists} lists each (promised without a cycle: at most 5)",
        *("bots", "seats", "groups", "seen"),
    )
    for number, field in enumerate(FIELDS):
        random = np.random.default_rng([25, number])
        seen = np.mean([field.seen(random) for _ in range(lists)])
        error = (seen * (1 - seen) / lists) ** 0.5
        shown.add_row(field.title, str(field.seats), str(field.groups), f"{100 * seen:.1f} ± {100 * error:.1f}")
    console.print(shown)

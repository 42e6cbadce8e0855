"""Results of bots whose strengths are known, in duplicate groups whose matches are related."""

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO

Array = NDArray[np.float64]


def tables(rng: np.random.Generator, bots: int, seats: int, groups: int) -> NDArray[np.int64]:
    """(G, n): different bots at each table, all equally likely."""
    return np.argsort(rng.random((groups, bots)), axis=1)[:, :seats].astype(np.int64)


def rotation(
    rng: np.random.Generator,
    elo: Array,
    lineups: NDArray[np.int64],
    *,
    matches: int | None = None,
    hand: float = 0.3,
    deal: float = 0.3,
) -> Results:
    """Groups of rotated hands, scored so that each match by itself is Plackett-Luce exactly, with strengths in Elo.

    The luck of a bot in a match is Gumbel's. With probability `hand` it is that of its hand in this group, which goes round and
    makes bots' results cancel; with probability `deal` that of this bot in this deal, which it keeps and which makes them add up.
    """
    groups, seats = lineups.shape
    size = seats if matches is None else matches
    shape = (groups, size, seats)
    luck = -np.log(rng.exponential(size=shape))
    of_hand = -np.log(rng.exponential(size=(groups, seats)))
    of_deal = -np.log(rng.exponential(size=(groups, 1, seats)))
    turned = (np.arange(seats)[None, :] + np.arange(size)[:, None]) % seats
    kind = rng.random(shape)
    luck = np.where(kind < hand, of_hand[:, turned], np.where(kind < hand + deal, of_deal, luck))
    value = luck + elo[lineups][:, None, :] / ELO
    ranks = 1 + (value[..., None, :] > value[..., :, None]).sum(axis=-1)
    heads = np.rint(np.clip(12 - 4 * value, 0, None)).astype(np.int64)
    return Results.stacked(len(elo), lineups, ranks, heads)


def tied(results: Results) -> Results:
    """The same, but neighbours in rank share one: half of all results of two become ties."""
    return Results(results.bots, results.lineups, results.sizes, (results.ranks + 1) // 2, results.heads, results.deals)


def duel(counts: list[int]) -> Results:
    """Groups of two bots with 2m + 1 cells: so many groups with no point of the first against the second, half a point, ..."""
    size = len(counts) // 2
    points = np.repeat(np.arange(len(counts)), counts)[:, None] - 2 * np.arange(size)[None, :]
    won = np.clip(points, 0, 2)  # 0, 1 or 2 half points in each match
    ranks = np.stack([np.where(won == 0, 2, 1), np.where(won == 2, 2, 1)], axis=-1)
    lineups = np.broadcast_to([0, 1], (len(ranks), 2))
    return Results.stacked(2, lineups, ranks, ranks * 5)


def by_hand(bots: int, groups: list[tuple[list[int], list[list[int]]]]) -> Results:
    """From line-ups and the heads of each match; the fewer, the better."""
    heads = np.array([match for _, matches in groups for match in matches])
    ranks = 1 + (heads[:, None, :] < heads[:, :, None]).sum(axis=-1)
    sizes = np.array([len(matches) for _, matches in groups])
    return Results(
        bots, np.array([lineup for lineup, _ in groups]), sizes, ranks, heads, np.ones(len(heads), dtype=int)
    )


def relabelled(results: Results, names: NDArray[np.int64]) -> Results:
    """The same with bot i called names[i]."""
    return Results(results.bots, names[results.lineups], results.sizes, results.ranks, results.heads, results.deals)


def reseated(rng: np.random.Generator, results: Results) -> Results:
    """The same with the places of every line-up in another order."""
    order = np.argsort(rng.random(results.lineups.shape), axis=1)
    of_match = np.repeat(order, results.sizes, axis=0)
    return Results(
        results.bots,
        np.take_along_axis(results.lineups, order, axis=1),
        results.sizes,
        np.take_along_axis(results.ranks, of_match, axis=1),
        np.take_along_axis(results.heads, of_match, axis=1),
        results.deals,
    )


def ragged(rng: np.random.Generator, results: Results) -> Results:
    """The same, but each group without some of its last matches, and with one to ten deals in each match."""
    sizes = rng.integers(1, results.sizes + 1)
    place = np.arange(len(results.deals)) - np.repeat(results.starts[:-1], results.sizes)
    kept = place < np.repeat(sizes, results.sizes)
    deals = rng.integers(1, 11, int(kept.sum()))
    heads = results.heads[kept] * deals[:, None]
    return Results(results.bots, results.lineups, sizes, results.ranks[kept], heads, deals)

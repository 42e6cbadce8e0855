"""Full Plackett-Luce beside the ratings of a ladder, which count results of pairs."""

from itertools import combinations

import numpy as np
from rich.console import Console

from bench.figures import table
from bench.schedules import mean, played
from bullring.arena.games import simulator
from bullring.ladder.rating.estimate import chances_of, estimate
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO, Floats, Ints
from bullring.ladder.rating.tally import tally

DEALS = 6000
"""Deals of each line-up of policies."""


def luce(orders: Ints, bots: int) -> Floats:
    """(K,): the strengths in Elo that make orders (G, n), best first, likeliest, by the MM algorithm of Hunter (2004)."""
    strengths, chosen = np.ones(bots), np.bincount(orders[:, :-1].ravel(), minlength=bots)
    change = np.inf
    while change > 1e-8:
        left = strengths[orders][:, ::-1].cumsum(axis=1)[:, :0:-1]
        each = (1 / left).cumsum(axis=1)
        new = chosen / np.bincount(orders.ravel(), np.column_stack([each, each[:, -1]]).ravel(), bots)
        new /= np.exp(np.log(new).mean())
        change, strengths = np.abs(np.log(new / strengths)).max(), new
    return np.asarray(ELO * np.log(strengths))


def both(random: np.random.Generator, results: Results) -> tuple[Floats, Floats]:
    """(K,) twice: strengths in Elo about their mean, as a ladder rates them, and by Plackett-Luce, ties broken by chance."""
    keys = results.ranks + random.random(results.ranks.shape) / 2
    orders = np.take_along_axis(results.lineups, keys.argsort(axis=1), axis=1)
    ours = ELO * estimate(tally(results)).strengths
    return ours - ours.mean(), luce(orders, results.bots)


def policies(seats: int) -> Results:
    """Deals of the policies of the simulator at tables of every composition."""
    lineups = list(combinations(range(len(simulator.POLICIES)), seats))
    heads = np.concatenate(
        [
            simulator.play("standard", seats, {}, [simulator.POLICIES[at] for at in lineup], DEALS, seed)
            for seed, lineup in enumerate(lineups)
        ]
    )
    ranks = 1 + (heads[:, None, :] < heads[:, :, None]).sum(axis=-1)
    ones = np.ones(len(heads), dtype=np.int64)
    return Results(len(simulator.POLICIES), np.repeat(lineups, DEALS, axis=0), ones, ranks, heads, ones)


def section(console: Console, lists: int = 100) -> None:
    """Print the errors of both, where luck is as Plackett and Luce assume, and in deals."""
    shown = table(
        f"Full Plackett-Luce (PL) beside the ratings of a ladder: error of ratings in Elo in {lists} lists of 12 bots and 1000"
        " matches with its own luck; error of the shares expected of pairs of policies in deals, %, and the part of chance in it",
        *("seats", "lists: ladder", "PL / ladder", "deals: ladder", "PL", "chance"),
    )
    truth = np.linspace(-150.0, 150.0, 12)
    for seats in (3, 4, 5):
        errors = []
        for seed in range(lists):
            random = np.random.default_rng([seed, seats])
            lineups = random.random((1000, len(truth))).argsort(axis=1)[:, :seats]
            errors.append([root(found - truth) for found in both(random, played(random, truth, list(lineups)))])
        ladder, luced = np.array(errors).T
        dealt = policies(seats)
        matches, balance = (one[np.triu_indices(dealt.bots, 1)] for one in tally(dealt).met())
        shares = [
            chances_of(found / ELO)[np.triu_indices(dealt.bots, 1)] - 0.5 - 0.5 * balance / matches
            for found in both(np.random.default_rng(seats), dealt)
        ]
        off = [*map(root, shares), root(0.5 / np.sqrt(matches))]
        cells = [mean(list(ladder), 1), mean(list(luced / ladder), 3), *(f"{100 * one:.2f}" for one in off)]
        shown.add_row(str(seats), *cells)
    console.print(shown)


def root(errors: Floats) -> float:
    """The root of their mean square."""
    return float((errors**2).mean() ** 0.5)

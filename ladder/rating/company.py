"""What the presence of one bot does to the results of another: figures that make collusion at tables of three and more visible.

A bot plays against its rivals; somebody else sits at the table. If it does better against the same rivals whenever that one bot
is there, the two may help each other. In a match, let S be the score of a bot B against a rival C: 1, 1/2 or 0. It is modelled as

    S = p(B, C) + sum of g(A, B) over all others A at the table + luck.

p(B, C) is a free number for each pair, so nothing that a bot does by itself, its strength or the rivals that its style suits, is
taken for company: B against C is compared only with B against C, beside others. g(A, B) is the effect of the company of A on B.
Only differences between companions can be seen, so it is told relative to the average of B's other companions. What A does to
everybody alike, as a strong or a reckless bot does, helps B as much as C and cancels. The second response, in place of S, is the
difference in heads per deal, C's minus B's.

Estimated by least squares for each B, with p taken out within pairs (Frisch, Waugh, Lovell); errors are those of the cluster-robust
sandwich with groups as clusters (Liang and Zeger, 1986), because the results of a table depend on each other.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.scales import Floats
from bullring.ladder.rating.tally import Tally

LEAST = 50
"""Groups that two bots must have in common before anything is said about them."""


@dataclass(frozen=True, eq=False)
class Company:
    """All arrays are (K, K): the effect of the first bot's company on the second one's results; nan where nothing can be said."""

    groups: NDArray[np.int64]
    """Groups in which both played."""
    matches: NDArray[np.int64]
    points: Floats
    """Points per match and rival, at most 1, that the second gains in the company of the first."""
    points_errors: Floats
    """Their standard errors."""
    heads: Floats
    """Heads per deal that a rival takes more, or the second bot takes less."""
    heads_errors: Floats


def company(tallied: Tally) -> Company:
    """Estimate the effect of each bot's company on each other one."""
    bots, seats = tallied.bots, tallied.seats
    groups, matches = np.zeros((2, bots, bots), dtype=np.int64)
    found = np.full((4, bots, bots), np.nan)
    order = np.argsort(tallied.lineups, axis=None, kind="stable")
    ends = np.cumsum(np.bincount(tallied.lineups.ravel(), minlength=bots))
    for bot in range(bots):
        place, group = np.divmod(order[ends[bot - 1] if bot else 0 : ends[bot]], max(1, tallied.groups))
        rivals, results = _against(tallied, place, group)
        groups[:, bot] = np.bincount(rivals.ravel(), minlength=bots)
        sizes = np.broadcast_to(tallied.sizes[group], rivals.shape)
        matches[:, bot] = np.bincount(rivals.ravel(), sizes.ravel(), bots)
        known = np.flatnonzero(groups[:, bot] >= LEAST)
        if seats > 2 and len(known) > 1:
            found[:, known, bot] = _effects(rivals, results, known, bots)
    points, points_errors, heads, heads_errors = found
    return Company(groups, matches, points, points_errors, heads, heads_errors)


def telling(tallied: Tally, beside: int, bot: int, count: int, *, worst: bool = False) -> NDArray[np.int64]:
    """The groups in which the bot was furthest ahead of third parties (or behind: `worst`) beside the other one, in heads per deal.

    At most `count`, the most telling one first. The bots are numbers.
    """
    place, group = np.nonzero((tallied.lineups == bot) & (tallied.lineups == beside).any(axis=0))
    rivals, results = _against(tallied, place, group)
    margins = np.where(rivals == beside, 0.0, results[1]).sum(axis=0)
    return np.asarray(group[np.argsort(margins if worst else -margins, kind="stable")[:count]])


def _against(tallied: Tally, place: NDArray[np.int64], group: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats]:
    """For a bot that sat at these places of these groups: its rivals (n-1, g), and its results against them (2, n-1, g)."""
    seats = tallied.seats
    number, sign = np.zeros((2, seats, seats), dtype=np.int64)
    for index, (a, b) in enumerate(tallied.places):
        number[a, b] = number[b, a] = index
        sign[a, b], sign[b, a] = 1, -1
    rivals = np.zeros((seats - 1, len(group)), dtype=np.int64)
    results = np.zeros((2, *rivals.shape))
    for step in range(1, seats):
        other = (place + step) % seats
        rivals[step - 1] = tallied.lineups[other, group]
        won = sign[place, other] * tallied.balance[number[place, other], group]
        results[0, step - 1] = won / (2 * tallied.sizes[group])
        results[1, step - 1] = (tallied.heads[other, group] - tallied.heads[place, group]) / tallied.deals[group]
    return rivals, results


def _effects(rivals: NDArray[np.int64], results: Floats, known: NDArray[np.int64], bots: int) -> Floats:
    """(4, known): for both results the effects of these companions, and the errors.

    A row of the regression is a group and a rival; its regressors count who else is at the table. The bots that are hardly known
    count as one more companion, so that the regressors of a row always add up to n-2, and only differences are estimated.
    """
    others, count = rivals.shape
    columns = len(known) + 1
    column_of = np.full(bots, len(known))
    column_of[known] = np.arange(len(known))
    columns_at = column_of[rivals]
    met = np.maximum(np.bincount(rivals.ravel(), minlength=bots), 1)
    # (K, columns): how often each companion was there when this rival was met; and each two companions together.
    beside = np.zeros((bots, columns))
    together = np.zeros((columns, columns))
    for j in range(others):
        for k in range(others):
            if j != k:
                beside += _counted(rivals[j], columns_at[k], (bots, columns))
            together += _counted(columns_at[j], columns_at[k], (columns, columns))
    usual = beside / met[:, None]
    there = np.bincount(columns_at.ravel(), minlength=columns).astype(np.float64)
    information = (others - 2) * together + np.diag(there) - beside.T @ usual
    inverse = np.linalg.pinv(information, rcond=1e-9, hermitian=True)

    shares = there / there.sum()
    contrasts = (np.eye(columns) - shares) / (1 - shares)[:, None]  # each companion against the average of the others
    estimable = np.abs(contrasts - contrasts @ inverse @ information).max(axis=1)[:-1] < 1e-6
    row = np.broadcast_to(np.arange(count), rivals.shape)
    out = np.full((4, len(known)), np.nan)
    for number, result in enumerate(results):
        level = np.bincount(rivals.ravel(), result.ravel(), bots) / met
        rest = result - level[rivals]
        total = rest.sum(axis=0)
        effects = inverse @ np.bincount(columns_at.ravel(), (total - rest).ravel(), columns)
        beyond = effects[columns_at].sum(axis=0) - effects[columns_at] - (usual @ effects)[rivals]
        rest = rest - beyond
        total = rest.sum(axis=0)
        scores = np.zeros((count, columns))
        np.add.at(scores, (row, columns_at), total - rest)
        for j in range(others):
            scores -= rest[j][:, None] * usual[rivals[j]]
        spread = scores @ (inverse @ contrasts.T)
        errors = np.sqrt((spread**2).sum(axis=0) * count / max(1, count - 1))
        out[2 * number] = np.where(estimable, (contrasts @ effects)[:-1], np.nan)
        out[2 * number + 1] = np.where(estimable, errors[:-1], np.nan)
    return out


def _counted(one: NDArray[np.int64], other: NDArray[np.int64], shape: tuple[int, int]) -> Floats:
    codes = np.bincount(one * shape[1] + other, minlength=shape[0] * shape[1])
    return codes.reshape(shape).astype(np.float64)

"""Effects of the presence of one bot on the results of another: figures that make collusion at tables of three and more visible.

A bot plays against its rivals; others sit at the table. If it does better against the same rivals whenever that one bot
is there, the two may help each other. In a match, let S be the score of a bot B against a rival C: 1, 1/2 or 0. It is modelled as

    S = p(B, C) + sum of g(A, B) over all others A at the table + luck.

p(B, C) is a free number for each pair, so nothing that a bot does by itself, its strength or the rivals that its style suits, is
taken for company: B against C is compared only with B against C, beside others. g(A, B) is the effect of the company of A on B.
Only differences between companions can be seen, so it is told relative to the average of B's other companions. An effect of A on
all alike, as a strong or a reckless bot does, helps B as much as C and cancels. The second response, in place of S, is the
difference in heads per deal, C's minus B's.

Estimated by least squares for each B, with p taken out within pairs (Frisch, Waugh, Lovell); errors are those of the cluster-robust
sandwich with groups as clusters (Liang and Zeger, 1986), because the results of a table depend on each other.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.part import Part
from bullring.ladder.rating.scales import Floats
from bullring.ladder.rating.tally import Tally

LEAST = 50
"""Groups that two bots must have in common before an effect is estimated."""


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
    """Estimate the effect of each bot's company on each other one, in two passes over the groups of each bot."""
    bots = tallied.bots
    groups, matches = np.zeros((2, bots, bots), dtype=np.int64)
    found = np.full((4, bots, bots), np.nan)
    for bot in range(bots):
        beside = _Beside(bots)
        for part in tallied.parts_of(bot):
            beside.add(part, *_against(part, bot))
        groups[:, bot], matches[:, bot] = beside.groups, beside.matches
        known = np.flatnonzero(beside.groups >= LEAST)
        if tallied.seats > 2 and len(known) > 1:
            found[:, known, bot] = _effects(tallied, bot, beside, known)
    points, points_errors, heads, heads_errors = found
    return Company(groups, matches, points, points_errors, heads, heads_errors)


def telling(tallied: Tally, beside: int, bot: int, count: int, *, worst: bool = False) -> NDArray[np.int64]:
    """The groups in which the bot was furthest ahead of third parties (or behind: `worst`) beside the other one, in heads per deal.

    At most `count`, the most telling one first. The bots are numbers.
    """
    group, margin = np.zeros(0, dtype=np.int64), np.zeros(0)
    for numbers, part in tallied.numbered_of(bot):
        rivals, results = _against(part, bot)
        there = (rivals == beside).any(axis=0)
        margins = np.where(rivals == beside, 0.0, results[1]).sum(axis=0)[there]
        group = np.concatenate([group, numbers[there]])
        margin = np.concatenate([margin, margins if worst else -margins])
        best = np.argsort(margin, kind="stable")[:count]
        group, margin = group[best], margin[best]
    return group


def _against(part: Part, bot: int) -> tuple[NDArray[np.int64], Floats]:
    """The rivals (n-1, G) of a bot that sat in each of these groups, and its results against them (2, n-1, G)."""
    seats = part.seats
    place, group = (part.lineups == bot).argmax(axis=0), np.arange(part.groups)
    number, sign = np.zeros((2, seats, seats), dtype=np.int64)
    for index, (a, b) in enumerate(part.places):
        number[a, b] = number[b, a] = index
        sign[a, b], sign[b, a] = 1, -1
    rivals = np.zeros((seats - 1, part.groups), dtype=np.int64)
    results = np.zeros((2, *rivals.shape))
    for step in range(1, seats):
        other = (place + step) % seats
        rivals[step - 1] = part.lineups[other, group]
        won = sign[place, other] * part.balance[number[place, other], group]
        results[0, step - 1] = won / (2 * part.sizes)
        results[1, step - 1] = (part.heads[other, group] - part.heads[place, group]) / part.deals
    return rivals, results


class _Beside:
    """Sums over the groups of one bot."""

    def __init__(self, bots: int) -> None:
        self.groups, self.matches = np.zeros((2, bots), dtype=np.int64)
        """(K,): groups and matches with each rival."""
        self.met = np.zeros((bots, bots))
        """(K, K): how often each companion was there when this rival was met."""
        self.results, self.others = np.zeros((2, 2, bots))
        """(2, K): for both results, the sums of those against each rival, and of those against all others beside each companion."""

    def add(self, part: Part, rivals: NDArray[np.int64], results: Floats) -> None:
        bots = len(self.groups)
        flat = rivals.ravel()
        self.groups += np.bincount(flat, minlength=bots)
        sizes = np.broadcast_to(part.sizes, rivals.shape)
        self.matches += np.bincount(flat, sizes.ravel(), bots).astype(np.int64)
        for j in range(len(rivals)):
            for k in range(j):
                self.met += _counted(rivals[j], rivals[k], (bots, bots))
        for number, result in enumerate(results):
            self.results[number] += np.bincount(flat, result.ravel(), bots)
            self.others[number] += np.bincount(flat, (result.sum(axis=0) - result).ravel(), bots)


def _effects(tallied: Tally, bot: int, sums: _Beside, known: NDArray[np.int64]) -> Floats:
    """(4, known): for both results the effects of these companions, and the errors.

    A row of the regression is a group and a rival; its regressors count who else is at the table. The bots that are hardly known
    count as one more companion, so that the regressors of a row always add up to n-2, and only differences are estimated.
    """
    bots, others, count = tallied.bots, tallied.seats - 1, int(sums.groups.sum()) // (tallied.seats - 1)
    columns = len(known) + 1
    column_of = np.full(bots, len(known))
    column_of[known] = np.arange(len(known))
    member = np.zeros((bots, columns))
    member[np.arange(bots), column_of] = 1.0
    met = np.maximum(sums.groups, 1)
    # (K, columns): how often each companion was there when this rival was met; and each two companions together.
    beside = (sums.met + sums.met.T) @ member
    there = member.T @ sums.groups
    together = member.T @ beside + np.diag(there)
    usual = beside / met[:, None]
    information = (others - 2) * together + np.diag(there) - beside.T @ usual
    inverse = np.linalg.pinv(information, rcond=1e-9, hermitian=True)

    shares = there / there.sum()
    contrasts = (np.eye(columns) - shares) / (1 - shares)[:, None]  # each companion against the average of the others
    estimable = np.abs(contrasts - contrasts @ inverse @ information).max(axis=1)[:-1] < 1e-6
    levels = sums.results / met
    effects = (sums.others @ member - levels @ beside) @ inverse
    squares = np.zeros((2, columns))
    for part in tallied.parts_of(bot):
        rivals, results = _against(part, bot)
        columns_at = column_of[rivals]
        row = np.broadcast_to(np.arange(part.groups), rivals.shape)
        for number, result in enumerate(results):
            own = effects[number]
            beyond = own[columns_at].sum(axis=0) - own[columns_at] - (usual @ own)[rivals]
            rest = result - levels[number][rivals] - beyond
            scores = np.zeros((part.groups, columns))
            np.add.at(scores, (row, columns_at), rest.sum(axis=0) - rest)
            for j in range(others):
                scores -= rest[j][:, None] * usual[rivals[j]]
            squares[number] += ((scores @ (inverse @ contrasts.T)) ** 2).sum(axis=0)
    out = np.full((4, len(known)), np.nan)
    out[::2] = np.where(estimable, (effects @ contrasts.T)[:, :-1], np.nan)
    out[1::2] = np.where(estimable, np.sqrt(squares * count / max(1, count - 1))[:, :-1], np.nan)
    return out


def _counted(one: NDArray[np.int64], other: NDArray[np.int64], shape: tuple[int, int]) -> Floats:
    codes = np.bincount(one * shape[1] + other, minlength=shape[0] * shape[1])
    return codes.reshape(shape).astype(np.float64)

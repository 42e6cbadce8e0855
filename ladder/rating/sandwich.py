"""Covariance of estimates whose observations come in groups: the cluster-robust sandwich estimator.

Both estimates of this package, strengths and heads, solve equations of the form sum of u_g = 0. The score u_g of a group is a
vector over its places; its information H_g, the negative derivative of u_g, is a matrix over them. With H the sum of all H_g and
of the prior's information, the covariance is H^-1 (sum of u_g u_g^T) H^-1, however the observations within a group depend on each
other (Liang and Zeger, 1986).

Taken as independent, the results of a table would make intervals too narrow: by 22 % for four seats, by 48 % for ten.
"""

from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.scales import Floats

LEVERAGE = 1 / 300
"""A group is widened only if one of its places has more than this share of its bot's information."""

AT_ONCE = 1 << 13
"""Groups widened at once."""

Information = Callable[[NDArray[np.intp]], Floats]
"""A function from the numbers (F,) of groups to their H_g, (F, n, n)."""


def inverted(information: Floats, component: NDArray[np.intp]) -> Floats:
    """(K, K): the inverse of the information, restricted to differences within components, from (K, K) and (K,).

    The common level of a component is unknown, or known from the prior only. It does not affect differences and would drown them in
    large numbers, so it is projected out: the rows within a component sum to 0.
    """
    whole = (component[:, None] == component[None, :]).astype(np.float64)
    whole /= whole.sum(axis=1, keepdims=True)
    stiff = max(float(information.diagonal().mean()), 1.0)
    found = np.linalg.inv(information + stiff * whole)
    found -= whole * found.sum(axis=0)
    return np.asarray((found + found.T) / 2, dtype=np.float64)


def scatter(lineups: NDArray[np.int64], scores: Floats, bots: int) -> Floats:
    """(K, K): sum of u_g u_g^T, from (n, G) bots and (n, G) scores."""
    total = np.zeros(bots * bots)
    few = lineups.shape[1] < len(total) // 8
    for a, b in combinations_with_replacement(range(len(lineups)), 2):
        codes = lineups[a] * bots + lineups[b]
        products = scores[a] * scores[b] / (2 if a == b else 1)
        if few:
            np.add.at(total, codes, products)
        else:
            total += np.bincount(codes, products, bots * bots)
    square = total.reshape(bots, bots)
    return np.asarray(square + square.T)


def widened(
    lineups: NDArray[np.int64], scores: Floats, weights: Floats, inverse: Floats, information: Information
) -> Floats:
    """(n, G): scores enlarged to undo the estimate's fit to its own data.

    An estimate follows the groups it is made from, the more so the fewer there are, so the scores of a bot with few groups, and
    its error, would come out too small. (I - H_g H^-1)^-1 u_g corrects that: H^-1 times it is the amount by which the estimate
    would move without the group, the jackknife (CR3 of Bell and McCaffrey, 2002). `weights` (G,) bound the diagonals of H_g from
    above.
    """
    shares = inverse.diagonal()[lineups].max(axis=0, initial=0.0) * weights
    few = np.flatnonzero(shares > LEVERAGE)
    if not len(few):
        return scores
    wide = scores.copy()
    for start in range(0, len(few), AT_ONCE):
        some_groups = few[start : start + AT_ONCE]
        some = lineups[:, some_groups].T
        kept = np.eye(len(lineups)) - information(some_groups) @ inverse[some[:, :, None], some[:, None, :]]
        own = scores[:, some_groups].T[:, :, None]
        # The eigenvalues of H_g H^-1 add up to at most 2n times the largest share.
        small = shares[some_groups] * len(lineups) < 0.45
        found = np.empty_like(own)
        found[small] = np.linalg.solve(kept[small], own[small])
        # A pseudo-inverse: a bot with a single group would have no estimate without it, so that group adds nothing to its error.
        found[~small] = np.linalg.pinv(kept[~small], rcond=1e-9) @ own[~small]
        wide[:, some_groups] = found[:, :, 0].T
    return wide

"""Errors of estimates whose observations come in groups: the cluster-robust sandwich.

Both estimates of this room, strengths and heads, solve equations of the form sum of u_g = 0. The score u_g of a group is a vector
over its places, and its information H_g, the negative derivative of u_g, a matrix over them. With H the sum of all H_g (and of
what the prior adds), the covariance is H^-1 (sum of u_g u_g^T) H^-1, whatever goes on within a group (Liang and Zeger, 1986).
"""

from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.scales import Floats

LEVERAGE = 1 / 300
"""A group with a place that has less than this part of its bot's information is left as it is."""

Information = Callable[[NDArray[np.intp]], Floats]
"""From numbers of groups, F of them, to (F, n, n): H_g."""


def inverted(information: Floats, part: NDArray[np.intp]) -> Floats:
    """(K, K): the inverse for all differences within a connected part, from (K, K) information and (K,) parts.

    How a part stands as a whole nobody knows, or the prior alone says so. That has nothing to do with differences and would only
    drown them in large numbers, so it is left out: rows of a part sum to 0.
    """
    whole = (part[:, None] == part[None, :]).astype(np.float64)
    whole /= whole.sum(axis=1, keepdims=True)
    stiff = max(float(information.diagonal().mean()), 1.0)
    found = np.linalg.inv(information + stiff * whole)
    found = found - whole @ found
    return np.asarray((found + found.T) / 2, dtype=np.float64)


def scatter(lineups: NDArray[np.int64], scores: Floats, bots: int) -> Floats:
    """(K, K): sum of u_g u_g^T, from (n, G) bots and (n, G) scores."""
    total = np.zeros((bots, bots))
    for a, b in combinations_with_replacement(range(len(lineups)), 2):
        codes = lineups[a] * bots + lineups[b]
        part = np.bincount(codes, scores[a] * scores[b], bots * bots).reshape(bots, bots)
        total += part if a == b else part + part.T
    return total


def widened(
    lineups: NDArray[np.int64], scores: Floats, weights: Floats, inverse: Floats, information: Information
) -> Floats:
    """(n, G): scores as large as the estimate's fit to its own data makes them too small.

    An estimate follows the groups it is made from, the more the fewer they are: so the scores of a bot with few groups are too
    small, and so would be its error. (I - H_g H^-1)^-1 u_g undoes that: H^-1 of it is by how much the estimate would move without
    the group, the jackknife (CR3 of Bell and McCaffrey, 2002). `weights` (G,) are the H_g's diagonals, or more.
    """
    shares = inverse.diagonal()[lineups].max(axis=0, initial=0.0) * weights
    few = np.flatnonzero(shares > LEVERAGE)
    if not len(few):
        return scores
    some = lineups[:, few].T
    leverage = information(few) @ inverse[some[:, :, None], some[:, None, :]]
    wide = scores.copy()
    # The inverse of what can be inverted: without its only group a bot would have no place at all, and gets no error from it.
    kept = np.linalg.pinv(np.eye(len(lineups)) - leverage, rcond=1e-9)
    wide[:, few] = (kept @ scores[:, few].T[:, :, None])[:, :, 0].T
    return wide

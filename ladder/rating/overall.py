"""One rating over several lists: the mean of a bot's strengths in them.

The strengths of all lists are fitted together, each list with its own, because a bot that is strong in one game may be weak in
another. The overall strength is their weighted mean, so each list counts by its share, however many matches it has, and nobody
gains by playing much where it is strong. Lists share no matches, so its covariance is the sum of theirs times the squares of the
shares, each from its own groups (`sandwich`). A difference is bounded by results if it is in every list, and only a bot that has
played in all of them has an overall strength.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bullring.ladder.rating.connected import components
from bullring.ladder.rating.estimate import Estimate, Fit, from_strengths
from bullring.ladder.rating.scales import ELO


def overall(
    lists: Sequence[Estimate], shares: Sequence[float], anchor: int | None = None, rating: float = 0.0
) -> Estimate:
    """Rate the bots over all lists, which have the same bots, so that the anchor has the given rating.

    Without one a rating is the mean of those in the lists. `shares` add up to 1. The degrees of freedom of a bot are those of
    Satterthwaite (1946) and Welch.
    """
    weights = np.array(shares)
    strengths, own = weights @ [one.strengths for one in lists], np.array([one.covariance.diagonal() for one in lists])
    covariance, curved = (
        np.tensordot(weights**2, [getattr(one, name) for one in lists], 1) for name in ("covariance", "curved")
    )
    groups = np.array([one.groups for one in lists])
    played = groups.all(axis=0)
    parts = own * (weights**2)[:, None]
    spent = (parts**2 / np.maximum(groups - 1, 1)).sum(axis=0)
    freedom = parts.sum(axis=0) ** 2 / np.maximum(spent, np.finfo(np.float64).tiny)
    together = np.unique([components(one.met) for one in lists], axis=1, return_inverse=True)[1].ravel()
    found = Fit(strengths, curved, together, np.logical_and.reduce([one.scored for one in lists]), np.nan)
    rated = from_strengths(
        found,
        covariance,
        np.sum([one.met for one in lists], axis=0),
        np.where(played, 1 + np.floor(freedom), 0).astype(np.int64),
        np.where(played, np.sum([one.matches for one in lists], axis=0), 0),
        anchor,
        rating,
    )
    if rated.anchor is not None:
        return rated
    # The mean of all lists together is not that of each, as a bot has played more of one than of another.
    means = [one.mean + ELO * (rated.weights - one.weights) @ one.strengths for one in lists]
    shift = float(weights @ means) - rated.mean
    return replace(rated, mean=rated.mean + shift, ratings=rated.ratings + shift)

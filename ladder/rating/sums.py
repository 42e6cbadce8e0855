"""Sums over all groups of a list: all that ratings, heads and pairs need, but for the scatter of groups, in constant memory."""

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.part import Part
from bullring.ladder.rating.scales import Floats


class Sums:
    """Sums over groups. Whole numbers, but for those of heads per deal, so nothing depends on the order of groups."""

    def __init__(self, bots: int, seats: int) -> None:
        self.bots = bots
        self.seats = seats
        self.groups = 0
        self.groups_of = np.zeros(bots, dtype=np.int64)
        """(K,): number of groups of each bot."""
        self.matches_of = np.zeros(bots, dtype=np.int64)
        """(K,)."""
        self.heads = np.zeros((3, bots))
        """(3, K): of each bot, the sums of its deals, of its heads, and of deals times heads per deal beyond those of its table."""
        self._pairs = np.zeros((7, bots * bots))
        """(7, K K), by the places of line-ups: the sums of matches m, of wins minus losses b, of deals, of groups, and of b^2, b m
        and m^2."""

    def grow(self, bots: int) -> None:
        """Make room for this many bots."""
        more = bots - self.bots
        if more > 0:
            pairs = np.pad(self._pairs.reshape(7, self.bots, self.bots), ((0, 0), (0, more), (0, more)))
            self._pairs = np.ascontiguousarray(pairs.reshape(7, -1))
            self.heads = np.pad(self.heads, ((0, 0), (0, more)))
            self.groups_of, self.matches_of = (np.pad(array, (0, more)) for array in (self.groups_of, self.matches_of))
            self.bots = bots

    def add(self, part: Part) -> None:
        """Count the groups of a part."""
        if not part.groups:
            return
        lineups, bots = part.lineups, self.bots
        flat = lineups.ravel()
        self.groups += part.groups
        self.groups_of += np.bincount(flat, minlength=bots)
        self.matches_of += np.rint(np.bincount(flat, np.tile(part.sizes, self.seats), bots)).astype(np.int64)

        deals = part.deals.astype(np.float64)
        heads = part.heads / deals
        level = heads.mean(axis=0)
        spread = np.broadcast_to(deals, lineups.shape)
        for row, values in zip(self.heads, (spread, part.heads, deals * (heads - level)), strict=True):
            row += np.bincount(flat, values.ravel(), bots)

        ones = np.ones(part.groups, dtype=np.int64)
        for won, (a, b) in zip(part.balance.astype(np.int64), part.places, strict=True):
            codes = lineups[a] * bots + lineups[b]
            weights = (part.sizes, won, part.deals, ones, won * won, won * part.sizes, part.sizes**2)
            for row, weight in zip(self._pairs, weights, strict=True):
                _add(row, codes, weight)

    def pairs(self, number: int) -> Floats:
        """(K, K): one of the sums by places of line-ups, the bot at the lower place first."""
        found: Floats = self._pairs[number].reshape(self.bots, self.bots)
        return found

    def met(self) -> tuple[Floats, Floats]:
        """(K, K) twice, whole numbers: matches of each pair, and matches won by the first minus those won by the second."""
        matches, balance = self.pairs(0), self.pairs(1)
        return np.asarray(matches + matches.T), np.asarray(balance - balance.T)

    @property
    def deals(self) -> Floats:
        """(K, K): deals of each pair."""
        return self.pairs(2) + self.pairs(2).T


def _add(total: Floats, codes: NDArray[np.int64], weights: NDArray[np.int64]) -> None:
    """Add weights into the places of `total` that codes name."""
    if len(codes) < len(total) // 8:
        np.add.at(total, codes, weights.astype(np.float64))
    else:
        total += np.bincount(codes, weights, len(total))

"""The gain of swapping hands: the ratio of two variances, with an interval that holds."""

import numpy as np
import pytest
from numpy.typing import NDArray

from bullring.ladder.rating.gain import gain

Numbers = NDArray[np.int64]


def counted(half_points: Numbers) -> Numbers:
    """(3, 3) pairs, from (G, 2) half points of the matches of each pair."""
    return np.bincount(3 * half_points[:, 0] + half_points[:, 1], minlength=9).reshape(3, 3)


def drawn(rng: np.random.Generator, pairs: int, luck: float) -> Numbers:
    """Pairs of matches without ties between equal bots: with this probability the same hand wins both."""
    first = rng.integers(0, 2, pairs)
    second = np.where(rng.random(pairs) < luck, 1 - first, rng.integers(0, 2, pairs))
    return 2 * np.stack([first, second], axis=1)


def test_it_is_the_variance_of_independent_matches_over_that_of_pairs() -> None:
    rng = np.random.default_rng(1)
    played = rng.integers(0, 3, (500, 2))
    played[:200, 1] = 2 - played[:200, 0]
    found = gain(counted(played))
    assert found is not None
    points = played / 2
    assert found.value == pytest.approx(points.var(ddof=1) / 2 / points.mean(axis=1).var(ddof=1))


@pytest.mark.parametrize(("luck", "true"), [(0.0, 1.0), (0.4, 1 / 0.6)])
@pytest.mark.parametrize("pairs", [30, 300])
def test_its_interval_holds(pairs: int, luck: float, true: float) -> None:
    rng = np.random.default_rng(pairs)
    right, middle = [], []
    for _ in range(1000):
        found = gain(counted(drawn(rng, pairs, luck)))
        assert found is not None
        right.append(found.low <= true <= found.high)
        middle.append(found.value)
    assert 0.92 <= np.mean(right) <= 0.98
    assert np.median(middle) == pytest.approx(true, rel=0.1)


@pytest.mark.parametrize("pairs", [[], [(0, 0), (2, 2)], [(2, 2)] * 50, [(0, 2), (2, 0)] * 20])
def test_it_is_unknown_without_pairs_or_if_they_are_all_alike(pairs: list[tuple[int, int]]) -> None:
    assert gain(counted(np.array(pairs, dtype=np.int64).reshape(-1, 2))) is None

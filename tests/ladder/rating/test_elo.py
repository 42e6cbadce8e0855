"""The Elo that goes from match to match, step by step."""

import numpy as np
import pytest

from bullring.ladder.rating.elo import Walk
from bullring.ladder.rating.results import Results
from tests.ladder.rating.synthetic import Array, by_hand, rotation, tables


def walked(*blocks: Results, first: float = 0.0, factor: float = 32.0) -> Array:
    """The ratings after all blocks."""
    walk = Walk(first, factor)
    for results in blocks:
        walk.add(results)
    return walk.ratings


def test_a_few_steps_by_hand() -> None:
    """Between equals a match of three moves its winner by K/2 (1 + 1 - 1/2 - 1/2)."""
    one = walked(by_hand(4, [([0, 1, 2], [[1, 5, 9]])]), first=1500.0)
    assert one[:3].tolist() == [1516, 1500, 1484]
    assert np.isnan(one[3])
    rating = 16.0
    for score in (1, 0.5):
        rating += 32 * (score - 1 / (1 + 10 ** (-2 * rating / 400)))
    two = by_hand(2, [([0, 1], [[1, 5], [1, 5]])]), by_hand(2, [([1, 0], [[3, 3]])])
    assert walked(*two) == pytest.approx([rating, -rating])


def test_it_comes_near_the_strengths_that_made_the_results() -> None:
    rng = np.random.default_rng(1)
    found = walked(rotation(rng, np.linspace(-200, 200, 6), tables(rng, 6, 4, 500)), factor=8.0)
    assert found.sum() == pytest.approx(0, abs=1e-6)
    assert found == pytest.approx(np.linspace(-200, 200, 6), abs=120)
    assert (np.diff(found) > 0).all()
    assert np.isnan(walked(Results.none(2, 4))).all()

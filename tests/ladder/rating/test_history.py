"""Ratings after the first groups are those of a list that has no others."""

import numpy as np
import pytest

from bullring.ladder.rating.estimate import estimate
from bullring.ladder.rating.history import history
from bullring.ladder.rating.tally import tally
from tests.ladder.rating.synthetic import ragged, rotation, tables


def test_each_point_is_the_estimate_of_the_list_up_to_there() -> None:
    rng = np.random.default_rng(1)
    lineups = tables(rng, 5, 4, 60)
    lineups[40:50, 0] = 5
    lineups[40:] = np.where(np.arange(60)[40:, None] < 50, lineups[40:], lineups[:20])
    results = ragged(rng, rotation(rng, np.linspace(-100, 100, 6), lineups))
    after = [0, 1, 2, 30, 30, 45, 60]
    found = history(tally(results), after, anchor=1, rating=1000.0)
    assert found.groups.tolist() == after
    for row, count in enumerate(after):
        alone = estimate(tally(results.chosen(slice(0, count))), anchor=1, rating=1000.0)
        assert found.ratings[row] == pytest.approx(alone.ratings, abs=1e-6, nan_ok=True)
        assert found.low[row] == pytest.approx(alone.low, abs=1e-6, nan_ok=True)
        assert found.high[row] == pytest.approx(alone.high, abs=1e-6, nan_ok=True)
    assert np.isnan(found.ratings[:5, 5]).all()
    assert np.isfinite(found.ratings[5:, 5]).all()


@pytest.mark.parametrize("after", [[-1], [11], [5, 4]])
def test_counts_that_do_not_rise_within_the_list_are_refused(after: list[int]) -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match=r"^counts of groups must rise between 0 and 10, not "):
        history(tally(rotation(rng, np.zeros(4), tables(rng, 4, 4, 10))), after)

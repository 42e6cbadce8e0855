"""Means over deals: intervals that hold for few deals and for shares near 0 and 1."""

import math

import numpy as np
import pytest

from bullring.ladder.rating.deals import Interval


def test_an_interval_holds_its_mean_and_is_wider_of_few() -> None:
    for of in (Interval.of, Interval.of_shares):
        few, many = of([0.4, 0.6] * 2), of([0.4, 0.6] * 50)
        assert few.mean == pytest.approx(many.mean)
        assert few.low < many.low < many.mean < many.high < few.high


def test_two_deals_have_students_quantile() -> None:
    found = Interval.of([0.0, 2.0])
    assert found.high - found.mean > 12.7


def test_of_deals_that_were_all_won_the_lower_end_is_known() -> None:
    won, lost = Interval.of_shares([1.0] * 12), Interval.of_shares([0.0] * 12)
    assert 0.6 < won.low < 0.8
    assert (won.mean, won.high) == (1.0, 1.0)
    assert 100 < won.elo().low < 200
    assert won.elo().high == math.inf
    assert lost.low == 0.0
    assert lost.high == pytest.approx(1 - won.low)
    assert lost.elo().low == -math.inf


@pytest.mark.parametrize("share", [0.5, 0.9, 0.97])
@pytest.mark.parametrize("deals", [2, 10, 65])
def test_a_share_of_deals_is_within_its_interval(share: float, deals: int) -> None:
    drawn, samples = np.random.default_rng(deals), 100
    found = [Interval.of_shares(list(drawn.binomial(2, share, deals) / 2)) for _ in range(samples)]
    assert all(0 <= one.low <= one.mean <= one.high <= 1 for one in found)
    assert sum(one.low <= share <= one.high for one in found) >= 0.93 * samples
    assert sum(one.low > share for one in found) <= 0.05 * samples

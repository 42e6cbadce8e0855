"""Means with luck subtracted."""

import numpy as np
import pytest

from bullring.ladder.rating.control_variates import ALARM, FIRST, MOST, USUAL, adjusted, mean


def _matches(count: int, seed: int, draws: float = 1.0, deal: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(seed)
    luck = chance.normal(size=(count, 2))
    return 3.0 + luck @ (deal, draws) + chance.normal(size=count), luck


def test_the_mean_of_a_few_values_has_students_interval() -> None:
    few = mean(np.array([1.0, 2.0, 3.0, 4.0]))
    assert few.value == 2.5
    assert few.half == pytest.approx(3.182 * few.error, rel=0.02)
    assert few.low == few.value - few.half
    assert few.high == few.value + few.half
    assert mean(np.array([1.0])).half == np.inf
    assert np.isnan(mean(np.array([])).value)


def test_luck_that_explains_results_is_subtracted() -> None:
    made = adjusted(*_matches(2000, 1))
    assert made.raw.value == pytest.approx(3.0, abs=0.15)
    assert made.adjusted.value == pytest.approx(3.0, abs=0.1)
    assert made.gain is not None
    assert made.gain.low < 2.25 < made.gain.high  # of a variance of 1 + 1 + 1/4, 1 is left
    assert made.coefficients == pytest.approx((0.5, 1.0), abs=0.1)
    assert max(map(abs, made.alarms)) < ALARM


def test_a_match_is_adjusted_with_coefficients_of_earlier_matches_only() -> None:
    results, luck = _matches(FIRST + 50, 2)
    changed = results.copy()
    changed[-1] += 7.0
    moved = adjusted(changed, luck).adjusted.value - adjusted(results, luck).adjusted.value
    assert moved == pytest.approx(7.0 / len(results))
    few = adjusted(results[:50], luck[:50])
    assert few.coefficients == USUAL
    assert few.adjusted.value == pytest.approx((results[:50] - luck[:50] @ USUAL).mean())


def test_the_adjustment_is_linear_in_the_results() -> None:
    results, luck = _matches(100, 3)
    others, _ = _matches(100, 4)
    both = adjusted(results + others, 2 * luck).adjusted.value
    assert both == pytest.approx(adjusted(results, luck).adjusted.value + adjusted(others, luck).adjusted.value)


@pytest.mark.parametrize(("draws", "bound"), [(-1.0, 0.0), (3.0, MOST)])
def test_coefficients_stay_within_bounds(draws: float, bound: float) -> None:
    assert adjusted(*_matches(500, 5, draws)).coefficients[1] == bound


def test_luck_that_is_not_luck_raises_an_alarm() -> None:
    results, luck = _matches(1000, 6)
    luck[:, 1] += 0.2
    deal, draws = adjusted(results, luck).alarms
    assert abs(deal) < ALARM < draws


def test_intervals_hold_with_useless_and_with_perfect_luck() -> None:
    chance = np.random.default_rng(7)
    hits = {0.0: 0, 2.0: 0}
    for strength in hits:
        for _ in range(400):
            luck = chance.normal(size=(60, 2))
            made = adjusted(luck[:, 1] * strength + chance.normal(size=60), luck)
            hits[strength] += made.adjusted.low <= 0.0 <= made.adjusted.high
    assert all(0.92 < hit / 400 < 0.98 for hit in hits.values())


def test_results_that_are_all_alike_have_no_gain() -> None:
    assert adjusted([1.0] * 50, np.zeros((50, 2))).gain is None
    assert adjusted([], np.zeros((0, 2))).gain is None

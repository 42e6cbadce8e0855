"""Each against each: published figures of engine tests, intervals that hold, edges."""

import numpy as np
import pytest

from bullring.ladder.rating.pairs import pairs
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import share
from bullring.ladder.rating.tally import tally
from tests.ladder.rating.published import ELOS, Elo
from tests.ladder.rating.synthetic import by_hand, duel, ragged, reseated, rotation, tables


@pytest.mark.parametrize("case", [case for case in ELOS if case.error is not None])
def test_a_pair_alone_is_what_fastchess_says_of_it(case: Elo) -> None:
    found = pairs(tally(duel(case.counts)))
    assert found.elo[0, 1] == pytest.approx(case.elo, abs=0.01)
    assert found.elo[1, 0] == pytest.approx(-found.elo[0, 1])
    assert (found.high - found.low)[0, 1] / 2 == pytest.approx(case.error, rel=0.01)


def test_sums_of_a_pair_are_its_own_matches_alone() -> None:
    found = pairs(tally(by_hand(4, [([0, 1, 2], [[1, 2, 3], [5, 5, 1]]), ([2, 1, 0], [[4, 4, 0]])])))
    assert found.matches.tolist() == [[0, 3, 3, 0], [3, 0, 3, 0], [3, 3, 0, 0], [0, 0, 0, 0]]
    points = np.nan_to_num(found.share) * found.matches
    assert points == pytest.approx(np.array([[0, 2.5, 2, 0], [0.5, 0, 1.5, 0], [1, 1.5, 0, 0], [0, 0, 0, 0]]))
    assert np.isnan(found.share[0, 3])
    assert np.isnan(found.low[3, 0])
    assert np.isnan(np.diag(found.elo)).all()


def test_intervals_hold_in_groups_of_any_size() -> None:
    rng = np.random.default_rng(1)
    truth = np.linspace(-100, 100, 5)
    actual = np.subtract.outer(truth, truth)
    some = np.triu_indices(5, 1)
    right = []
    for _ in range(300):
        found = pairs(tally(ragged(rng, rotation(rng, truth, tables(rng, 5, 4, 100), hand=0.1, deal=0.5))))
        right.append(((found.low <= actual) & (actual <= found.high))[some].mean())
    assert 0.93 <= np.mean(right) <= 0.97


def test_nothing_depends_on_order_or_places() -> None:
    rng = np.random.default_rng(2)
    results = ragged(rng, rotation(rng, np.linspace(-100, 100, 6), tables(rng, 6, 4, 50)))
    one = pairs(tally(results))
    for other in (results.chosen(rng.permutation(50)), reseated(rng, results)):
        found = pairs(tally(other))
        assert np.array_equal(found.share, one.share, equal_nan=True)
        assert found.low == pytest.approx(one.low, abs=1e-9, nan_ok=True)


def test_groups_that_are_all_alike_are_not_taken_for_certainty() -> None:
    """No spread is seen in them: all won, or each won once."""
    for counts, expected in (([0, 0, 0, 0, 5], 1.0), ([0, 0, 5, 0, 0], 0.5), ([3, 0, 0, 0, 0], 0.0)):
        found = pairs(tally(duel(counts)))
        assert found.share[0, 1] == expected
        assert np.diff(share(np.array([found.low[0, 1], found.high[0, 1]])))[0] > 0.4
    assert pairs(tally(duel([0, 0, 0, 0, 5]))).elo[0, 1] == np.inf
    assert np.isfinite(pairs(tally(duel([0, 0, 0, 0, 5]))).low[0, 1])


def test_a_single_group_and_no_group() -> None:
    found = pairs(tally(by_hand(2, [([0, 1], [[1, 2], [1, 2], [2, 1]])])))
    assert found.share[0, 1] == pytest.approx(2 / 3)
    assert np.diff(share(np.array([found.low[0, 1], found.high[0, 1]])))[0] > 0.7
    assert np.isnan(pairs(tally(Results.none(3, 4))).share).all()

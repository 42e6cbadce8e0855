"""One rating over several lists, in which each counts by its share."""

import numpy as np
import pytest

from bench.schedules import played
from bench.verdicts.overall import HOMES, simulated
from bullring.ladder.rating.estimate import Estimate, estimate
from bullring.ladder.rating.overall import overall
from bullring.ladder.rating.superiority import of_strengths, superiority
from bullring.ladder.rating.tally import tally
from tests.ladder.rating.synthetic import by_hand, tables


def listed(seed: int, truth: list[float], groups: int, *, seats: int = 4, bots: int | None = None) -> Estimate:
    """A list of these bots, of which only the first ones play, if so many are given."""
    rng = np.random.default_rng(seed)
    return estimate(tally(played(rng, np.array(truth), tables(rng, bots or len(truth), seats, groups).tolist())))


ONE = [90.0, 30.0, 0.0, -40.0, -80.0]
OTHER = [-60.0, 30.0, 120.0, 0.0, -90.0]


def test_each_list_counts_by_its_share_however_many_matches_it_has() -> None:
    lists = [listed(1, ONE, 3000), listed(2, OTHER, 300, seats=3)]
    found = overall(lists, [0.5, 0.5], None, 1500.0)
    assert found.differences == pytest.approx((lists[0].differences + lists[1].differences) / 2)
    assert found.errors == pytest.approx(np.hypot(lists[0].errors, lists[1].errors) / 2)
    assert found.ratings == pytest.approx((lists[0].ratings + lists[1].ratings) / 2)
    assert found.mean == pytest.approx(found.weights @ found.ratings)
    thirds = overall(lists, [2 / 3, 1 / 3], 1, 1500.0)
    assert thirds.differences == pytest.approx((2 * lists[0].differences + lists[1].differences) / 3)
    assert thirds.ratings[1] == 1500
    # The list with few matches decides how sure it is.
    assert (found.groups < 1.3 * lists[1].groups).all()


def test_a_list_by_itself_is_rated_as_it_was() -> None:
    alone = listed(1, ONE, 300)
    found = overall([alone], [1.0])
    for name in ("ratings", "low", "high", "groups", "errors"):
        assert getattr(found, name) == pytest.approx(getattr(alone, name), abs=1), name


def test_a_bot_that_has_not_played_in_every_list_has_no_rating() -> None:
    found = overall([listed(1, ONE, 5000), listed(2, OTHER, 50, bots=4)], [0.5, 0.5])
    assert np.isfinite(found.ratings).tolist() == [True] * 4 + [False]
    assert found.comparable.tolist() == [True] * 4 + [False]
    assert found.weights[4] == 0.0


def test_a_bot_that_won_all_matches_of_one_list_has_no_upper_end() -> None:
    both = [([0, other], [[0, 1]]) for other in (1, 2, 3, 4)] * 5
    both += [([one, other], [[0, 1], [1, 0]]) for one in range(1, 5) for other in range(1, one)] * 5
    found = overall([estimate(tally(by_hand(5, both))), listed(1, ONE, 2000)], [0.5, 0.5])
    assert np.isinf(found.high).tolist() == [True] + [False] * 4
    assert np.isfinite(found.low).all()


def test_the_chance_that_a_bot_is_better_is_that_of_its_list_if_there_is_one() -> None:
    rng = np.random.default_rng(3)
    truth = 40 * rng.normal(size=8)
    results = tally(played(rng, truth, tables(rng, 8, 4, 400).tolist()))
    alone = estimate(results)
    ones, others = np.triu_indices(8, 1)
    usual = superiority(*results.met(), 4, alone).over(ones, others)
    assert of_strengths(overall([alone], [1.0])).over(ones, others) == pytest.approx(usual, abs=0.03)


def test_intervals_hold_however_unequal_the_lists_are() -> None:
    """`python -m bench.verdicts overall` shows more of this."""
    rng = np.random.default_rng(25)
    runs = [simulated(HOMES[1], rng) for _ in range(60)]
    assert 92 < np.mean([run.held for run in runs]) < 99
    assert 92 < np.mean([run.pairs for run in runs]) < 99
    assert np.mean([run.slope for run in runs]) == pytest.approx(1, abs=0.03)
    assert np.mean([run.expected for run in runs]) == pytest.approx(np.mean([run.better for run in runs]), abs=5)

"""The Elo that goes from match to match, step by step."""

import numpy as np
import pytest

from bullring.ladder.rating.elo import running
from bullring.ladder.rating.results import Results
from tests.ladder.rating.synthetic import by_hand, rotation, tables


def test_a_few_steps_by_hand() -> None:
    """Between equals a match of three moves its winner by K/2 (1 + 1 - 1/2 - 1/2)."""
    one = running(by_hand(4, [([0, 1, 2], [[1, 5, 9]])]), first=1500.0)
    assert one.ratings[:3].tolist() == [1516, 1500, 1484]
    assert np.isnan(one.ratings[3])
    two = running(by_hand(2, [([0, 1], [[1, 5], [1, 5]]), ([1, 0], [[3, 3]])]), follow=0)
    expected = [16.0]
    expected.append(expected[-1] + 32 * (1 - 1 / (1 + 10 ** (-2 * expected[-1] / 400))))
    expected.append(expected[-1] + 32 * (0.5 - 1 / (1 + 10 ** (-2 * expected[-1] / 400))))
    assert two.course == pytest.approx(expected[1:])
    assert two.groups.tolist() == [0, 1]
    assert two.ratings == pytest.approx([expected[-1], -expected[-1]])


def test_the_course_of_a_bot_has_the_groups_in_which_it_sat() -> None:
    rng = np.random.default_rng(1)
    results = rotation(rng, np.linspace(-200, 200, 6), tables(rng, 6, 4, 500))
    found = running(results, follow=5, factor=8.0)
    assert found.groups.tolist() == np.flatnonzero((results.lineups == 5).any(axis=1)).tolist()
    assert found.course[-1] == found.ratings[5]
    assert found.ratings.sum() == pytest.approx(0, abs=1e-6)
    assert found.ratings == pytest.approx(np.linspace(-200, 200, 6), abs=120)
    assert (np.diff(found.ratings) > 0).all()


def test_no_groups() -> None:
    found = running(Results.none(2, 4), follow=0)
    assert np.isnan(found.ratings).all()
    assert len(found.course) == len(found.groups) == 0

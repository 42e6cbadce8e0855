"""A course of self-play: that it repeats, goes on where it was interrupted, and is measured rightly."""

import math
from pathlib import Path

import numpy as np
import pytest

from bullring.errors import BotError
from bullring.train import learning
from bullring.train.learning import Course, against_house, simulated
from bullring.train.policy.network import Policy
from bullring.train.selfplay import new_network

DEALS = 8


@pytest.fixture(autouse=True)
def _measured_roughly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "MEASURED", 2)
    monkeypatch.setattr(learning, "TIMES", 4)


def a_course(steps: float = math.inf) -> Course:
    """One that was interrupted after this many steps."""
    course = Course("tactics", 2, tables=1, seed=3)
    taken = iter(range(10_000))
    course.learn(DEALS, math.inf, lambda *_: next(taken) + 1 < steps)
    return course


def test_an_interrupted_course_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    whole = a_course()
    file = tmp_path / "policy.npz"
    a_course(steps=3).save(file)
    course = Course.load(file)
    assert course.deals == 3
    course.learn(DEALS, math.inf, lambda *_: True)
    assert course.deals == whole.deals == DEALS
    assert [(each.deals, each.elo) for each in course.measured] == [(each.deals, each.elo) for each in whole.measured]
    assert len(course.measured) == learning.TIMES
    for one, other in zip((course.policy, *course.league), (whole.policy, *whole.league), strict=True):
        assert all(np.array_equal(*pair) for pair in zip(one.weights, other.weights, strict=True))


def test_its_file_is_that_of_a_policy_that_has_learned(tmp_path: Path) -> None:
    file = tmp_path / "policy.npz"
    course = a_course(steps=2)
    course.save(file)
    assert [path.name for path in tmp_path.iterdir()] == ["policy.npz"]
    policy = Policy.load(file)
    assert policy.about["game"] == "tactics"
    assert np.array_equal(policy.weights[0], course.policy.weights[0])
    assert not np.array_equal(policy.weights[0], new_network(learning.LAYERS, np.random.default_rng(3)).weights[0])


def test_other_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "policy.npz"
    new_network((4,), np.random.default_rng(1)).save(file)
    with pytest.raises(BotError, match="cannot go on"):
        Course.load(file)
    file.write_text("nonsense")
    with pytest.raises(BotError, match="cannot go on"):
        Course.load(file)


def test_games_that_it_is_not_for_are_refused() -> None:
    with pytest.raises(ValueError, match="rows grow to the right, not for professional"):
        Course("professional", tables=1)
    with pytest.raises(ValueError, match="2 to 10 seats, not 11"):
        Course("standard", 11, tables=1)


@pytest.mark.slow
def test_the_house_is_as_strong_as_the_house() -> None:
    elo, error = against_house(simulated("noisy"), "standard", 4, 20_000)  # hotter than the house, so a little weaker
    assert -50 < elo < 0
    assert 1 < error < 6
    assert against_house(simulated("random"), "standard", 4, 20_000)[0] < -100 < elo

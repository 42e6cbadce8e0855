"""The probability that a bot is better than its neighbour: right although the neighbour was chosen by the same results."""

import numpy as np
import pytest

from bullring.ladder.rating.estimate import Estimate, estimate
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO, below
from bullring.ladder.rating.superiority import Superiority, superiority
from bullring.ladder.rating.tally import tally
from tests.ladder.rating.synthetic import Array, by_hand, tables


def played(rng: np.random.Generator, strengths: Array, groups: int, seats: int = 4) -> Results:
    """Matches at random tables in which each pair follows the logistic curve."""
    lineups = tables(rng, len(strengths), seats, groups)
    luck = strengths[lineups] / ELO + rng.gumbel(size=lineups.shape)
    ranks = 1 + (luck[:, :, None] < luck[:, None, :]).sum(axis=2)
    return Results.stacked(len(strengths), lineups, ranks[:, None, :], np.zeros((groups, 1, seats), dtype=int))


def learnt(results: Results) -> tuple[Estimate, Superiority]:
    tallied = tally(results)
    found = estimate(tallied)
    return found, superiority(*tallied.met(), tallied.seats, found)


def flat(found: Estimate) -> Array:
    """(K, K): how likely the first is better, where every difference is taken for equally likely."""
    return below(found.differences / np.where(found.errors > 0, found.errors, np.inf))


def test_neighbours_are_as_often_in_the_right_order_as_it_says() -> None:
    """Close bots with few matches: the plain likelihood promises 62 % and holds 55 %."""
    rng = np.random.default_rng(1)
    said, plain, right = [], [], []
    for _ in range(300):
        truth = rng.normal(0.0, 30.0, 6)
        found, believed = learnt(played(rng, truth, 12))
        order = np.argsort(-found.ratings)
        one, other = order[:-1], order[1:]
        said.append(believed.over(one, other).mean())
        plain.append(flat(found)[one, other].mean())
        right.append((truth[one] > truth[other]).mean())
    assert np.mean(said) == pytest.approx(np.mean(right), abs=0.04)
    assert np.mean(plain) > np.mean(right) + 0.05


def test_many_matches_leave_no_doubt_and_no_difference() -> None:
    rng = np.random.default_rng(2)
    found, believed = learnt(played(rng, np.array([0.0, 15.0, 30.0, 200.0, 220.0]), 3000))
    ones, others = np.array([1, 2, 3, 4, 0]), np.array([0, 1, 2, 3, 4])
    assert believed.over(ones, others) == pytest.approx(flat(found)[ones, others], abs=0.03)
    assert believed.over(ones, others) + believed.over(others, ones) == pytest.approx(1.0)


def test_who_is_not_connected_with_the_anchor_is_not_compared() -> None:
    """Bots 2 and 3 only met each other, and 4 nobody; 0 won all, so the results alone set no bound."""
    _, believed = learnt(by_hand(5, [([0, 1], [[1, 2]]), ([2, 3], [[1, 2]])] * 3))
    over = believed.over(np.array([0, 1, 2, 0, 4]), np.array([1, 0, 3, 2, 0]))
    assert 0.5 < over[0] < 1
    assert over[0] + over[1] == pytest.approx(1.0)
    assert np.isnan(over[2:]).all()
    _, alone = learnt(Results.none(3, 4))
    assert np.isnan(alone.over(np.array([0]), np.array([1]))).all()

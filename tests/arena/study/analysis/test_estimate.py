"""Estimates from playouts with known expectations."""

from collections.abc import Sequence

import numpy as np
import pytest

from bullring.arena.study.analysis.estimate import Draw, Drawn, Estimate, estimate


def drawing(means: Sequence[float], seed: int, spread: float = 6.0) -> Draw:
    """Playouts with these expected heads. Half of the spread is common to all options of a playout."""

    def draw(options: Sequence[int], count: int, number: int) -> Drawn:
        chance = np.random.default_rng([seed, number])
        own = chance.normal(0, spread, (count, len(means)))
        return np.array((own + chance.normal(0, spread, (count, 1)) + means)[:, list(options)])

    return draw


def noting(draw: Draw, asked: list[tuple[list[int], int]]) -> Draw:
    """The same playouts; the options and the number of each round are noted."""

    def noted(options: Sequence[int], count: int, number: int) -> Drawn:
        asked.append((list(options), count))
        return draw(options, count, number)

    return noted


def even(size: int) -> list[float]:
    return [1 / size] * size


def test_expected_heads_lie_within_their_errors() -> None:
    means = [5.0, 6.0, 9.0, 5.5]
    found = estimate(drawing(means, 1), 1, even(4), 0.2, 1 << 16)
    assert found.best == 0
    assert max(found.error, found.errors[1], found.errors[3]) <= 0.2
    behind = np.subtract(found.heads, found.heads[0])
    assert all(abs(behind - np.subtract(means, 5.0)) <= 4 * np.array(found.errors))
    assert abs(found.cost - 1.0) < 4 * found.cost_error
    assert abs(found.choice - (6.0 - 6.375)) < 4 * found.choice_error
    assert abs(found.expected - 6.375) < 5 * found.error


def test_an_option_that_is_clearly_worse_is_played_out_no_further() -> None:
    asked: list[tuple[list[int], int]] = []
    found = estimate(noting(drawing([3.0, 3.1, 30.0], 2), asked), 0, even(3), 0.2, 1 << 14)
    assert asked[0][0] == [0, 1, 2]
    assert asked[-1][0] == [0, 1]
    assert found.errors[2] < 0.6


@pytest.mark.parametrize("chosen", [0, 2])
def test_the_cost_of_a_choice_among_equals_has_no_bias(chosen: int) -> None:
    """All options are equal, so every cost is 0. Read off the best of the estimates, it would be far above."""
    found = [estimate(drawing([4.0] * 8, seed), chosen, even(8), 1.0, 256) for seed in range(200)]
    costs = np.array([one.cost for one in found])
    assert abs(costs.mean()) < 4 * costs.std() / len(costs) ** 0.5
    naive = np.mean([one.heads[chosen] - one.heads[one.best] for one in found])
    assert naive > 5 * abs(costs.mean())


def test_the_only_option_costs_nothing() -> None:
    found: Estimate = estimate(drawing([4.0], 1), 0, [1.0], 0.5, 4096)
    assert (found.best, found.cost, found.cost_error, found.choice, found.choice_error) == (0, 0, 0, 0, 0)


def test_the_number_of_playouts_is_bounded() -> None:
    assert estimate(drawing([4.0, 4.0], 1), 0, even(2), 0.001, 700).playouts == 700


def test_where_playouts_are_dear_all_options_together_get_a_bounded_number() -> None:
    """The choice and the best options get most of them, and the errors say how far that went."""
    asked: list[tuple[list[int], int]] = []
    means = [6.0 + option / 4 for option in range(30)]
    found = estimate(noting(drawing(means, 5), asked), 29, even(30), 0.01, 4096, 1200)
    assert 1000 <= sum(len(options) * count for options, count in asked) <= 1300
    assert asked[-1][1] > 5 * asked[0][1]
    assert found.playouts == sum(count for _, count in asked)
    assert 0.2 < found.cost_error < 2
    assert abs(found.cost - 7.25) < 4 * found.cost_error + 1

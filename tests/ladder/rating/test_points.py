"""Heads per deal: right for known bots, also at tables that are not alike."""

import numpy as np
import pytest

from bullring.ladder.rating.points import points
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.tally import tally
from tests.ladder.rating.synthetic import Array, by_hand, ragged, relabelled, reseated, rotation, tables


def additive(rng: np.random.Generator, effects: Array, lineups: np.ndarray, size: int) -> Results:
    """Heads as the model has them: of the bot, of the group, of the hand that goes round, of the bot in this deal, of the match."""
    groups, seats = lineups.shape
    turned = (np.arange(seats)[None, :] + np.arange(size)[:, None]) % seats
    heads = (
        effects[lineups][:, None, :]
        + rng.normal(50, 10, (groups, 1, 1))
        + rng.normal(0, 10, (groups, seats))[:, turned]
        + rng.normal(0, 5, (groups, 1, seats))
        + rng.normal(0, 5, (groups, size, seats))
    )
    return Results.stacked(len(effects), lineups, np.ones(heads.shape, dtype=int), np.rint(heads).astype(int))


@pytest.mark.parametrize(("seats", "size"), [(2, 2), (4, 4), (10, 10), (4, 1), (4, 2)])
def test_known_differences_are_found_and_intervals_hold(seats: int, size: int) -> None:
    rng = np.random.default_rng(seats * 10 + size)
    effects = np.linspace(-3, 3, seats + 2)
    right = []
    for _ in range(200):
        found = points(tally(additive(rng, effects, tables(rng, seats + 2, seats, 60), size)))
        above = effects - found.deals @ effects / found.deals.sum()
        low, high = found.bounds
        right.append(((low <= above) & (above <= high)).mean())
    assert 0.93 <= np.mean(right) <= 0.97


def test_rivals_that_give_heads_away_do_not_flatter() -> None:
    """Bot 0 meets 2, bot 1 meets 3: the plain means mislead, the chain over 2 against 3 does not."""
    groups: list[tuple[list[int], list[list[int]]]] = []
    for of_group in (0, 1, 5):
        groups += [
            ([0, 2], [[10 + of_group, 10 + of_group]]),
            ([1, 3], [[10 + of_group, 20 + of_group]]),
            ([2, 3], [[5 + of_group, 6 + of_group]]),
        ]
    found = points(tally(by_hand(4, groups)))
    assert found.mean[0] == found.mean[1]
    assert found.effects - found.effects[0] == pytest.approx([0, -9, 0, 1])
    assert found.above @ found.deals == pytest.approx(0.0, abs=1e-9)


def test_in_a_latin_square_it_is_the_mean_less_that_of_the_group() -> None:
    rng = np.random.default_rng(4)
    results = rotation(rng, np.linspace(-100, 100, 4), tables(rng, 4, 4, 30))
    found = points(tally(results))
    own = np.zeros(4)
    for lineup, heads in zip(results.lineups, results.heads.reshape(30, 4, 4), strict=True):
        own[lineup] += heads.mean(axis=0) - heads.mean()
    assert found.above == pytest.approx(own / 30)
    assert found.mean == pytest.approx(found.above + results.heads.mean())


def test_an_error_is_that_of_the_jackknife_over_groups() -> None:
    """Least squares are linear: then leaving out each group in turn gives the very same."""
    rng = np.random.default_rng(5)
    results = ragged(rng, rotation(rng, np.linspace(-100, 100, 6), tables(rng, 6, 4, 25)))
    whole = points(tally(results))
    moved = np.array([points(tally(results.chosen(np.arange(25) != g))).effects - whole.effects for g in range(25)])
    assert whole.covariance == pytest.approx(moved.T @ moved, rel=1e-9, abs=1e-12)


def test_nothing_depends_on_order_places_or_numbers() -> None:
    rng = np.random.default_rng(6)
    results = ragged(rng, rotation(rng, np.linspace(-100, 100, 6), tables(rng, 6, 4, 50)))
    one = points(tally(results))
    names = rng.permutation(6)
    for other in (results.chosen(rng.permutation(50)), reseated(rng, results), relabelled(results, names)):
        order = names if other.lineups.tolist() == names[results.lineups].tolist() else np.arange(6)
        found = points(tally(other))
        assert found.mean[order] == pytest.approx(one.mean, abs=1e-9)
        assert found.above[order] == pytest.approx(one.above, abs=1e-9)
        assert found.errors[order] == pytest.approx(one.errors, abs=1e-9)


def test_heads_are_counted_for_each_deal() -> None:
    one = points(tally(Results.stacked(2, [[0, 1]], [[[1, 2]]], [[[30, 60]]], deals=10)))
    assert one.mean.tolist() == [3.0, 6.0]
    assert one.above == pytest.approx([-1.5, 1.5])
    assert one.deals.tolist() == [10, 10]
    assert one.errors.tolist() == [np.inf, np.inf]
    assert one.bounds[0].tolist() == [-np.inf] * 2


def test_parts_stand_by_themselves_and_who_never_played_has_no_points() -> None:
    found = points(tally(by_hand(5, [([0, 1], [[1, 3]]), ([2, 3], [[11, 13]])] * 3)))
    assert found.above[:4] == pytest.approx([-1, 1, -1, 1])
    assert found.mean[:4].tolist() == [1, 3, 11, 13]
    assert np.isnan([found.above[4], found.mean[4], found.errors[4]]).all()
    assert np.isnan(points(tally(Results.none(2, 4))).above).all()

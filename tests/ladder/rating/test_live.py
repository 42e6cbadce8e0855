"""A list that grows, block by block: the same figures as of all of it at once."""

import numpy as np
import pytest

from bullring.ladder.rating.elo import Walk
from bullring.ladder.rating.estimate import estimate
from bullring.ladder.rating.history import history
from bullring.ladder.rating.live import YOUNG, Live
from bullring.ladder.rating.points import points
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.tally import tally
from tests.ladder.rating.synthetic import ragged, rotation, tables


def fed(results: Results, block: int, every: int = 1) -> Live:
    """In blocks, with a look at the ratings after some of them, as in a run."""
    live = Live(results.seats, 1500.0)
    for number, start in enumerate(range(0, results.groups, block)):
        live.add(results.chosen(slice(start, start + block)))
        if number % every == 0:
            live.estimate()
            live.points()
    return live


@pytest.mark.parametrize(("seats", "size", "bots"), [(2, 1, 8), (4, 1, 12), (4, 4, 6), (10, 1, 12)])
def test_a_long_list_has_the_ratings_of_the_batch_and_errors_within_one_percent(
    seats: int, size: int, bots: int
) -> None:
    rng = np.random.default_rng(seats)
    lineups = tables(rng, bots, seats, 4 * YOUNG * bots // seats)
    results = rotation(rng, np.linspace(-300, 300, bots), lineups, matches=size)
    live, whole = fed(results, 97), estimate(tally(results), 2, 1500.0)
    found = live.estimate(2, 1500.0)
    assert found.ratings == pytest.approx(whole.ratings, abs=0.01)
    apart = ~np.eye(bots, dtype=bool)
    assert found.errors[apart] == pytest.approx(whole.errors[apart], rel=0.01)
    assert np.array_equal(found.matches, whole.matches)
    assert live.points().above == pytest.approx(points(tally(results)).above, abs=1e-9)
    assert live.points().errors == pytest.approx(points(tally(results)).errors, rel=0.01)
    walk = Walk(1500.0)
    walk.add(results)
    assert live.running == pytest.approx(walk.ratings)


def test_the_intervals_of_new_bots_in_an_old_list_are_those_of_the_batch() -> None:
    """Some with a handful of groups, one that has never won, and one that comes last and has not played."""
    rng = np.random.default_rng(2)
    truth = np.array([0.0, 50, 100, -50, -100, 20, -20, 2000.0, 0.0])
    lineups = tables(rng, 5, 4, 2000)
    for bot, few in ((5, 4), (6, 40), (7, 12)):
        lineups[1900 + bot : 1900 + bot + few, 0] = bot
    results = ragged(rng, rotation(rng, truth, lineups, matches=2))
    whole = estimate(tally(results))
    found = fed(results, 50, 7).estimate()
    for one, other in ((found.low, whole.low), (found.high, whole.high)):
        finite = np.isfinite(other)
        assert np.array_equal(np.isfinite(one), finite)
        assert one[finite] == pytest.approx(other[finite], abs=0.01 * 350)
    for bot in (5, 6, 7):
        assert found.errors[bot, 0] == pytest.approx(whole.errors[bot, 0], rel=0.003)
    assert np.isnan(found.ratings[8])


def test_bots_may_join_and_nothing_grows_with_the_matches() -> None:
    rng = np.random.default_rng(3)
    live = Live(3)
    for number in range(60):
        bots = 5 + number // 20
        live.add(rotation(rng, np.zeros(bots), tables(rng, bots, 3, 200), matches=1))
        live.estimate()
    assert live.sums.groups == 12_000
    assert live.kept <= 7 * YOUNG
    assert live.estimate().groups.sum() == 36_000


def test_the_history_of_a_long_list_is_within_one_percent_of_the_batch() -> None:
    rng = np.random.default_rng(4)
    results = rotation(rng, np.linspace(-200, 200, 6), tables(rng, 6, 4, 6000), matches=1)
    course = history(tally(results), [300, 3000, 6000])
    for row, count in enumerate((300, 3000, 6000)):
        whole = estimate(tally(results.chosen(slice(0, count))))
        assert course.ratings[row] == pytest.approx(whole.ratings, abs=0.01)
        widths = (course.high[row] - course.low[row])[1:]
        assert widths == pytest.approx((whole.high - whole.low)[1:], rel=0.01)


def test_a_list_without_groups_has_no_ratings() -> None:
    live = Live(4)
    live.add(Results.none(3, 4))
    assert np.isnan(live.estimate().ratings).all()
    assert np.isnan(live.points().above).all()
    assert np.isnan(live.running).all()

"""Ratings: right on average, errors that hold, and no surprise at the edges."""

from itertools import permutations

import numpy as np
import pytest

from bench.verdicts.lopsided import corrected, looked
from bench.verdicts.ranks import Field, looks
from bullring.ladder.rating.estimate import PRIOR, estimate
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO, QUANTILE, elo, share
from bullring.ladder.rating.tally import tally
from tests.ladder.rating.synthetic import by_hand, duel, ragged, relabelled, reseated, rotation, tables, tied


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_strengths_that_made_the_results_are_found_again(seats: int) -> None:
    rng = np.random.default_rng(seats)
    truth = np.linspace(-300, 300, 12)
    found = estimate(tally(rotation(rng, truth, tables(rng, 12, seats, 40_000 // seats))), anchor=3, rating=1500.0)
    assert found.ratings[3] == 1500.0
    assert np.abs(found.ratings - 1500 - (truth - truth[3])).max() < 20
    assert (np.abs(found.differences - np.subtract.outer(truth, truth)) <= 4 * found.errors).all()


def test_the_estimate_is_where_all_points_are_as_expected() -> None:
    """The equations of Bradley and Terry, ties as halves, but for about five ties in all that keep the scale."""
    rng = np.random.default_rng(9)
    results = tied(ragged(rng, rotation(rng, np.linspace(-100, 100, 6), tables(rng, 6, 5, 300))))
    tallied = tally(results)
    found = estimate(tallied)
    matches, balance = tallied.met()
    expected = (matches * share(found.differences)).sum(axis=1)
    assert ((matches + balance) / 2).sum(axis=1) == pytest.approx(expected, abs=0.8)


@pytest.mark.parametrize(
    ("seats", "size", "groups", "replicates", "naive_at_most"),
    [
        # Single matches, as on a ladder: with two seats all results are independent, and ties vary less than wins.
        (2, 1, 200, 600, 0.97),
        pytest.param(3, 1, 200, 600, 0.97, marks=pytest.mark.slow),
        (4, 1, 160, 600, 0.90),
        (10, 1, 150, 250, 0.75),
        # Groups, as with --duplicate.
        (2, 2, 200, 600, 0.95),
        (4, 4, 80, 600, 0.80),
        pytest.param(10, 10, 60, 250, 0.60, marks=pytest.mark.slow),
    ],
)
def test_intervals_of_95_percent_hold_as_often_as_they_say(
    seats: int, size: int, groups: int, replicates: int, naive_at_most: float
) -> None:
    """All pairs of bots count; those of one replicate are related, so that the margin is that of some hundred trials."""
    rng = np.random.default_rng(10 + seats)
    bots = seats + 2
    truth = np.linspace(-100, 100, bots) if seats != 3 else np.zeros(bots)  # half of all results are ties there
    right, naive = [], []
    for _ in range(replicates):
        played = rotation(rng, truth, tables(rng, bots, seats, groups), matches=size, hand=0.1, deal=0.5)
        found = estimate(tally(tied(played) if seats == 3 else played))
        low, high = found.bounds
        actual = np.subtract.outer(truth, truth)
        pairs = np.triu_indices(bots, 1)
        right.append(((low <= actual) & (actual <= high))[pairs].mean())
        # As if all results of two were independent: the inverse information, with each result's weight.
        own = found.curved.diagonal()
        alone = ELO * np.sqrt((own[:, None] + own[None, :] - 2 * found.curved) / (seats - 1))
        naive.append((np.abs(found.differences - actual) <= QUANTILE * alone)[pairs].mean())
    assert 0.93 <= np.mean(right) <= 0.97
    assert np.mean(naive) < naive_at_most


@pytest.mark.parametrize(("few", "size"), [(6, 1), (12, 1), (39, 1), (3, 4), (6, 4), (12, 4)])
def test_intervals_of_a_new_bot_hold_in_an_old_list(few: int, size: int) -> None:
    """With few matches or groups they may be too wide, but not too narrow."""
    rng = np.random.default_rng(few)
    truth = np.linspace(-100, 100, 7)
    right = []
    for _ in range(300):
        lineups = tables(rng, 6, 4, 100)
        lineups[:few, 0] = 6
        found = estimate(tally(rotation(rng, truth, lineups, matches=size)))
        low, high = found.bounds
        actual = truth[6] - truth[:6]
        right.append(((low[6, :6] <= actual) & (actual <= high[6, :6])).mean())
    assert 0.93 <= np.mean(right) <= 0.995


def test_nothing_depends_on_order_places_or_numbers() -> None:
    rng = np.random.default_rng(3)
    results = ragged(rng, rotation(rng, np.linspace(-50, 50, 6), tables(rng, 6, 4, 100)))
    names = rng.permutation(6)
    one, renamed = estimate(tally(results), 2), estimate(tally(relabelled(results, names)), int(names[2]))
    for other in (results.chosen(rng.permutation(100)), reseated(rng, results)):
        found = estimate(tally(other), 2)
        assert found.ratings == pytest.approx(one.ratings, abs=1e-9)
        assert found.errors == pytest.approx(one.errors, abs=1e-9)
    assert renamed.ratings[names] == pytest.approx(one.ratings, abs=1e-9)
    assert renamed.low[names] == pytest.approx(one.low, abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_lists_of_a_few_wild_results_have_one_maximum_and_it_is_found(seed: int) -> None:
    """Some never lost, some never met. All that results bound together has its points, but for the prior."""
    rng = np.random.default_rng(seed)
    bots, seats = int(rng.integers(4, 30)), int(rng.integers(2, 5))
    groups = int(rng.integers(1, 40))
    results = rotation(
        rng, rng.normal(0, 2000, bots), tables(rng, bots, seats, groups), matches=int(rng.integers(1, 60))
    )
    tallied = tally(results)
    found = estimate(tallied)
    matches, balance = tallied.met()
    rest = ((matches + balance) / 2 - matches * share(found.differences)).sum(axis=1) / (seats - 1)
    assert found.finite @ rest == pytest.approx(found.finite @ (PRIOR * found.strengths), abs=1e-6)
    played = found.groups > 0
    low, high = (end[np.ix_(played, played)] for end in found.bounds)
    assert (low <= found.differences[np.ix_(played, played)]).all()
    assert low == pytest.approx(-high.T)


@pytest.mark.parametrize("seats", [2, 4])
def test_few_matches_do_not_stretch_the_scale(seats: int) -> None:
    """The plain maximum has a slope of 1.09 here at two seats."""
    rng = np.random.default_rng(11)
    truth = np.linspace(-250, 250, 8)
    slopes = []
    for _ in range(300):
        found = estimate(tally(rotation(rng, truth, tables(rng, 8, seats, 240 // seats), matches=1)))
        slopes.append(float(truth @ found.ratings / (truth @ truth)))
    assert np.mean(slopes) == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("outlier", [600.0, -600.0])
def test_one_bot_far_away_does_not_bend_the_scale(outlier: float) -> None:
    """Its slope was .96 where bots were taken for equal."""
    field = Field("", np.append(np.zeros(9), outlier), 4, (100,))
    found = np.array([looked(*look) for seed in range(150) for look in looks(field, seed, "random")])
    assert np.mean(corrected(*found.T[:2])) == pytest.approx(1.0, abs=0.02)


def test_another_anchor_moves_all_ratings_alike() -> None:
    rng = np.random.default_rng(7)
    tallied = tally(rotation(rng, np.linspace(-50, 50, 6), tables(rng, 6, 4, 50)))
    one, other = estimate(tallied, 0, 1000.0), estimate(tallied, 5, 2000.0)
    assert np.ptp(one.ratings - other.ratings) < 1e-9
    assert np.array_equal(one.errors, other.errors)
    assert (one.ratings[0], other.ratings[5]) == (1000.0, 2000.0)
    assert one.low - one.ratings == pytest.approx(other.low - other.ratings)
    assert one.high - one.ratings == pytest.approx(other.high - other.ratings)
    free = estimate(tallied, rating=1000.0)
    assert free.mean == 1000.0
    assert free.ratings @ free.weights == pytest.approx(1000.0)
    assert one.mean == pytest.approx(1000.0 + free.mean - free.ratings[0])


def test_four_times_the_groups_are_half_of_the_error() -> None:
    rng = np.random.default_rng(8)
    results = rotation(rng, np.linspace(-50, 50, 6), tables(rng, 6, 4, 500))
    one, four = (estimate(tally(results.chosen(np.tile(np.arange(500), times)))) for times in (1, 4))
    assert four.ratings == pytest.approx(one.ratings, abs=0.1)
    assert four.errors == pytest.approx(one.errors / 2, rel=0.02)


def test_a_group_that_is_repeated_within_itself_is_no_more_evidence() -> None:
    """The same match four times in one group: four times the matches, hardly another error."""
    rng = np.random.default_rng(8)
    results = rotation(rng, np.linspace(-50, 50, 6), tables(rng, 6, 4, 500), matches=1)
    fourfold = Results.stacked(
        6, results.lineups, *(np.repeat(array[:, None], 4, axis=1) for array in (results.ranks, results.heads))
    )
    one, four = estimate(tally(results)), estimate(tally(fourfold))
    assert four.errors == pytest.approx(one.errors, rel=0.02)


def test_two_bots_are_rated_by_their_share() -> None:
    found = estimate(tally(duel([34, 54, 63, 64, 75])), anchor=1)
    assert found.ratings[0] == pytest.approx(55.58, abs=0.15)
    assert found.bounds[1][0, 1] - found.bounds[0][0, 1] == pytest.approx(2 * 27.65, rel=0.01)
    assert found.high[0] - found.low[0] == pytest.approx(27.65, rel=0.01)


def test_all_ties_are_equal_ratings() -> None:
    found = estimate(tally(by_hand(3, [([0, 1, 2], [[7, 7, 7]] * 3)] * 5)))
    assert found.ratings.tolist() == [0, 0, 0]
    assert found.low[1] < -50
    assert found.high[1] > 50


def test_an_uncertain_bot_widens_no_interval_of_the_others() -> None:
    """A newcomer with four matches among bots with hundreds, anchor or not."""
    rng = np.random.default_rng(12)
    truth = np.linspace(-100, 100, 9)
    lineups = tables(rng, 8, 4, 800)
    late = np.column_stack([np.full(4, 8), tables(rng, 8, 3, 4)])
    results = rotation(rng, truth, np.concatenate([lineups, late]), matches=1)
    before = estimate(tally(results.chosen(slice(0, 800))))
    for anchor in (None, 8):
        found = estimate(tally(results), anchor, 1500.0)
        widths, old = found.high - found.low, before.high - before.low
        assert widths[8] > 5 * widths[:8].max()
        assert widths[:8] == pytest.approx(old[:8], rel=0.01)


def test_who_nobody_beat_is_no_part_of_the_mean() -> None:
    groups = [([0, 1], [[1, 2], [2, 1]]), ([0, 2], [[1, 0]]), ([1, 2], [[1, 0]])] * 3
    found = estimate(tally(by_hand(3, groups)), rating=1000.0)
    assert found.weights.tolist() == [0.5, 0.5, 0.0]
    assert np.isfinite(found.low).all()
    assert np.isfinite(found.high).tolist() == [True, True, False]
    alone = estimate(tally(by_hand(2, [([0, 1], [[1, 2]])] * 3)))
    assert (alone.low[0], alone.high[0]) == (-np.inf, np.inf)


def test_who_never_lost_stands_above_with_no_upper_end() -> None:
    groups: list[tuple[list[int], list[list[int]]]] = [
        (
            list(lineup),
            [[0 if bot == 2 else h for bot, h in zip(lineup, heads, strict=True)] for heads in ([5, 7, 9], [9, 7, 5])],
        )
        for lineup in permutations(range(3))
    ]
    found = estimate(tally(by_hand(3, groups)), rating=1000.0)
    assert 1300 < found.ratings[2] < 3000
    assert found.high[2] == np.inf
    assert 700 < found.low[2] < found.ratings[2]
    assert found.comparable.all()
    assert (found.bounds[0][:2, 2] == -np.inf).all()


@pytest.mark.parametrize(("groups", "size"), [(1, 1), (3, 1), (3, 2), (10, 2), (100, 1), (1000, 2)])
def test_the_lower_end_of_who_never_lost_is_near_the_exact_one_and_not_above(groups: int, size: int) -> None:
    """The exact one is of who wins all of so many trials with 2.5 %, each group a trial; within 5 Elo."""
    exact = elo(0.025 ** (1 / groups))
    found, more = (estimate(tally(duel([0] * 2 * size + [count])), anchor=1) for count in (groups, groups + 1))
    assert exact - 250 < found.bounds[0][0, 1] < exact + 5
    assert exact < found.ratings[0] < more.ratings[0]
    assert found.bounds[0][0, 1] < more.bounds[0][0, 1]


def test_who_lost_to_the_winner_and_beat_nobody_else_is_unknown_to_another_such() -> None:
    """0 beat 1 and 0 beat 2: nothing is known of 1 and 2."""
    found = estimate(tally(by_hand(3, [([0, 1], [[0, 5]]), ([0, 2], [[0, 5]])] * 4)))
    assert [end[1, 2] for end in found.bounds] == [-np.inf, np.inf]


def test_who_never_played_has_no_rating() -> None:
    found = estimate(tally(by_hand(4, [([0, 2], [[1, 2], [2, 1]])] * 3)))
    assert np.isnan(found.ratings).tolist() == [False, True, False, True]
    assert np.isnan(found.low).tolist() == [False, True, False, True]
    assert found.comparable.tolist() == [True, False, True, False]
    assert found.errors[1, 3] == np.inf


def test_parts_without_a_chain_of_matches_are_not_compared() -> None:
    rng = np.random.default_rng(5)
    lineups = np.array([[0, 1], [1, 2], [0, 2], [3, 4], [3, 4]] * 20)
    found = estimate(tally(rotation(rng, np.array([0.0, 100, 200, 0, 300]), lineups)), anchor=1, rating=1000.0)
    assert found.comparable.tolist() == [True, True, True, False, False]
    assert np.isfinite(found.ratings).all()
    assert found.ratings[3] + found.ratings[4] == pytest.approx(2000.0)
    assert found.low[3:].tolist() == [-np.inf] * 2
    assert found.high[3:].tolist() == [np.inf] * 2
    assert found.errors[0, 4] == np.inf
    assert np.isfinite(found.errors[4, 3])


def test_an_anchor_that_never_played_changes_nothing() -> None:
    found = estimate(tally(by_hand(3, [([0, 1], [[1, 2], [2, 1], [1, 2]])] * 3)), anchor=2, rating=500.0)
    assert found.anchor is None
    assert found.comparable.tolist() == [True, True, False]
    assert found.ratings[0] + found.ratings[1] == pytest.approx(1000.0)
    assert np.isnan(found.ratings[2])


@pytest.mark.parametrize("bots", [1, 3])
def test_a_list_without_groups_has_no_ratings(bots: int) -> None:
    found = estimate(tally(Results.none(bots, 4)))
    assert np.isnan(found.ratings).all()
    with pytest.raises(ValueError, match=f"^the anchor must be a bot number from 0 to {bots - 1}, not {bots}$"):
        estimate(tally(Results.none(bots, 4)), anchor=bots)


def test_a_single_group_tells_no_error() -> None:
    found = estimate(tally(by_hand(2, [([0, 1], [[1, 2], [2, 1], [1, 2]])])), anchor=1)
    assert found.ratings[0] == pytest.approx(elo(2 / 3))
    assert (found.low[0], found.high[0]) == (-np.inf, np.inf)

"""The company of one bot for another: effects that are there are found, and honest tables are left alone."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from bullring.arena.games import simulator
from bullring.arena.games.simulator.games import POLICIES
from bullring.ladder.rating.company import LEAST, company, telling
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO
from bullring.ladder.rating.style import Unusual, unusual
from bullring.ladder.rating.tally import Tally, tally
from tests.ladder.rating.synthetic import Array, by_hand, relabelled, reseated, tables


def played(rng: np.random.Generator, elo: Array, lineups: NDArray[np.int64], help_: Array) -> Results:
    """Matches by Plackett-Luce, in which bot j is stronger by help_[i, j] Elo for each other bot i at the table."""
    own = elo[lineups] + help_[lineups[:, :, None], lineups[:, None, :]].sum(axis=1)
    value = own / ELO - np.log(rng.exponential(size=lineups.shape))
    ranks = 1 + (value[:, None, :] > value[:, :, None]).sum(axis=-1)
    heads = np.rint(np.clip(12 - 4 * value, 0, None)).astype(np.int64)
    return Results.stacked(len(elo), lineups, ranks[:, None, :], heads[:, None, :])


def home(seed: int, help_: Array, seats: int = 4, matches: int = 6000) -> Tally:
    rng = np.random.default_rng(seed)
    elo = np.linspace(-150, 150, len(help_))
    return tally(played(rng, elo, tables(rng, len(help_), seats, matches), help_))


def judged(seed: int, help_: Array, seats: int = 4, matches: int = 6000) -> Unusual:
    return unusual(company(home(seed, help_, seats, matches)), seats)


def helped(bots: int, *pairs: tuple[int, int], elo: float = 100.0) -> Array:
    found = np.zeros((bots, bots))
    for pair in pairs:
        found[pair] = elo
    return found


def test_help_is_measured_in_points_against_third_parties_and_in_heads() -> None:
    found = company(home(1, helped(8, (2, 5))))
    # 100 Elo are worth 0.14 points at even strength.
    assert found.points[2, 5] == pytest.approx(0.13, abs=3 * found.points_errors[2, 5])
    assert found.heads[2, 5] == pytest.approx(4 * 100 / ELO, abs=3.5 * found.heads_errors[2, 5])
    assert found.matches[2, 5] == found.groups[2, 5] > 1000
    assert abs(found.points[5, 2]) < 3 * found.points_errors[5, 2]


def test_errors_are_those_of_honest_tables_at_any_number_of_seats() -> None:
    for seats in (3, 4, 7):
        deviates = []
        for seed in range(8):
            found = company(home(seed, np.zeros((9, 9)), seats, 1500))
            deviates.append(found.points / found.points_errors)
            deviates.append(found.heads / found.heads_errors)
        flat = np.array(deviates)
        assert 0.95 < np.nanstd(flat) < 1.1
        assert abs(np.nanmean(flat)) < 0.05


def test_only_those_who_help_are_unusual() -> None:
    assert np.argwhere(judged(1, helped(10, (2, 5), (5, 2), elo=140.0), matches=9000).marked).tolist() == [
        [2, 5],
        [5, 2],
    ]
    against = judged(2, helped(10, (6, 1), elo=-140.0), matches=9000)
    assert np.argwhere(against.marked).tolist() == [[6, 1]]
    assert against.beyond[6, 1] < 0


def test_honest_lists_are_left_alone() -> None:
    marked = [judged(seed, np.zeros((8, 8)), matches=2000).marked.any() for seed in range(12)]
    assert sum(marked) <= 1


def test_a_pattern_of_all_bots_is_style_and_not_help() -> None:
    rng = np.random.default_rng(3)
    pattern = 35.0 * np.outer(rng.choice([-1.0, 1.0], 12), rng.choice([-1.0, 1.0], 12))
    found = judged(3, pattern, matches=20_000)
    assert not found.marked.any()
    assert np.corrcoef(found.style[~np.eye(12, dtype=bool)], pattern[~np.eye(12, dtype=bool)])[0, 1] > 0.9
    pattern[4, 7] += 140.0
    assert np.argwhere(judged(3, pattern, matches=20_000).marked).tolist() == [[4, 7]]


def test_what_would_be_unusual_is_told() -> None:
    found = judged(1, helped(8, (2, 5)))
    some = np.isfinite(found.beyond)
    assert np.array_equal(found.marked[some], np.abs(found.beyond[some]) >= found.least[some])


def test_nothing_is_said_where_nothing_can_be_known() -> None:
    rng = np.random.default_rng(4)
    for lineups, bots in (
        (tables(rng, 4, 2, 500), 4),  # two seats
        (tables(rng, 4, 4, 500), 4),  # always everybody
        (tables(rng, 30, 3, LEAST), 30),  # too few matches of any two
        (tables(rng, 5, 3, 0), 5),
    ):
        found = company(tally(played(rng, np.zeros(bots), lineups, np.zeros((bots, bots)))))
        assert np.isnan(found.points).all()
        assert not unusual(found, lineups.shape[1]).marked.any()


def test_nothing_depends_on_order_places_or_names() -> None:
    rng = np.random.default_rng(5)
    results = played(rng, np.linspace(-50, 50, 6), tables(rng, 6, 3, 600), helped(6, (0, 1)))
    names = rng.permutation(6)
    one = company(tally(results))
    for other in (results.chosen(rng.permutation(600)), reseated(rng, results)):
        assert company(tally(other)).points == pytest.approx(one.points, abs=1e-9, nan_ok=True)
    renamed = company(tally(relabelled(results, names)))
    assert renamed.points[np.ix_(names, names)] == pytest.approx(one.points, abs=1e-9, nan_ok=True)
    assert renamed.heads_errors[np.ix_(names, names)] == pytest.approx(one.heads_errors, abs=1e-9, nan_ok=True)


def test_the_most_telling_matches_are_those_won_by_most_against_third_parties() -> None:
    results = by_hand(
        4,
        [
            ([0, 1, 2], [[5, 6, 9]]),
            ([0, 1, 3], [[1, 2, 30]]),  # 1 is 28 ahead of 3, beside 0
            ([1, 2, 3], [[0, 40, 40]]),  # without 0
            ([2, 1, 0], [[1, 20, 0]]),
        ],
    )
    assert telling(tally(results), 0, 1, 2).tolist() == [1, 0]
    assert telling(tally(results), 0, 1, 1, worst=True).tolist() == [3]


@pytest.mark.slow
@pytest.mark.skipif(not simulator.COMPILED, reason="takes minutes unless it is compiled: BULLRING_COMPILE=1")
def test_honest_bots_of_all_policies_are_left_alone_though_they_move_each_others_results() -> None:
    """Ten programs, six ways to play: each four of them play 400 deals."""
    policies = [*POLICIES, *POLICIES[:4]]
    lineups = np.repeat(list(combinations(range(10), 4)), 400, axis=0)
    marks, moved = 0, []
    for seed in range(10):
        dealt = [
            simulator.play("standard", 4, {}, [policies[bot] for bot in four], 400, 1000 * seed + number)
            for number, four in enumerate(combinations(range(10), 4))
        ]
        heads = np.concatenate(dealt)
        ranks = 1 + (heads[:, None, :] < heads[:, :, None]).sum(axis=-1)
        found = company(tally(Results.stacked(10, lineups, ranks[:, None, :], heads[:, None, :])))
        marks += bool(unusual(found, 4).marked.any())
        moved.append(np.nanmax(np.abs(found.points / found.points_errors)))
    assert marks <= 1
    assert np.mean(moved) > 4

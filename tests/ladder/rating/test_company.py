"""The company of one bot for another: effects that are there are found, and honest tables are left alone."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from bullring.arena.games import simulator
from bullring.arena.games.simulator.games import POLICIES
from bullring.ladder.rating.company import LEAST, company, telling
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.rings import Ring, Verdict, judged
from bullring.ladder.rating.scales import ELO
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


def verdict(tallied: Tally) -> Verdict:
    """On a list whose matches are in no order, every second one is held back."""
    early = np.arange(tallied.groups) % 2 == 0
    return judged(company(tallied), (company(tallied.chosen(early)), company(tallied.chosen(~early))), tallied.seats)


def alarms(found: Verdict) -> list[Ring]:
    return [one.ring for one in found.suspicions if one.confirmed]


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


PAIR = helped(12, (3, 8), (8, 3))
RING = helped(12, *((a, b) for a in (1, 3, 5, 8) for b in (1, 3, 5, 8) if a != b))
KING = helped(12, (1, 3), (5, 3), (8, 3))


@pytest.mark.parametrize(
    ("help_", "ring"),
    [
        (PAIR, Ring((3, 8), (3, 8))),
        (RING, Ring((1, 3, 5, 8), (1, 3, 5, 8))),
        (KING, Ring((1, 5, 8), (3,))),
        (helped(12, (6, 1), elo=-140.0), Ring((6,), (1,), -1)),
    ],
)
def test_helpers_are_found_and_only_they(help_: Array, ring: Ring) -> None:
    (found,) = verdict(home(1, help_, matches=20_000)).suspicions
    assert found.ring == ring
    assert found.confirmed
    assert found.effect == pytest.approx(found.first, abs=3 * found.error)


@pytest.mark.slow
def test_two_rings_are_told_apart() -> None:
    found = verdict(home(2, PAIR + helped(12, (0, 10), (1, 10)), matches=20_000))
    assert sorted(alarms(found)) == [Ring((0, 1), (10,)), Ring((3, 8), (3, 8))]


def test_honest_lists_are_left_alone() -> None:
    assert not any(alarms(verdict(home(seed, np.zeros((8, 8)), matches=2000))) for seed in range(4))


@pytest.mark.slow
def test_patterns_of_all_bots_are_style_and_not_help() -> None:
    rng = np.random.default_rng(4)
    pattern = 27.0 * rng.choice([-1.0, 1.0], (12, 2)) @ rng.choice([-1.0, 1.0], (2, 12))
    off = ~np.eye(12, dtype=bool)
    found = verdict(home(4, pattern, matches=20_000))
    assert not found.suspicions
    assert found.axes >= 2
    seen = pattern - pattern.mean(axis=0) - pattern.mean(axis=1)[:, None]  # what is done to all alike cancels
    assert np.corrcoef(found.style[off], seen[off])[0, 1] > 0.9
    assert alarms(verdict(home(4, pattern + PAIR, matches=20_000))) == [Ring((3, 8), (3, 8))]


def test_help_that_ended_before_the_matches_held_back_is_not_confirmed() -> None:
    then, now = home(4, PAIR, matches=10_000), home(5, np.zeros((12, 12)), matches=10_000)
    assert not alarms(judged(company(then), (company(then), company(now)), 4))


def test_nothing_is_said_where_nothing_can_be_known() -> None:
    rng = np.random.default_rng(4)
    for lineups, bots in (
        (tables(rng, 4, 2, 500), 4),  # two seats
        (tables(rng, 4, 4, 500), 4),  # always everybody
        (tables(rng, 30, 3, LEAST), 30),  # too few matches of any two
        (tables(rng, 5, 3, 0), 5),
    ):
        tallied = tally(played(rng, np.zeros(bots), lineups, np.zeros((bots, bots))))
        assert np.isnan(company(tallied).points).all()
        assert not verdict(tallied).suspicions


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
        tallied = tally(Results.stacked(10, lineups, ranks[:, None, :], heads[:, None, :]))
        found = company(tallied)
        marks += bool(alarms(verdict(tallied)))
        moved.append(np.nanmax(np.abs(found.points / found.points_errors)))
    assert marks <= 1
    assert np.mean(moved) > 4

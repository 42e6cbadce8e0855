"""The schedule of a ladder: new bots first, everybody comparable, and machine time where it tells most."""

from collections import Counter

import numpy as np
import pytest

from bullring.ladder.pairing.forecast import Mix, forecast
from bullring.ladder.pairing.informed import Informed
from bullring.ladder.pairing.known import Known
from bullring.ladder.rating.scales import ELO, QUANTILE


def schedule(seats: int, known: Known, bots: int) -> Informed:
    found = Informed(seats, np.random.default_rng(1))
    found.learn(known, range(bots))
    return found


def even(bots: int, each: int, width: float = 50.0, target: float | None = None) -> Known:
    """Every two bots met as often; all intervals are as wide."""
    met = np.full((bots, bots), each, dtype=np.int32)
    np.fill_diagonal(met, 0)
    return Known(
        tuple(range(bots)), met, np.linspace(1400, 1600, bots), np.full(bots, width), np.full(bots, 1 / bots), target
    )


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_tables_have_every_bot_once_and_an_empty_ladder_gets_everybody_to_them(seats: int) -> None:
    found = schedule(seats, Known.nothing(), 12)
    lineups = [found.next(range(12)) for _ in range(60)]
    assert all(lineup is not None and len(set(lineup)) == seats for lineup in lineups)
    played = Counter(bot for lineup in lineups for bot in lineup or ())
    assert min(played[bot] for bot in range(12)) >= 0.6 * 5 * seats


def test_a_bot_that_nobody_has_met_is_at_most_tables_at_first_and_then_one_of_many() -> None:
    found = schedule(4, even(20, 100), 21)
    lineups = [found.next(range(21)) or () for _ in range(400)]
    assert sum(20 in lineup for lineup in lineups[:40]) >= 20
    late = schedule(4, even(21, 100), 21)
    assert sum(20 in (late.next(range(21)) or ()) for _ in range(400)) < 150


def test_parts_that_never_met_are_brought_together() -> None:
    met = np.kron(np.eye(2), np.full((6, 6), 100)).astype(np.int32)
    np.fill_diagonal(met, 0)
    widths = np.where(np.arange(12) < 6, 40.0, np.inf)
    found = schedule(
        2, Known(tuple(range(12)), met, np.full(12, 1500.0), widths, np.where(np.arange(12) < 6, 1 / 6, 0.0)), 12
    )
    lineups = [found.next(range(12)) or (0, 0) for _ in range(20)]
    assert sum((a < 6) != (b < 6) for a, b in lineups) >= 15


def test_who_is_known_well_enough_plays_only_as_an_opponent_of_the_others() -> None:
    known = even(12, 400, 10.0, target=15.0)
    known.widths[7] = 30.0
    found = schedule(2, known, 12)
    assert sum(7 in (found.next(range(12)) or ()) for _ in range(100)) >= 98


def test_bots_that_may_not_sit_do_not_and_one_of_some_does() -> None:
    found = schedule(3, even(12, 5), 12)
    for _ in range(50):
        lineup = found.next([1, 3, 5, 7, 9], [3, 9, 11])
        assert lineup is not None
        assert set(lineup) <= {1, 3, 5, 7, 9}
        assert {3, 9} & set(lineup)
    assert found.next([1, 3]) is None
    assert found.next([1, 3, 5], [7]) is None


def test_a_dear_bot_plays_less_but_is_not_forgotten() -> None:
    found = schedule(2, even(8, 3), 8)
    costs = dict.fromkeys(range(8), 1.0) | {7: 20.0}
    played = Counter(bot for _ in range(2000) for bot in found.next(range(8), None, costs) or ())
    assert played[7] < 0.6 * min(played[bot] for bot in range(7))
    widths = found.widths()
    assert widths[7] < 3.5 * max(width for bot, width in widths.items() if bot != 7)


def test_what_is_planned_counts_until_it_is_known_or_cancelled() -> None:
    found = schedule(2, even(6, 50), 6)
    before = found.widths()
    lineups = [found.next(range(6)) or () for _ in range(100)]
    assert all(width < before[bot] for bot, width in found.widths().items())
    planned = found.widths()
    for lineup in lineups:
        found.cancel(lineup)
    assert found.widths() == pytest.approx(before)
    lineups = [found.next(range(6)) or () for _ in range(100)]
    known = even(6, 50)
    for a, b in lineups:
        known.met[a, b] += 1
        known.met[b, a] += 1
    found.learn(known, range(6))
    assert sum(found.widths().values()) == pytest.approx(sum(planned.values()), rel=0.3)


def test_a_forecast_is_what_the_intervals_need() -> None:
    """Against equals, errors shrink with the square root of the matches."""
    met = even(12, 100).met
    each = 100 * 11 / 3
    width = QUANTILE * ELO * np.sqrt(2 * 16 * 5 / (36 * each))
    known = Known(tuple(range(12)), met, np.full(12, 1500.0), np.full(12, width), np.full(12, 1 / 12))
    found = forecast(known, dict.fromkeys(range(12), 0.01), width / 2, seats=4, active=range(12))
    assert found is not None
    assert found.width == width / 2
    assert 0.5 < found.matches / (3 * 12 * each / 4) < 1.2
    slow = Mix(frozenset({0}), 0.1)
    mixed = forecast(known, dict.fromkeys(range(12), 0.01), width / 2, seats=4, active=range(12), mix=slow)
    assert mixed is not None
    assert mixed.matches > 2 * found.matches, "a bot that plays a tenth of the matches needs more of them in all"
    unplayed = Mix(frozenset({0}), 0.0)
    assert forecast(known, dict.fromkeys(range(12), 0.01), width / 2, seats=4, active=range(12), mix=unplayed) == found
    assert forecast(Known.nothing(), {}, 10.0, seats=4, active=range(12)) is None

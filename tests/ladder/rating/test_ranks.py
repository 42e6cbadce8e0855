"""Intervals of ranks: they hold together as often as promised, and get narrow."""

import numpy as np
import pytest

from bench.verdicts.ranks import Field, judged, looks
from bullring.ladder.rating.estimate import estimate
from bullring.ladder.rating.ranks import better, decisive, ranks
from bullring.ladder.rating.tally import tally
from tests.ladder.rating.synthetic import by_hand


def test_all_intervals_of_a_list_hold_together_and_narrow() -> None:
    field = Field("", 150.0 * np.arange(6.0), 3, (60, 600))
    runs = [[judged(*look) for look in looks(field, seed)] for seed in range(12)]
    assert (
        sum(one.whole for run in runs for one in run) >= 22
    )  # 95 % of 24: fewer than 22 in one of ten, and seeds are fixed
    few, many = (np.mean([run[at].width for run in runs]) for at in (0, 1))
    assert many < 1.2 < few < 6


def test_nobody_is_better_where_nothing_is_known() -> None:
    found = estimate(tally(by_hand(4, [([0, 1], [[1, 2]]), ([2, 3], [[1, 2], [2, 1]])])))
    assert not better(found, np.arange(4)).any()
    low, high = ranks(better(found, np.arange(4)))
    assert (low.tolist(), high.tolist()) == ([1] * 4, [4] * 4)
    assert better(found, np.arange(0)).shape == (0, 0)
    assert better(found, np.arange(1)).tolist() == [[False]]


def test_a_bot_that_won_all_of_many_matches_is_better() -> None:
    found = estimate(tally(by_hand(2, [([0, 1], [[1, 2]])] * 60)))
    assert better(found, np.arange(2)).tolist() == [[False, True], [False, False]]


def test_more_bots_need_more_to_be_told_apart() -> None:
    assert decisive(2) == pytest.approx(1.96, abs=0.01)
    assert 2.5 < decisive(5) < decisive(20) < decisive(100) < 4.5

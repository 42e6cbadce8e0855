"""A bot is quick or slow by what it does, at once when it becomes very slow, and a busy moment of the machine makes nobody slow."""

import pytest

from bullring.ladder.knowing.pace import REMEMBERED, Pace
from bullring.ladder.knowing.timing import buckets

QUICK = [100] * 10


def paced(*matches: list[int], besides: int = 0) -> Pace:
    """After matches with decisions of these microseconds, and something besides in each."""
    pace = Pace()
    for times in matches:
        pace.learn(sum(times) + besides, buckets(times))
    return pace


def test_nobody_is_slow_before_it_has_played() -> None:
    assert Pace().quick
    assert not Pace().known
    assert paced(QUICK).known


@pytest.mark.parametrize(
    ("what", "times", "besides", "after"),
    [
        ("answers just inside its limit of a second", [990_000] * 10, 0, 1),
        ("says hello after 9 s at every match, and answers at once", QUICK, 9_000_000, 1),
        ("thinks for five milliseconds", [5_000] * 10, 0, 2),
        ("takes its time to end after every match", QUICK, 250_000, 2),
        ("is asked only once, and thinks long", [300_000] + [100] * 9, 0, 2),
    ],
)
def test_after_how_many_matches_a_bot_is_slow(what: str, times: list[int], besides: int, after: int) -> None:
    assert paced(*[times] * (after - 1), besides=besides).quick
    assert not paced(*[times] * after, besides=besides).quick, what


@pytest.mark.parametrize("times", [QUICK, [1_000] * 10, [100] * 9 + [50_000], []])
def test_quick_ones(times: list[int]) -> None:
    assert paced(*[times] * 20).quick


def test_quick_for_a_hundred_decisions_and_slow_from_then_on() -> None:
    assert not paced(*[QUICK] * 10, [900_000] * 10).quick


def test_a_busy_moment_is_forgiven_at_once_and_a_very_slow_match_after_some_quick_ones() -> None:
    assert paced([8_000] * 10).quick
    assert paced(*[QUICK] * 3, [80_000] * 10, *[QUICK] * 3).quick
    assert not paced([900_000] * 10, *[QUICK] * (REMEMBERED - 1)).quick
    assert paced([900_000] * 10, *[QUICK] * REMEMBERED).quick


def test_now_and_then_is_often_enough() -> None:
    assert not paced(*[[900_000] * 10, QUICK] * 10).quick

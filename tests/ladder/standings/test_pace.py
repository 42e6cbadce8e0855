"""A bot is quick or slow by what it does, at once when it becomes very slow, and a busy machine makes nobody slow."""

import pytest

from bullring.ladder.standings.pace import REMEMBERED, Pace

QUICK = 10 * 100


def paced(*matches: int, least: int = QUICK) -> Pace:
    """After matches of ten decisions in which it was waited for so many microseconds, and for the quickest for `least`."""
    pace = Pace()
    for wall_us in matches:
        pace.learn(wall_us, min(least, wall_us), 10)
    return pace


def test_nobody_is_slow_before_it_has_played() -> None:
    assert Pace().quick
    assert not Pace().known
    assert paced(QUICK).known


@pytest.mark.parametrize(
    ("what", "wall_us", "after"),
    [
        ("answers just inside its limit of a second", 10 * 990_000, 1),
        ("says hello after 9 s at every match, and answers at once", 9_000_000 + QUICK, 1),
        ("thinks for five milliseconds", 10 * 5_000, 2),
        ("takes its time to end after every match", 250_000 + QUICK, 2),
        ("is asked only once, and thinks long", 300_000 + QUICK, 2),
    ],
)
def test_after_how_many_matches_a_bot_is_slow(what: str, wall_us: int, after: int) -> None:
    assert paced(*[wall_us] * (after - 1)).quick
    assert not paced(*[wall_us] * after).quick, what


@pytest.mark.parametrize("wall_us", [0, QUICK, 10 * 1_000])
def test_quick_ones(wall_us: int) -> None:
    assert paced(*[wall_us] * 20).quick


def test_what_the_quickest_took_as_well_was_the_machine() -> None:
    assert paced(*[600_000] * 20, least=590_000).quick
    assert not paced(*[6_000_000] * 20, least=6_000_000).quick, "unless it is too long for anybody"


def test_on_a_busy_machine_that_takes_long_for_the_quickest_it_may_take_as_long_again_for_the_others() -> None:
    assert paced(*[10 * 8_500] * 20, least=10 * 4_500).quick
    assert not paced(*[10 * 9_500] * 20, least=10 * 4_500).quick


def test_quick_for_a_hundred_decisions_and_slow_from_then_on() -> None:
    assert not paced(*[QUICK] * 10, 9_000_000).quick


def test_a_busy_moment_is_forgiven_at_once_and_a_very_slow_match_after_some_quick_ones() -> None:
    assert paced(80_000).quick
    assert paced(*[QUICK] * 3, 80_000, *[QUICK] * 3).quick
    assert not paced(9_000_000, *[QUICK] * (REMEMBERED - 1)).quick
    assert paced(9_000_000, *[QUICK] * REMEMBERED).quick


def test_now_and_then_is_often_enough() -> None:
    assert not paced(*[9_000_000, QUICK] * 10).quick


def test_a_match_without_decisions() -> None:
    pace = Pace()
    pace.learn(0, 0, 0)
    assert pace.quick

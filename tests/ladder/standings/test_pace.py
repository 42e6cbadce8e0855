"""A bot is quick or slow by what it does, at once when it becomes very slow, and a busy machine makes nobody slow. Tables side by
side are as many as keep a core busy."""

import pytest

from bullring.ladder.standings.pace import LEAST, REMEMBERED, Pace, load, room_beside

QUICK = 10 * 100


def paced(*matches: int, least: int = QUICK) -> Pace:
    """After matches of ten decisions in which it was waited for so many microseconds, and for the quickest for `least`."""
    pace = Pace()
    for wall_us in matches:
        pace.learn(wall_us, wall_us, min(least, wall_us), 10)
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
    pace.learn(0, 0, 0, 0)
    assert pace.quick


def costing(wall_us: int, *cpu_us: int) -> list[Pace]:
    """A table of bots that are waited for as long in a match of ten decisions, and were found to have used so much in each."""
    paces = [Pace() for _ in range(4)]
    for pace in paces:
        for used in cpu_us:
            pace.learn(wall_us, used, wall_us, 10)
    return paces


def side_by_side(own: float) -> int:
    """How many tables of this load a core plays."""
    count = 0
    while room_beside([own] * count)(own):
        count += 1
    return count


def test_bots_that_compute_have_a_table_a_core() -> None:
    assert side_by_side(load(costing(1_000_000, *[1_000_000] * 3))) == 1
    assert side_by_side(load(costing(6_000, *[6_000] * 3))) == 1
    assert side_by_side(load([Pace() for _ in range(4)])) == 1, "and bots of which nothing is known"


def test_of_bots_that_wait_there_are_hundreds() -> None:
    assert side_by_side(load(costing(10_000_000, *[2_000] * 3))) > 500


def test_bots_that_do_both_have_as_many_tables_as_keep_the_core_busy() -> None:
    assert side_by_side(load(costing(1_000_000, *[100_000] * 3))) == 3


def test_bots_that_need_next_to_no_time_have_several_tables() -> None:
    assert side_by_side(load(costing(400, *[300] * 3))) == round(1 / LEAST)


def test_a_bot_that_is_seldom_weighed_waits_no_more_than_it_does_and_its_start_tells_nothing() -> None:
    seldom = [30_000, *[*[0] * 15, 16 * 6_000] * 4]
    assert side_by_side(load(costing(6_000, *seldom))) == 1


def test_a_core_is_shared_by_those_that_compute_and_by_those_that_wait_each_among_themselves() -> None:
    assert room_beside([1.0])(0.01)
    assert room_beside([0.01] * 99)(1.0)
    assert not room_beside([1.0, 0.01])(1.0)

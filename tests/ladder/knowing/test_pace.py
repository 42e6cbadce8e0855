"""A bot is quick or slow by what it does, at once when it becomes slow, and soon when it is quick again."""

import pytest

from bullring.ladder.knowing.pace import Pace


def paced(*matches: tuple[int, int]) -> Pace:
    pace = Pace()
    for wall_us, decisions in matches:
        pace.learn(wall_us, decisions)
    return pace


def test_nobody_is_slow_before_it_has_played() -> None:
    assert Pace().quick
    assert not Pace().known


@pytest.mark.parametrize(
    ("what", "wall_us", "quick"),
    [
        ("answers at once", 10 * 100, True),
        ("thinks for a millisecond", 10 * 1_000, True),
        ("thinks for five", 10 * 5_000, False),
        ("answers just inside its limit of a second", 10 * 990_000, False),
        ("says hello after 9 s at every match, and answers at once", 9_000_000 + 1000, False),
        ("takes its time to end after every match", 250_000 + 1000, False),
    ],
)
def test_one_match_is_enough_to_know(what: str, wall_us: int, quick: bool) -> None:
    assert paced((wall_us, 10)).quick is quick, what


def test_quick_for_a_hundred_decisions_and_slow_from_then_on() -> None:
    assert not paced(*[(1000, 10)] * 10, (900_000, 10)).quick


def test_one_slow_match_is_forgiven_after_some_quick_ones() -> None:
    pace = paced(*[(1000, 10)] * 10, (200_000, 10))
    assert not pace.quick
    for _ in range(5):
        pace.learn(1000, 10)
    assert pace.quick


def test_a_match_that_waits_counts_before_it_is_over() -> None:
    pace = paced((1000, 10))
    pace.held_up(50_000)
    assert not pace.quick
    assert pace.known


def test_a_match_without_decisions() -> None:
    assert not paced((3_000, 0)).quick
    assert paced((0, 0)).quick

"""Deadlines of sleeping matches, looked at by whichever match runs."""

from bullring.arena.clock.judge import NEVER
from bullring.arena.clock.watch import Deadlines


def test_only_those_whose_time_has_come_are_woken_and_only_once() -> None:
    deadlines, woken = Deadlines(), []
    deadlines.sleep(lambda: woken.append("early"), 1000)
    deadlines.sleep(lambda: woken.append("late"), 2000)
    assert deadlines.earliest_us == 1000
    deadlines.look(999)
    assert woken == [], "never early"
    deadlines.look(1000)
    deadlines.look(1500)
    assert woken == ["early"]
    assert deadlines.earliest_us == 2000
    deadlines.look(3000)
    assert woken == ["early", "late"]
    assert deadlines.earliest_us == NEVER


def test_who_is_awake_is_not_woken() -> None:
    deadlines, woken = Deadlines(), []

    def wake() -> None:
        woken.append("woken")

    deadlines.sleep(wake, 1000)
    deadlines.awake(wake)
    deadlines.awake(wake)
    deadlines.look(5000)
    assert woken == []


def test_who_sleeps_again_is_woken_at_the_new_time() -> None:
    deadlines, woken = Deadlines(), []

    def wake() -> None:
        woken.append("woken")

    deadlines.sleep(wake, 1000)
    deadlines.sleep(wake, 4000)
    deadlines.look(2000)
    assert woken == []
    assert deadlines.earliest_us == 4000
    deadlines.look(4000)
    assert woken == ["woken"]

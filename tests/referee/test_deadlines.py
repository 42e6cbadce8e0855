"""Deadlines of sleeping matches, looked at by whichever match runs."""

from math import inf

from arena.clock import Deadlines


def test_only_those_whose_time_has_come_are_woken_and_only_once() -> None:
    deadlines, woken = Deadlines(), []
    deadlines.sleep(lambda: woken.append("early"), 1.0)
    deadlines.sleep(lambda: woken.append("late"), 2.0)
    assert deadlines.earliest == 1.0
    deadlines.look(0.999)
    assert woken == [], "never early"
    deadlines.look(1.0)
    deadlines.look(1.5)
    assert woken == ["early"]
    assert deadlines.earliest == 2.0
    deadlines.look(3.0)
    assert woken == ["early", "late"]
    assert deadlines.earliest == inf


def test_who_is_awake_is_not_woken() -> None:
    deadlines, woken = Deadlines(), []

    def wake() -> None:
        woken.append("woken")

    deadlines.sleep(wake, 1.0)
    deadlines.awake(wake)
    deadlines.awake(wake)
    deadlines.look(5.0)
    assert woken == []


def test_who_sleeps_again_is_woken_at_the_new_time() -> None:
    deadlines, woken = Deadlines(), []

    def wake() -> None:
        woken.append("woken")

    deadlines.sleep(wake, 1.0)
    deadlines.sleep(wake, 4.0)
    deadlines.look(2.0)
    assert woken == []
    assert deadlines.earliest == 4.0
    deadlines.look(4.0)
    assert woken == ["woken"]

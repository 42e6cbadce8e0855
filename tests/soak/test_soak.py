"""A ladder of which a third is hostile. Say SOAK_LADDER=60m for an hour of it, with more kinds of bots."""

import os
from pathlib import Path

import pytest

from bullring.arena.settings.limits import parse_duration
from tests.hostile.behaviours import BEHAVIOURS
from tests.hostile.leftovers import Surroundings
from tests.hostile.matrix import why_not
from tests.soak.course import LIMITS, soak
from tests.soak.field import MOST_HOSTILE, field
from tests.soak.gauges import growth
from tests.soak.summary import summary
from tests.soak.verdict import problems

LENGTH = os.environ.get("SOAK_LADDER", "15s")

FEW, LONG = 6, 120.0
"""In less than so many seconds not everybody would get to play."""


@pytest.mark.slow
def test_a_ladder_of_which_a_third_is_hostile_counts_every_honest_match_and_leaves_nothing(tmp_path: Path) -> None:
    if reason := why_not("bwrap", BEHAVIOURS[0]):
        pytest.skip(reason)
    made = field(tmp_path, MOST_HOSTILE if parse_duration(LENGTH) >= LONG else FEW, LIMITS)
    before = Surroundings.seen("bwrap", made.token)
    course = soak(made, LENGTH)
    found = problems(course, before)
    print("\n".join(summary(course)))
    assert not found, "\n".join(found)


def test_growth_is_that_of_the_second_half_without_what_goes_with_bots_or_is_chance() -> None:
    seconds = [float(second) for second in range(40)]
    bots = [second * 7 % 5 for second in range(40)]
    steady = [3.0 * second + 7 * number for second, number in zip(seconds, bots, strict=True)]
    assert growth(seconds, [100.0] * 40, [3] * 40) == pytest.approx(0.0)
    assert growth(seconds, [50.0 * second for second in range(20)] + [1000.0] * 20, bots) == pytest.approx(0.0)
    assert growth(seconds, steady, bots) == pytest.approx(57.0)
    assert growth(seconds, [float(second * 13 % 7) for second in range(40)], bots) == 0.0
    assert growth(seconds[:3], steady[:3], bots[:3]) == 0.0

"""A run goes on as long as matches are played, and ends with one line when they are not."""

import pytest

from bullring.errors import LadderError, StoreError
from bullring.ladder.run.workers.failures import Failures


def test_deaths_now_and_then_never_end_a_run() -> None:
    failures = Failures(jobs=2)
    for number in range(1000):
        failures.died(13.0 * number, "was killed by SIGKILL")


def test_a_rate_of_deaths_does() -> None:
    failures = Failures(jobs=2)
    for number in range(5):
        failures.died(1000.0 + 10 * number, "was killed by SIGKILL")
    with pytest.raises(
        LadderError, match="6 referee processes have died within 60 s; the last one ended with status 1"
    ):
        failures.died(1059.0, "ended with status 1")


def test_all_of_many_may_die_at_once() -> None:
    failures = Failures(jobs=32)
    for _ in range(32):
        failures.died(5.0, "was killed by SIGKILL")
    with pytest.raises(LadderError):
        failures.died(6.0, "was killed by SIGKILL")


def test_failures_between_matches_that_are_played_never_end_a_run() -> None:
    failures = Failures(jobs=1)
    for number in range(1000):
        for more in range(9):
            failures.failed(100.0 * number + 10 * more, "no cgroup")
        failures.played()


def test_many_failures_in_a_short_time_may_pass() -> None:
    failures = Failures(jobs=1)
    for number in range(1000):
        failures.failed(number / 100, "the engine does not answer")
    failures.played()
    failures.failed(1000.0, "the engine does not answer")


def test_nothing_but_failures_ends_a_run() -> None:
    failures = Failures(jobs=1)
    for number in range(9):
        failures.failed(10.0 * number, "no cgroup")
    with pytest.raises(StoreError, match="the last 10 matches could not be played, for 90 s now: the disk is full"):
        failures.failed(90.0, "the disk is full")

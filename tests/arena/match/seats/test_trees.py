"""The whole tree of a bot is gone when its seat is closed, whatever it forked."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox.local import tree
from tests.support.processes import LIMITS, blackboard, bot, gone, matches


@pytest.mark.parametrize("name", ["daemon", "unmarked_daemon"])
def test_a_daemon_is_gone_when_its_bot_is_closed(name: str, tmp_path: Path) -> None:
    pid_file = blackboard(tmp_path / "pid")
    (report,) = matches(bot(name, str(pid_file)), bot("polite"))
    assert not any(seat.faults for seat in report.result.seats)
    assert gone(int(pid_file.read_text()))


def test_a_daemon_is_gone_when_the_bot_itself_has_crashed(tmp_path: Path) -> None:
    pid_file = blackboard(tmp_path / "pid")
    (report,) = matches(bot("daemon_crash", str(pid_file)), bot("polite"))
    assert report.result.seats[0].faults[-1].closed
    assert gone(int(pid_file.read_text()))


def test_a_bot_that_ignores_everything_polite_is_ended_all_the_same() -> None:
    before = set(tree.children(os.getpid()))
    (report,) = matches(bot("stubborn"), bot("stubborn"))
    assert not any(seat.faults for seat in report.result.seats)
    assert set(tree.children(os.getpid())) == before


def test_nothing_is_left_when_a_bot_never_says_hello(tmp_path: Path) -> None:
    before = set(tree.children(os.getpid()))
    (report,) = matches(bot("slow_start", "60"), bot("polite"), limits=replace(LIMITS, start_us=2_000_000))
    (fault,) = report.result.seats[0].faults
    assert fault.kind == "start"
    assert set(tree.children(os.getpid())) == before

"""kill -9 at any moment: the next run carries on, and in the end everything is there once."""

import os
import re
import signal
import time
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from bullring.arena.cells.sandbox.local import tree
from bullring.arena.match.records.verification import verify
from bullring.ladder.store.home import Home
from tests.ladder.homes import (
    count,
    four,
    intact,
    ladder,
    left_over,
    log_of,
    run,
    running,
    told,
    until,
    workers_of,
)
from tests.support.patience import PATIENCE

KILLS = int(os.environ.get("LADDER_KILLS", "20"))
"""Say LADDER_KILLS=200 for a long night."""

PLAN = ("--seats", "3", "--format", "round-robin", "--jobs", "2")


def whole(home: Home, matches: int) -> None:
    """All that must hold of a ladder that has come to its end."""
    assert intact(home)
    assert count(home, "playing") == 0
    assert count(home, "matches") == count(home, "matches WHERE counted") == matches
    assert count(home, "played") == 3 * matches
    with closing(home.store(read_only=True)) as store:
        played = store.matches()
    assert len({match.seed.seed for match in played}) == matches
    for match in played:
        verdict = verify(home.lines(match.id))
        assert (verdict.difference, verdict.finished) == (None, True)
    assert sorted(home.kept.matches()) == sorted(match.id for match in played)
    assert [*home.live.glob("*")] == []
    before = told("table", "--format", "json", home=home)
    assert before["rows"][0]["matches"] > 0
    assert ladder("rebuild", home=home).stdout == f"{matches} matches from {matches} records\n"
    assert told("table", "--format", "json", home=home) == before
    assert left_over(home) == []


def most_played(home: Home) -> int:
    """The number of matches of the table that was played most."""
    with closing(home.store(read_only=True)) as store:
        return max(store.tables_in(1, "round-robin").values())


@pytest.mark.slow
def test_a_ladder_that_is_killed_again_and_again_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    home, random = four(tmp_path / "home"), Random(20)
    for number in range(KILLS):
        wanted = count(home, "matches") + random.randrange(1, 40)
        with running(home, *PLAN, "--rounds", "100000") as process:
            if number % 3 == 0:
                time.sleep(random.uniform(0.0, 1.5))  # any moment, also before anything is played
            else:
                until(lambda wanted=wanted: count(home, "matches") >= wanted, process)  # type: ignore[misc]
                time.sleep(random.uniform(0.0, 0.1))
            if number % 3 == 2:
                with suppress(IndexError, ProcessLookupError):
                    os.kill(random.choice(workers_of(process.pid)), signal.SIGKILL)
                time.sleep(random.uniform(0.0, 0.1))
            if number % 4 == 3:
                # These outlive their ladder, until the next one finds them.
                for pid in workers_of(process.pid):
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGSTOP)
            process.kill()
        if number % 4 == 1:
            # Also if nobody runs it again, no process is left.
            until(lambda: left_over(home) == [])
    rounds = most_played(home) + 1
    run(home, *PLAN, "--rounds", str(rounds))
    whole(home, 4 * rounds)


def test_what_a_killed_run_has_left_is_ended_also_if_it_has_become_our_child(tmp_path: Path) -> None:
    tree.adopt_orphans()
    home = four(tmp_path / "home")
    with running(home, *PLAN, "--rounds", "1000") as process:
        until(lambda: count(home, "matches") >= 1, process)
        for pid in workers_of(process.pid):
            os.kill(pid, signal.SIGSTOP)
        process.kill()
    assert left_over(home)
    run(home, *PLAN, "--rounds", str(most_played(home) + 1))
    assert left_over(home) == []


@pytest.mark.slow
def test_a_referee_process_that_is_killed_costs_nothing_but_its_running_matches(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    with running(home, *PLAN, "--rounds", "100000") as process:
        until(lambda: count(home, "matches") >= 10, process)
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        until(lambda: "died; others are played in place of its matches" in log_of(home).read_text(), process)
        more = count(home, "matches") + 10
        until(lambda: count(home, "matches") >= more, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    assert log_of(home).read_text().count("died; others are played in place of its matches") == 1
    rounds = most_played(home) + 1
    run(home, *PLAN, "--rounds", str(rounds))
    whole(home, 4 * rounds)


def test_referee_processes_that_die_all_the_time_end_the_run_with_one_line(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    with running(home, *PLAN, "--rounds", "1000") as process:
        killed: set[int] = set()
        while process.poll() is None:
            for pid in set(workers_of(process.pid)) - killed:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                killed.add(pid)
            time.sleep(0.001)
    assert process.returncode == 2
    sandbox, *told, last = log_of(home).read_text().splitlines()
    assert re.match(
        r"bullring: \d referee processes have died within 60 s; the last one (ended with status \d|was killed by \w+)\. See above",
        last,
    )
    assert sandbox.startswith("sandbox ")
    # A slow run tells how far it has come.
    deaths = [line for line in told if not re.match(r"\d+ match(es)? in ", line)]
    assert all("others are played in place of its matches" in line for line in deaths)

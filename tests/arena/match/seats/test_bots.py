"""Bots as processes: faults with all their details, logs, limits, keeping alive."""

import re
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox import cgroups
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.match.faults import FaultKind
from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.verification import verify
from tests.hostile.leftovers import descriptors
from tests.support.patience import PATIENCE
from tests.support.processes import LIMITS, bot, matches
from tests.support.record import happenings


def broken(folder: Path) -> Bot:
    """A bot whose program is not executable code."""
    program = folder / "no-program"
    program.write_text("this is no executable")
    program.chmod(0o755)
    return Bot("broken", Program((str(program),), folder))


@pytest.mark.parametrize(
    ("make", "kind", "got", "exit", "stderr"),
    [
        (
            lambda _: bot("crash"),
            FaultKind.CRASH,
            "the end of its output",
            "exited with status 1",
            "my strategy has a hole",
        ),
        (lambda _: bot("closes"), FaultKind.CRASH, "the end of its output", "ended by the arena", ""),
        (lambda _: bot("prints"), FaultKind.PROTOCOL, "I think about.*stderr", "", ""),
        (broken, FaultKind.START, "Exec format error", "", ""),
    ],
    ids=["crash", "closes", "prints", "broken"],
)
def test_a_fault_is_reported_with_its_exit_and_the_end_of_stderr(
    make: Callable[[Path], Bot], kind: FaultKind, got: str, exit: str, stderr: str, tmp_path: Path
) -> None:
    (report,) = matches(make(tmp_path), bot("polite"))
    (fault,) = report.result.seats[0].faults
    assert fault.kind is kind
    assert fault.decision.startswith("start" if kind is FaultKind.START else "deal 1, turn ")
    assert re.search(got, fault.got)
    assert fault.exit == exit
    assert stderr in fault.stderr
    assert fault.closed == (kind is not FaultKind.PROTOCOL), "in JSON, print on stdout is a strike"
    assert report.result.seats[0].rank == 2 or not fault.closed
    assert not report.result.seats[1].faults


def test_a_full_stderr_never_blocks_a_bot_and_is_kept_with_its_beginning_and_end(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    (report,) = matches(bot("chatty", restart="match"), bot("polite"), record=record)
    assert not any(seat.faults for seat in report.result.seats)
    (log,) = [event for _, event in happenings(read_lines(record)) if event["type"] == "stderr"]
    assert log["seat"] == 0
    assert log["text"].startswith("question 1\n")
    assert log["text"].endswith("the last words\n")
    assert re.search(r"\[\.\.\. \d+ bytes left out \.\.\.\]", log["text"])
    assert len(log["text"]) < 70_000
    assert verify(read_lines(record)).difference is None


def test_a_tree_that_takes_too_much_memory_is_ended_with_the_figures_where_the_kernel_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cgroups, "find", lambda: cgroups.NoCgroups("as on many machines"))
    (report,) = matches(bot("hog"), bot("polite"), memory=200 << 20)
    (fault,) = report.result.seats[0].faults
    assert fault.kind is FaultKind.MEMORY
    evidence = r"more than 200 MiB of memory: \d+ MiB in its processes, up to \d+ MiB in sockets and pipes"
    assert re.search(evidence, fault.got)
    assert fault.exit == "ended by the arena"
    assert not report.result.seats[1].faults


def test_the_start_has_a_clock_of_its_own() -> None:
    limits = replace(LIMITS, card_us=1_000_000, row_us=1_000_000)
    (report,) = matches(bot("slow_start", "1.2"), bot("polite"), limits=limits)
    assert not any(seat.faults for seat in report.result.seats)


def test_a_hung_bot_costs_three_limits_and_then_nothing() -> None:
    limits = replace(LIMITS, card_us=500_000, row_us=500_000)
    (report,) = matches(bot("silent"), bot("polite"), limits=limits)
    while report.result.void:  # the machine stood still: nothing can be said of this match
        (report,) = matches(bot("silent"), bot("polite"), limits=limits)
    faults = report.result.seats[0].faults
    assert [fault.kind for fault in faults] == [FaultKind.TIMEOUT] * 3
    assert all(fault.elapsed_us >= 500_000 for fault in faults), "never early"


def pids(record: Path) -> list[str]:
    return [event["text"] for _, event in happenings(read_lines(record)) if event["type"] == "stderr"]


@pytest.mark.parametrize(("restart", "expected"), [("never", ["match=3"]), ("match", ["match=1"])])
def test_bots_stay_alive_from_match_to_match_unless_they_are_to_be_restarted(
    restart: str, expected: list[str], tmp_path: Path
) -> None:
    record = tmp_path / "last.jsonl"
    entrant = replace(bot("pid"), restart=restart)  # type: ignore[arg-type]
    reports = matches(entrant, bot("polite"), count=3, record=record)
    assert len(reports) == 3
    assert not any(seat.faults for report in reports for seat in report.result.seats)
    (log,) = pids(record)
    assert [part for part in log.split() if part.startswith("match=")] == expected, "and the log is of this match alone"


def test_a_bot_that_ends_after_its_match_is_told_of_restart() -> None:
    first, second = matches(bot("one_match"), bot("polite"), count=2)
    assert not first.result.seats[0].faults
    (fault,) = second.result.seats[0].faults
    assert fault.kind is FaultKind.CRASH
    assert 'restart = "match" in its bot.toml' in fault.got


def test_how_long_the_hello_took_is_told() -> None:
    first, second = (report.facts()["seats"] for report in matches(bot("polite"), bot("polite"), count=2))
    assert all(seat["start_ms"] > 0 for seat in first)
    assert [seat["start_ms"] for seat in second] == [None, None], "no process was started for it"


def test_two_seats_of_one_bot_are_two_processes(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    matches(bot("pid"), bot("pid"), record=record)
    one, two = (log.split()[0] for log in pids(record))
    assert one != two


def _open_descriptors() -> tuple[int, int]:
    """The number of this process, after two matches and after five more."""
    matches(bot("polite", restart="match"), bot("polite"), count=2)
    before = len(list(descriptors()))
    matches(bot("polite", restart="match"), bot("polite"), count=5)
    return before, len(list(descriptors()))


def test_descriptors_of_the_referee_do_not_grow_with_the_matches() -> None:
    # In a process of its own: here, what other tests have left opens and closes some meanwhile.
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        before, after = process.submit(_open_descriptors).result(PATIENCE)
    assert after == before

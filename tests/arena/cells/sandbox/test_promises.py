"""Grades of promises: what a sandbox without some means lacks, and how that is told. No test goes by the means of this machine."""

import json
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from bullring.arena.cells.sandbox.cell import gaps_of
from bullring.arena.cells.sandbox.choice import told_of
from bullring.arena.cells.sandbox.examination import Finding, Machine
from bullring.arena.cells.sandbox.promises import NAMES, PROMISES, Means, lacking, promise_of
from bullring.arena.cells.sandbox.proof import CANARY, Proof, Try
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.watching.display.tiers import promise_table, remedy_lines
from bullring.cli.program import program
from bullring.cli.support import doctor

ALL = frozenset(Means)
TRIES = [each for promise in PROMISES for each in promise.tries]


@dataclass
class Stub:
    """A sandbox with some means."""

    tier: Any
    means: frozenset[Means]


def lacks(tier: str, *means: Means) -> list[str]:
    return lacking(gaps_of(Stub(TIERS[tier], frozenset(means))))  # type: ignore[arg-type]


def finding(tier: str, means: frozenset[Means] = ALL, failure: str = "") -> Finding:
    held = tuple(Try(name, held=True, came="EPERM", needed=True) for name in TRIES)
    return Finding(TIERS[tier], Proof(held, failure), gaps_of(Stub(TIERS[tier], means)), "get cgroups")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [name for name, tier in TIERS.items() if tier.for_strangers])
def test_a_tier_for_strangers_keeps_every_promise_on_a_machine_that_has_all_means(name: str) -> None:
    assert not lacks(name, *Means)
    assert told_of(Stub(TIERS[name], ALL)) == f"sandbox {name}: every promise"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("without", "lost"),
    [
        (Means.FREEZING, "freezing"),
        (Means.CLOCKS, "clocks"),
        (Means.PRESSURE, "clocks"),
        (Means.MEMORY, "memory"),
        (Means.LANDLOCK, "channels"),
    ],
)
def test_each_means_that_a_machine_lacks_costs_a_promise(without: Means, lost: str) -> None:
    assert lacks("bwrap", *(ALL - {without})) == [lost]


def test_the_first_line_of_a_run_names_the_promises_that_it_lacks() -> None:
    told = told_of(Stub(TIERS["bwrap"], ALL - {Means.MEMORY}))  # type: ignore[arg-type]
    assert told == "sandbox bwrap: every promise but memory (by a watchdog); `bullring doctor` says more"


def test_the_tier_none_admits_what_it_does_not_keep() -> None:
    assert {"network", "files", "channels"} <= set(lacks("none", *Means))
    assert "not for strangers" in told_of(Stub(TIERS["none"], ALL))  # type: ignore[arg-type]


def test_every_gap_is_one_of_a_promise_and_lets_only_tries_succeed_that_prove_it() -> None:
    for tier in TIERS.values():
        for gap in tier.gaps:
            assert gap.promise in NAMES
            assert all(promise_of(each).name == gap.promise for each in gap.tries)


def test_every_try_of_the_canary_proves_a_promise() -> None:
    tries = (CANARY / "probe.py").read_text("utf-8").split('yield "')[1:]
    assert len(tries) > 20
    for each in tries:
        assert promise_of(each.partition('"')[0])
    assert promise_of("leaks: the referee's name").name == "rivals"


def test_a_promise_is_proven_by_tries_known_without_and_in_part_with_a_gap() -> None:
    grades = finding("bwrap", ALL - {Means.MEMORY}).grades()
    assert grades["network"] == {"grade": "proven now", "missing": None, "remedy": None}
    assert grades["clocks"]["grade"] == "known to hold"
    assert grades["memory"] == {"grade": "in part", "missing": "by a watchdog", "remedy": "get cgroups"}
    assert finding("none").grades()["network"] == {"grade": "not given", "missing": "all of it", "remedy": None}
    untried = Finding(TIERS["bwrap"], Proof(()), ())
    assert untried.grades()["network"]["grade"] == "known to hold"


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_fits_a_terminal_and_shows_the_tiers_that_work(width: int) -> None:
    findings = [finding(name, frozenset()) for name in TIERS if name != "docker"]
    findings.append(finding("docker", failure="no engine"))
    out = StringIO()
    Console(file=out, width=width).print(promise_table([one.facts() for one in findings]))
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert lines[0].split() == ["promise", "bwrap", "landlock", "none"]
    assert [line.split("  ")[0].strip() for line in lines[1:] if not line.startswith(" ")] == list(NAMES)


def test_what_is_missing_is_told_with_the_way_to_get_it() -> None:
    findings = [
        finding("bwrap", frozenset({Means.FREEZING, Means.LANDLOCK})),
        finding("docker", failure="no engine"),
        finding("none", frozenset()),
    ]
    assert list(remedy_lines([one.facts() for one in findings])) == [
        "To get clocks, memory in full in bwrap: get cgroups.",
        "docker does not work here: no engine",
    ]


def test_where_limits_are_plain_time_it_is_told_how_much_longer_they_have_to_be() -> None:
    busy = replace(finding("bwrap", ALL - {Means.CLOCKS}), clock="wall", share=0.25)
    told = [line for line in remedy_lines([busy.facts()]) if line.startswith("Limits are plain time")]
    assert len(told) == 1
    assert "gets 25% of a core, so bots need 4.0 times the time" in told[0]


@pytest.mark.parametrize(("failure", "code"), [("", 0), ("bubblewrap is not installed", 1)])
def test_doctor_prints_the_table_first_and_every_try_only_if_asked(
    failure: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def examined() -> tuple[Machine, list[Finding]]:
        return Machine("user 1000", "none: not delegated", "get cgroups"), [finding("bwrap", frozenset(), failure)]

    monkeypatch.setattr(doctor, "examine", examined)
    brief, whole, facts = (
        CliRunner(env={"COLUMNS": "80"}).invoke(program, ["doctor", *options])
        for options in ([], ["--all"], ["--json"])
    )
    assert (brief.exit_code, whole.exit_code, facts.exit_code) == (code, code, code)
    assert brief.output.startswith("promise")
    assert whole.output.startswith(brief.output)
    assert whole.output.count(" held ") == len(TRIES)
    (told,) = json.loads(facts.output)["tiers"]
    assert told["failure"] == (failure or None)
    assert list(told["promises"]) == ([] if failure else list(NAMES))
    assert (
        f"bwrap does not work here: {failure}" if failure else "To get freezing, clocks, memory in full"
    ) in brief.output

"""Every behaviour, in every tier that claims to hold it."""

import contextlib
import os
import shutil
from pathlib import Path
from uuid import uuid4

import pytest

from bullring.arena.cells.bots.snapshot import Snapshot
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.ladder.store import add
from tests.hostile.behaviours import BEHAVIOURS, BOTS, Behaviour
from tests.hostile.contest import contest
from tests.hostile.matrix import why_not
from tests.hostile.submitting import submitted

SOME = (5, 10, 16, 18, 23, 27, 32, 42, 48, 64, 75, 77, 80, 81, 84, 89, 94)
"""Files, network, forks, daemons, ptrace, memory, time, the wire, floods, names, socket memory, counters, folders, the referee."""

BY_NUMBER = {behaviour.number: behaviour for behaviour in BEHAVIOURS}
CONTESTS = [(tier, behaviour) for tier in TIERS for behaviour in BEHAVIOURS if tier in behaviour.tiers]


def test_there_is_a_program_for_each_behaviour_and_a_behaviour_for_each_program() -> None:
    numbers = [behaviour.number for behaviour in BEHAVIOURS]
    assert numbers == sorted(set(numbers))
    assert sorted(behaviour.program for behaviour in BEHAVIOURS) == sorted(BOTS.glob("[0-9]*.py"))


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda behaviour: behaviour.name)
def test_each_program_says_what_bounds_it(behaviour: Behaviour) -> None:
    source = behaviour.program.read_text()
    assert "Bound: " in source.split('"""')[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tier", "behaviour"),
    # What is made for a tier once is made in one process: its engine, and the matches with polite bots.
    [pytest.param(tier, one, id=f"{tier}-{one.name}", marks=pytest.mark.xdist_group(tier)) for tier, one in CONTESTS],
    indirect=["tier"],
)
def test_a_tier_holds_what_it_claims(tier: str, behaviour: Behaviour) -> None:
    if reason := why_not(tier, behaviour):
        pytest.skip(reason)
    problems = contest(tier, behaviour)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("number", SOME)
def test_bubblewrap_holds_some_of_each_kind(number: int) -> None:
    """The others, and other tiers: `make hostile`."""
    behaviour = BY_NUMBER[number]
    if reason := why_not("bwrap", behaviour):
        pytest.skip(reason)
    problems = contest("bwrap", behaviour)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("number", [5, 11, 12])
def test_an_escape_is_noticed(number: int) -> None:
    """Harmless deeds, where nothing holds them: else the suite might be green because nothing is ever seen."""
    problems = contest("none", BY_NUMBER[number])
    assert any("escaped: " in problem for problem in problems)
    if number > 5:
        assert any("somebody called" in problem for problem in problems)


@pytest.mark.parametrize(
    ("number", "way", "says"),
    [(80, "file", "the secret was copied"), (82, "loop", "it was ['contained']"), (91, "", "the secret was copied")],
)
def test_a_careless_copy_is_noticed(number: int, way: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by anybody who copies a folder without thinking of its owner."""

    def careless(source: Path, target: Path, _: object) -> Snapshot:
        with contextlib.suppress(shutil.Error):
            shutil.copytree(source, target, dirs_exist_ok=True)
        return Snapshot(f"sha256:{uuid4().hex}")

    if number == 91 and os.geteuid():
        pytest.skip("only root can make such a link here")
    monkeypatch.setattr(add, "take", careless)
    problems = submitted("none", BY_NUMBER[number], way)
    assert any(says in problem for problem in problems), problems

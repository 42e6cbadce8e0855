"""Every behaviour, in every tier that claims to hold it."""

import pytest

from arena.sandbox.tiers import Tier
from tests.hostile.arena import contest
from tests.hostile.behaviours import BEHAVIOURS, BOTS, Behaviour
from tests.hostile.matrix import why_not

CONTESTS = [(tier, behaviour) for tier in Tier for behaviour in BEHAVIOURS if tier in behaviour.tiers]


def test_there_is_a_program_for_each_behaviour_and_a_behaviour_for_each_program() -> None:
    assert [behaviour.number for behaviour in BEHAVIOURS] == list(range(1, 71))
    assert sorted(behaviour.program for behaviour in BEHAVIOURS) == sorted(BOTS.glob("[0-9]*.py"))


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda behaviour: behaviour.name)
def test_each_program_says_what_bounds_it(behaviour: Behaviour) -> None:
    source = behaviour.program.read_text()
    assert "Bound: " in source.split('"""')[1]


@pytest.mark.parametrize(("tier", "behaviour"), CONTESTS, ids=[f"{tier}-{one.name}" for tier, one in CONTESTS])
def test_a_tier_holds_what_it_claims(tier: Tier, behaviour: Behaviour, request: pytest.FixtureRequest) -> None:
    if tier is Tier.DOCKER:
        request.getfixturevalue("docker")
    if reason := why_not(tier, behaviour):
        pytest.skip(reason)
    problems = contest(tier, behaviour)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("number", [5, 11, 12])
def test_an_escape_is_noticed(number: int) -> None:
    """Harmless deeds, where nothing holds them: else the suite might be green because nothing is ever seen."""
    problems = contest(Tier.NONE, BEHAVIOURS[number - 1])
    assert any("escaped: " in problem for problem in problems)
    if number > 5:
        assert any("somebody called" in problem for problem in problems)

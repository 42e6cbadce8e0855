"""The simulator plays by the rules: what it deals and plays gives the same rows and heads in the rules engine."""

import pytest

from bullring.arena.games.simulator import POLICIES, histories
from tests.arena.games.simulator.comparing import compare, covered


@pytest.mark.parametrize(("name", "seats", "options"), covered(), ids=str)
def test_whole_deals_are_those_of_the_rules(name: str, seats: int, options: dict[str, object]) -> None:
    policies = [POLICIES[at % len(POLICIES)] for at in range(seats)]
    compare(name, seats, options, histories(name, seats, options, policies, 12, seats))

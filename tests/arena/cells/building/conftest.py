"""What tests of builds share: the tiers to build in."""

import pytest

from bullring.arena.cells.sandbox.tiers import Tier
from tests.hostile.conftest import docker as docker
from tests.support.engine import engine_socket as engine_socket
from tests.support.tiers import LOCAL, need


@pytest.fixture(
    params=[Tier.BWRAP, *(pytest.param(tier, marks=pytest.mark.slow) for tier in (*LOCAL[1:], Tier.DOCKER))]
)
def tier(request: pytest.FixtureRequest) -> Tier:
    """Each tier; in `make test` only the one that most people have."""
    tier: Tier = request.param
    if tier is Tier.DOCKER:
        request.getfixturevalue("docker")
    need(tier)
    return tier

"""What tests of builds share: the tiers to build in."""

import pytest

from bullring.arena.sandbox.tiers import Tier
from tests.hostile.conftest import docker as docker
from tests.support.engine import engine_socket as engine_socket
from tests.support.tiers import LOCAL, need


@pytest.fixture(params=[*LOCAL, Tier.DOCKER])
def tier(request: pytest.FixtureRequest) -> Tier:
    """Each tier."""
    tier: Tier = request.param
    if tier is Tier.DOCKER:
        request.getfixturevalue("docker")
    need(tier)
    return tier

"""What tests of builds share: the tiers to build in."""

import pytest

from tests.hostile.conftest import docker as docker
from tests.support.engine import engine_socket as engine_socket
from tests.support.tiers import LOCAL, need


@pytest.fixture(params=["bwrap", *(pytest.param(tier, marks=pytest.mark.slow) for tier in (*LOCAL[1:], "docker"))])
def tier(request: pytest.FixtureRequest) -> str:
    """Each tier; in `make test` only the one that most people have."""
    tier: str = request.param
    if tier == "docker":
        request.getfixturevalue("docker")
    need(tier)
    return tier

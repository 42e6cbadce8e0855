"""The thoroughness of tests that could go on for ever: `make test` is quick, `make slow` takes its time."""

import os

from hypothesis import HealthCheck, settings

THOROUGH = bool(os.environ.get("BULLRING_THOROUGH"))


def examples(count: int) -> settings:
    """Settings of a property test with this number of examples, or ten times as many.

    No deadline: other work on the machine must not fail a test.
    """
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(deadline=None, max_examples=count * 10 if THOROUGH else count, suppress_health_check=slow)

"""Hypothesis for the wire: no deadline, for other work on the machine must not fail a test."""

from hypothesis import HealthCheck, settings

settings.register_profile("bullring", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("bullring")

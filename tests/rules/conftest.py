"""Hypothesis for the rules: no deadline, for a whole match is played in one example."""

from hypothesis import HealthCheck, settings

settings.register_profile("bullring", deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("bullring")

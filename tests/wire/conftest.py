"""Hypothesis for the wire: no deadline, for other work on the machine must not fail a test."""

from hypothesis import settings

settings.register_profile("bullring", deadline=None, max_examples=40)
settings.load_profile("bullring")

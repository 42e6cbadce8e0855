"""Hypothesis for the rules: no deadline, for a whole match is played in one example."""

from hypothesis import settings

settings.register_profile("bullring", deadline=None, max_examples=40)
settings.load_profile("bullring")

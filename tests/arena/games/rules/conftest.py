"""Hypothesis for the rules: a whole match is played in one example."""

from hypothesis import settings

from tests.support.thorough import examples

settings.register_profile("bullring", examples(8))
settings.load_profile("bullring")

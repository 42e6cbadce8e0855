"""Hypothesis for the wire."""

from hypothesis import settings

from tests.support.thorough import examples

settings.register_profile("bullring", examples(15))
settings.load_profile("bullring")

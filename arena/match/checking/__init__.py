"""Checking a bot before it plays: numbered steps, each of which tries one promise of SPEC.md and says what is wrong and what to do.

It says that a bot can play, not that it is harmless or honest: a bot may notice that it is checked. So nothing relies on a PASS,
and the referee judges every later match as if there had been no check.
"""

"""Limits of time, and who is late. Everything here counts whole microseconds.

Pure but for `watch`: what was asked when, limits, evidence and the present moment come in, verdicts go out.
"""

"""Building bots: once, in a cell, on a copy of their folder; the result is kept by what it was built from.

The way in is `build.built`.
"""

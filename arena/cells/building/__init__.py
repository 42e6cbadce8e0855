"""Building bots: once, in a cell, on a copy of their folder; the result is kept by what it was built from.

The way in is `build.built`.

The compiler is not part of the key: its update must not change a bot that is rated. The distribution's version is, because its
libraries change with it.
"""

"""A ladder of which a third is hostile, for seconds in the tests and for hours by hand: `make ladder-soak SOAK_LADDER=60m`.

Every honest match counts, no honest bot is blamed for anything, and the ladder neither grows nor leaves anything behind.
"""

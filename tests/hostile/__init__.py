"""The hostile suite: one tiny program for each behaviour that a sandbox must contain, and the verdict that it must get.

`bots/` are the programs, `behaviours` says what is promised of each in which tier, `arena` plays them against honest rivals and
says what went wrong. Some are not programs at a table, but make a folder and hand it in to a ladder: `submitting`.
`test_hostile` and `python -m tests.hostile` (the matrix) ask the same function, `arena.contest`.
"""

"""Tells from the time to its next question how long its rivals have thought. Bound: one match.

The rival takes twice as long for every other card. Turns that are revealed on a fixed tick differ by whole ticks at most: one
more for each row that somebody had to choose.
"""

import time
from statistics import median

from hostile import TARGETS, escaped, held, play

TICK = TARGETS["tick"]
odd, even = [], []
state = {"asked": 0.0}


def question(number, message):
    now = time.monotonic()
    if message["kind"] == "card":
        if message["view"]["turn"] > 1:
            beyond = (now - state["asked"] + TICK / 2) % TICK - TICK / 2
            (odd if message["view"]["turn"] % 2 else even).append(beyond)
        state["asked"] = now


def over():
    # Medians, for on a busy machine a single question may be late.
    told = f"{median(odd) * 1000:.0f} ms and {median(even) * 1000:.0f} ms beyond whole ticks"
    (escaped if abs(median(odd) - median(even)) > 0.015 else held)(told)


play(question, over=over)

"""Tells from the time to its next question how long its rivals have thought. Bound: one match.

The rival takes twice as long for every other card. Turns that are revealed on a fixed tick all take the same time.
"""

import time

from hostile import answer, escaped, held, play

gaps = []
state = {"answered": 0.0}


def question(number, message):
    if 2 <= number <= 6 and message["kind"] == "card":
        gaps.append(time.monotonic() - state["answered"])
    answer(message)
    state["answered"] = time.monotonic()
    return True


def over():
    # A row that somebody had to choose takes a tick of its own: the shortest gaps are of the turns without one.
    odd, even = min(gaps[::2]), min(gaps[1::2])
    (escaped if abs(odd - even) > 0.015 else held)(f"{odd * 1000:.0f} ms and {even * 1000:.0f} ms")


play(question, over=over)

"""Answers at once until it is known to be quick, and then just inside the limit. Bound: three quarters of it, at each question."""

import time

from hostile import TARGETS, WAY, held, play

QUICK = int(WAY or 100)


def question(number, message):
    if number == 1:
        held(f"nobody plays less because of what comes after question {QUICK}")
    if number > QUICK:
        time.sleep(0.75 * TARGETS["limit"])


play(question)

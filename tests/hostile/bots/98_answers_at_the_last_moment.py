"""Gives each of its answers just inside the limit. Bound: three quarters of the limit, at each question."""

import time

from hostile import TARGETS, held, play


def question(number, message):
    if number == 1:
        held("nobody plays less because of it")
    time.sleep(0.75 * TARGETS["limit"])


play(question)

"""Ends in every match, so that it is started again and again. Bound: one end in each of two matches.

It may start once for each match and never in the middle of one: the test counts its starts.
"""

import os

from hostile import play, tell


def question(number, message):
    if number == 2:
        os._exit(1)


tell("started")
play(question)

"""Ends with a traceback at its third question."""

import polite


def act(number, question):
    if number == 3:
        raise RuntimeError("my strategy has a hole")


polite.play(act)

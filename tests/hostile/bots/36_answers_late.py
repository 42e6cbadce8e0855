"""Answers just after its deadline, with a move that nobody made for it. Bound: three questions; polite afterwards."""

import time

from hostile import TARGETS, play, say


def question(number, message):
    if number > 3:
        return False
    time.sleep(TARGETS["limit"] * 1.25)  # where it waits for a core meanwhile, it is given that time
    say({"type": "choice", "id": message["id"], "option": message["options"][-1]})
    return True


play(question)

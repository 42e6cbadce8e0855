"""Tells from gaps in its own clock when it was frozen, and so who was asked when. Bound: one match.

Frozen to a constant pattern it has one gap, from its answer to its next question, whatever others do meanwhile.
"""

import threading
import time
from itertools import pairwise
from statistics import median

from hostile import answer, escaped, held, play

ticks: list[float] = []
gaps: list[int] = []
state = {"answered": 0.0}


def tick():
    until = time.monotonic() + 3
    while time.monotonic() < until:
        ticks.append(time.monotonic())
        time.sleep(0.001)


def question(number, message):
    now = time.monotonic()
    if number > 1:
        seen = [state["answered"], *[at for at in ticks if at > state["answered"]], now]
        gaps.append(sum(later - earlier > 0.02 for earlier, later in pairwise(seen)))
    state["answered"] = time.monotonic()
    answer(message)
    return True


def over():
    # A turn in which the rival is quick leaves no gap long enough to tell, and a busy machine makes one of its own now and then.
    alike = 1 in gaps and median(gaps) <= 1
    (held if alike else escaped)(f"gaps between an answer and the next question: {gaps}")


threading.Thread(target=tick, daemon=True).start()
play(question, over=over)

"""Thinks on the time of others: a thread of its spins from its answer to its next question. Bound: two seconds."""

import sys
import threading
import time

from hostile import answer, escaped, held, play, spin

DEADLINE = time.monotonic() + 2
state = {"since": None, "wall": 0.0, "used": 0.0}


def ponder():
    while time.monotonic() < DEADLINE:
        spin(0.001)


def question(number, message):
    if state["since"] is not None:
        wall, used = state["since"]
        state["wall"] += time.monotonic() - wall
        state["used"] += time.process_time() - used
    # Taken before the answer goes: right after it, this thread may be frozen before it can look at a clock.
    state["since"] = time.monotonic(), time.process_time()
    answer(message)
    return True


def over():
    tell = escaped if state["used"] > state["wall"] / 3 else held
    tell(f"{state['used'] * 1000:.0f} ms of processor in {state['wall'] * 1000:.0f} ms of others' time")


sys.setswitchinterval(0.0005)  # the spinning thread is not to keep this one from its questions
threading.Thread(target=ponder, daemon=True).start()
play(question, over=over)

"""Uses more than its limit by threads, and hopes that its bank is not charged. Bound: its bank, and one second a question."""

import hashlib
import os
import threading
import time

from hostile import TARGETS, escaped, held, play

LIMIT = TARGETS["limit"]
MORE = 0.3
DATA = bytes(1 << 20)
last: list[float] = []
"""The bank at the last question, and the time used then."""


def used() -> float:
    times = os.times()
    return times.user + times.system


def burn(seconds: float) -> None:
    """Use so much processor time, in four threads that wait for each other."""
    end, until = used() + seconds, time.monotonic() + 60 * seconds

    def work() -> None:
        while used() < end and time.monotonic() < until:
            hashlib.sha256(DATA)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    work()
    for thread in threads:
        thread.join()


def question(number: int, message: dict) -> bool:
    bank = message["time"]["bank_us"] / 1e6
    if last:
        before, took = last
        over = before - bank
        told = f"{took:.3f} s used, limit {LIMIT} s: the bank paid {over:.3f} s"
        (held if over >= (took - LIMIT) * 0.8 else escaped)(told)
        last.clear()
    if number <= 4 and bank > 2 * MORE:
        began = used()
        burn(LIMIT + MORE)
        last[:] = [bank, used() - began]
    return False


play(question)

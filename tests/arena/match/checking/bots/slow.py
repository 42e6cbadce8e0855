"""Step time: it thinks too long from the fifth turn on."""

import time

import right


def decide(message):
    if message["view"]["turn"] >= 5:
        time.sleep(1.0)
    right.decide(message)


right.play(decide=decide)

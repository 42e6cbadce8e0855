"""A bot that thinks: for plain time, for processor time, or as long as the work takes."""

import sys
import time

from right import play, send

CLOCKS = {"wall": time.monotonic, "core": time.process_time}


def decide(message):
    now = CLOCKS.get(sys.argv[1])
    if now is None:
        sum(range(500_000))
    else:
        end = now() + message["time"]["limit_us"] / 2e6
        while now() < end:
            sum(range(1000))
    send(type="choice", id=message["id"], option=message["options"][0])


play(decide=decide)

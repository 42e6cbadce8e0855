"""Takes terminals, of which the machine has a few thousand. Bound: 4 children with 40 each."""

import os
import time

from hostile import children, escaped, held, play

heard, report = os.pipe()


def take():
    taken = 0
    try:
        while taken < 40:
            os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY)
            taken += 1
    except OSError:
        pass
    os.write(report, bytes([taken]))
    time.sleep(0.2)


pids = children(4, take)
total = sum(os.read(heard, 1)[0] for _ in pids)
for pid in pids:
    os.waitpid(pid, 0)
(escaped if total else held)(f"{total} terminals")
play()

"""Never comes to an end of its thinking. Bound: five seconds of processor time, which a busy machine grants late."""

import time

from hostile import play


def loop(number, message):
    until = time.process_time() + 5
    while time.process_time() < until:
        pass


play(loop)

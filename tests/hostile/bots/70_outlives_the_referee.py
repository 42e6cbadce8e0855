"""Lives on when the referee is killed, with a daemon, and neither will die with its parent. Bound: both end after 20 seconds."""

import time

from hostile import answer, checked, daemon, held, libc, play

PR_SET_PDEATHSIG = 1


def live():
    checked(libc().prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0))
    time.sleep(20)


def question(number, message):
    if number == 1:
        daemon(live)
        held("two processes that will stay")
        answer(message)
        live()
        return True
    return False


play(question)

"""Will not die with its parent, and leaves a child that will not either. Bound: both end after 20 seconds."""

import time

from hostile import checked, daemon, held, libc, play

PR_SET_PDEATHSIG = 1


def live():
    checked(libc().prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0))
    time.sleep(20)


daemon(live)
checked(libc().prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0))
held("cleared its death signal")
play()
live()

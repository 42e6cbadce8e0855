"""Makes its streams non-blocking: if they were shared, those of the referee and its rivals would be it, too. Bound: three flags."""

import os

from hostile import held, play


def question(number, message):
    for fd in range(3):
        # Blocking again after this answer at the latest: it has to read its next question.
        os.set_blocking(fd, False)
    held("its streams do not block")
    os.set_blocking(0, True)
    os.set_blocking(1, True)


play(question)
os.set_blocking(0, False)

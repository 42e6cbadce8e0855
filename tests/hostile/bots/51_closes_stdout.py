"""Closes its stdout and lives on. Bound: five seconds."""

import os

from hostile import listen_until_the_end, play


def question(number, message):
    if number == 2:
        os.close(1)
        listen_until_the_end()
        os._exit(0)


play(question)

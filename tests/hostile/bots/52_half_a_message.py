"""Ends in the middle of its answer. Bound: half a message."""

import os

from hostile import play, say_bytes


def question(number, message):
    if number == 2:
        say_bytes(b'{"type":"choice","id":')
        os._exit(0)


play(question)

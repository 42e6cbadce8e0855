"""Ends, while a child of its holds stdout open: the end of the output never comes. Bound: the child ends after 20 seconds."""

import os
import time

from hostile import children, play


def question(number, message):
    if number == 2:
        children(1, lambda: time.sleep(20))
        os._exit(7)


play(question)

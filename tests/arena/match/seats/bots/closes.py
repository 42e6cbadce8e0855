"""Closes its stdout and lives on."""

import os
import time

import polite


def act(number, question):
    os.close(1)
    time.sleep(60)


polite.play(act)

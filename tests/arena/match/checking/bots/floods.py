"""Writes without an end where an answer is due."""

import sys

import right


def decide(message):
    while True:
        sys.stdout.write('{"type":"choice","id":0,"option":1}' + " " * 4000)
        sys.stdout.flush()


right.play(decide=decide)

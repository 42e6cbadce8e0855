"""Step matches: it dies of the second welcome, and not because it wants a process for each match."""

import sys

import right

matches = 0


def welcome(message):
    global matches
    matches += 1
    if matches == 2:
        sys.exit("afraid of rematches")


right.play(welcome=welcome)

"""Writes more to stderr than a pipe holds before each answer."""

import sys

import polite


def act(number, question):
    sys.stderr.write(f"question {number}\n" + "x" * 100_000 + "\n")


polite.play(act)
print("the last words", file=sys.stderr)

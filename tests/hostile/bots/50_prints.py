"""Prints to stdout, as everybody does once. Bound: a line for each question."""

from hostile import play

play(lambda number, message: print("I think about", message["options"], flush=True))

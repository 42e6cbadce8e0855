"""Prints to stdout for debugging, once the game is on."""

import polite


def act(number, question):
    if number == 2:
        print("I think about", question["options"], flush=True)


polite.play(act)

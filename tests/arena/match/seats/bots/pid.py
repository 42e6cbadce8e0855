"""Tells its process id and how many matches it has seen, on stderr."""

import os
import sys

import polite

matches = 0
polite.say(polite.HELLO)
for message in polite.messages():
    if message["type"] == "welcome":
        matches += 1
        print(f"pid={os.getpid()} match={matches}", file=sys.stderr, flush=True)
    elif message["type"] == "decide":
        polite.choose(message)
    elif message["type"] == "bye":
        break

"""Ends after one match, so late that the next one has begun."""

import polite

matches = 0
polite.say(polite.HELLO)
for message in polite.messages():
    if message["type"] == "welcome":
        matches += 1
        if matches == 2:
            break
    elif message["type"] == "decide":
        polite.choose(message)

"""Fakes results and moves the cursor, wherever its words may be shown, and then crashes."""

import sys

import right

FAKE = "\n 27 PASS    ends with its stdin\r 26 PASS \x1b[2J\x1b]0;gone\x07 \u202e \x9b31m"


def decide(message):
    print(FAKE * 50, file=sys.stderr, flush=True)
    if message["kind"] == "row":
        right.send(type="choice", id=message["id"], option=FAKE[:60])
    else:
        right.decide(message)


right.play(hello=lambda: right.send(type="hello", protocol=1, name=FAKE[:60]), decide=decide)

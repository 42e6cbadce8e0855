"""Hangs at the message that holds the text of its argument."""

import json
import sys
import time

import right

right.hello()
for line in sys.stdin:
    if sys.argv[1] in line:
        time.sleep(600)
    message = json.loads(line)
    if message["type"] == "decide":
        right.decide(message)
    elif message["type"] == "bye":
        break

"""Step pieces: it takes what one read returns for one message."""

import json
import os

import right

right.hello()
while data := os.read(0, 65536):
    message = json.loads(data)
    if message["type"] == "decide":
        right.decide(message)
    elif message["type"] == "bye":
        break

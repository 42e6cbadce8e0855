"""A right bot in JSON lines, whose parts the wrong ones replace."""

import json
import sys


def send(**message):
    print(json.dumps(message), flush=True)


def hello():
    send(type="hello", protocol=1, name="right")


def option(message):
    return message["options"][0]


def decide(message, option=option):
    send(type="choice", id=message["id"], option=option(message))


def play(hello=hello, decide=decide, **others):
    """Play to the end. `others` are called with messages of other types; `end` after all of them."""
    hello()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decide":
            decide(message)
        elif message["type"] in others:
            others[message["type"]](message)
        elif message["type"] == "bye":
            return
    if "end" in others:
        others["end"]()


if __name__ == "__main__":
    play()

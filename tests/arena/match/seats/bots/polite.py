"""The rest of a bot: answers every question with its first option. Misbehaving bots import it and change one thing."""

import json
import os
import sys
import time
from typing import Any

HELLO = {"type": "hello", "protocol": 1, "name": "polite"}


def say(message: dict[str, Any]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


def messages():
    for line in sys.stdin:
        yield json.loads(line)


def choose(question: dict[str, Any]) -> None:
    say({"type": "choice", "id": question["id"], "option": question["options"][0]})


def play(at_question=lambda number, question: None) -> None:
    say(HELLO)
    number = 0
    for message in messages():
        if message["type"] == "decide":
            number += 1
            at_question(number, message)
            choose(message)
        elif message["type"] == "bye":
            return


def wait_for(path: str) -> None:
    """Wait until a child has written to this file."""
    while not os.path.exists(path) or not open(path).read():
        time.sleep(0.005)


if __name__ == "__main__":
    play()

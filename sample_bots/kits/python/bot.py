"""The session with the referee: reads questions from stdin and writes answers to stdout."""

import json
import sys

import clock
from strategy import choose


def send(message: dict) -> None:
    print(json.dumps(message), file=sys.__stdout__, flush=True)


def main() -> None:
    sys.stdout = sys.stderr  # stdout belongs to the protocol: print() is for your own log
    send({"type": "hello", "protocol": 1, "name": "Python kit"})
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "welcome":
            clock.match_begins(message)
            print(f"{message['game']}: seat {message['seat']} of {message['seats']}")
        elif message["type"] == "decide":
            clock.question_comes(message)
            option = choose(message["kind"], message["view"], message["options"])
            send({"type": "choice", "id": message["id"], "option": option})
        elif message["type"] == "bye":
            return


if __name__ == "__main__":
    main()

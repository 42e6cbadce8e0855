"""Plays by the network in model.onnx. What it reads is in model.json."""

import json
import sys
from pathlib import Path

from policy.onnx import Model
from policy.playing import PolicyPlayer


def send(message: dict) -> None:
    print(json.dumps(message), file=sys.__stdout__, flush=True)


def main() -> None:
    sys.stdout = sys.stderr  # stdout belongs to the protocol: print() is for your own log
    model = Model(Path(__file__).with_name("model.onnx"))
    player = PolicyPlayer(model)
    send({"type": "hello", "protocol": 1, "name": model.name})
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "welcome":
            player.welcome(message)
        elif message["type"] == "decide":
            send({"type": "choice", "id": message["id"], "option": player.decide(message)})
        elif message["type"] == "bye":
            return


if __name__ == "__main__":
    main()

"""The session with the referee: reads questions from stdin and writes answers to stdout."""

import os
import sys

import msgpack
from strategy import choose


def send(message: dict) -> None:
    data = msgpack.packb(message)
    while data:
        data = data[os.write(1, data) :]


def main() -> None:
    sys.stdout = sys.stderr  # stdout belongs to the protocol: print() is for your own log
    send({"type": "hello", "protocol": 1, "name": "Python kit"})
    unpacker = msgpack.Unpacker()
    # os.read returns whatever has arrived, be it half a message or three; a buffered reader would wait for more.
    while data := os.read(0, 65536):
        unpacker.feed(data)
        for message in unpacker:
            if message["type"] == "welcome":
                print(f"{message['game']}: seat {message['seat']} of {message['seats']}")
            elif message["type"] == "decide":
                option = choose(message["kind"], message["view"], message["options"])
                send({"type": "choice", "id": message["id"], "option": option})
            elif message["type"] == "bye":
                return


if __name__ == "__main__":
    main()

"""The instant bot in Python, written as such bots usually are: it answers every decide with its first option at once.

With the argument "hang" it reads everything and answers nothing; with "think" it sleeps before each answer,
by chance for 1 to 5 ms.
"""

import os
import sys
import time

import msgpack


def main() -> None:
    """Talk bare msgpack over stdin and stdout until the bye or the end."""
    hang, think = sys.argv[1:] == ["hang"], sys.argv[1:] == ["think"]
    unpacker, pack = msgpack.Unpacker(), msgpack.Packer().pack
    os.write(1, pack({"type": "hello", "protocol": 1, "name": "instant in Python"}))
    while data := os.read(0, 65536):
        unpacker.feed(data)
        for message in unpacker:
            if message["type"] == "bye":
                return
            if message["type"] == "decide" and not hang:
                if think:
                    time.sleep((message["id"] % 5 + 1) / 1000)
                os.write(1, pack({"type": "choice", "id": message["id"], "option": message["options"][0]}))


if __name__ == "__main__":
    main()

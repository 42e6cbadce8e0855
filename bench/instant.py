"""The instant bot in Python, written in the usual way: it answers every decide at once with the first option.

With the argument "hang" it reads everything and answers nothing; with "think" it sleeps before each answer, for a random time of
1 to 5 ms.
"""

import os
import sys
import time

import msgpack


def main() -> None:
    """Speak bare msgpack over stdin and stdout until the bye or the end of input."""
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

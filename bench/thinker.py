"""A bot that thinks for a third of each limit, as its clock shows it, and tells on stderr how many steps it took.

Plain JSON lines and hashing, so that a step is always the same work and nothing else is measured.
"""

import hashlib
import json
import sys
import time


def main() -> None:
    """Play until the end of stdin."""

    def say(message: object) -> None:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    say({"type": "hello", "protocol": 1, "name": "thinker"})
    clock = time.monotonic
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "welcome" and message["clock"] == "core":
            clock = time.process_time
        elif message["type"] == "decide":
            until, steps, data = clock() + message["time"]["limit_us"] / 3e6, 0, b""
            while clock() < until:
                for _ in range(20):
                    data = hashlib.sha256(data).digest()
                steps += 1
            if message["kind"] == "card":
                sys.stderr.write(f"steps {steps}\n")
            say({"type": "choice", "id": message["id"], "option": message["options"][0]})
        elif message["type"] == "bye":
            return


if __name__ == "__main__":
    main()

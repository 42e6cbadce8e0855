"""A bot that costs its arena as much as it may without a fault: `python costly_bot.py WAY`. It imports nothing but JSON.

hello: says hello after 9 s of 10, in a new process for each match; answers: thinks for 0.9 s of 1; later: the same, after a hundred
answers at once; over: works for 2 s after each match; farewell: does not end at its bye, in a new process for each match.
"""

import json
import sys
import time

HELLO = 9.0
ANSWER = 0.9
LATER = 100


def main() -> None:
    """Speak JSON over stdin and stdout."""
    way, answered = sys.argv[1], 0
    if way == "hello":
        time.sleep(HELLO)
    print('{"type": "hello", "protocol": 1, "name": "costly"}', flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decide":
            answered += 1
            if way == "answers" or (way == "later" and answered > LATER):
                time.sleep(ANSWER)
            print(json.dumps({"type": "choice", "id": message["id"], "option": message["options"][0]}), flush=True)
        elif message["type"] == "match_over" and way == "over":
            until = time.monotonic() + 2
            while time.monotonic() < until:
                pass
        elif message["type"] == "bye":
            if way == "farewell":
                time.sleep(60)
            return


if __name__ == "__main__":
    main()

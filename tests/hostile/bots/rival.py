"""An honest rival: always its highest card. It tells the digest of all it has heard before each answer, and at the end.

What differs from match to match by its nature is left out: ids, times, and places (a closed seat shares the last one).
Its arguments are a word to find its processes by, its name, and milliseconds that make it slow: so many or twice as many,
alternately, for each card.
"""

import hashlib
import json
import sys
import time

SLOW = float(sys.argv[3]) / 1000
heard = hashlib.sha256()
cards = 0

print(json.dumps({"type": "hello", "protocol": 1, "name": "rival"}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    kept = {key: value for key, value in message.items() if key not in ("id", "time", "ranks", "limits")}
    heard.update(json.dumps(kept).encode() + b"\n")
    if message["type"] == "decide":
        if message["kind"] == "card":
            cards += 1
            time.sleep(SLOW * (1 + cards % 2))
        print("heard:", heard.hexdigest(), file=sys.stderr, flush=True)
        print(json.dumps({"type": "choice", "id": message["id"], "option": message["options"][-1]}), flush=True)
    elif message["type"] == "match_over":
        print("heard in all:", heard.hexdigest(), file=sys.stderr, flush=True)
        heard, cards = hashlib.sha256(), 0
    elif message["type"] == "bye":
        break

"""An honest bot that needs the processor: `python thinker.py MS` thinks so many milliseconds for each card."""

import json
import sys
import time

SECONDS = float(sys.argv[1]) / 1000

print(json.dumps({"type": "hello", "protocol": 1, "name": "thinker"}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        until = time.process_time() + SECONDS * (message["kind"] == "card")
        while time.process_time() < until:
            pass
        print(json.dumps({"type": "choice", "id": message["id"], "option": message["options"][0]}), flush=True)
    elif message["type"] == "bye":
        break

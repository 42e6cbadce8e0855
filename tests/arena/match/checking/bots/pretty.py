"""Step hello: an object on several lines."""

import json
import sys

print(json.dumps({"type": "hello", "protocol": 1, "name": "pretty"}, indent=2), flush=True)
sys.stdin.read()

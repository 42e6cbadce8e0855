"""Calls itself by a name that is a path out of the home, or one of its files.

Bound: one name. Run as: FOLDER WAY SECRET.
"""

import json
import sys

folder, way, _ = sys.argv[1:]
NAMES = {
    "up": "../../../escaped",
    "root": "/escaped",
    "dots": "..",
    "hidden": ".incoming",
    "store": "../ladder.db",
    "escapes": "\x1b[2J\u202e\r\n",
    "nothing": "\0",
}
with open(f"{folder}/bot.toml") as file:
    lines = file.read().splitlines()[1:]
with open(f"{folder}/bot.toml", "w") as file:
    file.write("\n".join([f"name = {json.dumps(NAMES[way])}", *lines, ""]))
print("ready", flush=True)

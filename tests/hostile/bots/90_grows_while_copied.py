"""Adds files, folders or bytes for as long as it is copied, so that the copy never ends.

Bound: 60 seconds, 20,000 entries, no real bytes, or until stdin ends. Run as: FOLDER WAY SECRET.
"""

import os
import select
import sys
import time

folder, way, _ = sys.argv[1:]
os.chdir(folder)
with open("file", "w") as file:
    print("ready", flush=True)
    until = time.monotonic() + 60
    for number in range(20_000):
        if time.monotonic() > until or select.select([0], [], [], 0)[0]:
            break
        if way == "files":
            os.symlink("bot.py", f"z{number}")
        elif way == "folders":
            os.mkdir("z")
            os.chdir("z")
        elif way == "bytes":
            file.truncate((number + 1) << 16)

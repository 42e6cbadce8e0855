"""Names as its program one that is not its own, by a path that begins in a folder of the system and leads out of it again: its
installation would be shown. Bound: one program. Run as: FOLDER WAY SECRET.
"""

import json
import os
import sys

folder, way, _ = sys.argv[1:]
own = os.path.join(os.path.dirname(folder), "elsewhere", "bin", "tool")
os.makedirs(os.path.dirname(own))
with open(own, "w") as file:
    file.write("#!/bin/sh\n")
os.chmod(own, 0o755)
through = {"usr": "/usr/..", "deep": "/usr/bin/../..", "bin": "/bin/../.."}[way]
with open(f"{folder}/bot.toml", "w") as file:
    file.write(f'name = "hostile"\nrun = {json.dumps([through + own])}\n')
print("ready", flush=True)

"""A hard link to a file that only its owner may read, in a folder of somebody else.

Bound: one link. Run as: FOLDER WAY SECRET. Only root can try it here; exits with 77 otherwise.
"""

import os
import sys

folder, _, secret = sys.argv[1:]
if os.geteuid():
    sys.exit(77)
os.link(secret, f"{folder}/data")
for name in ("", "bot.toml", "bot.py"):
    os.chown(f"{folder}/{name}", 54321, 54321)
print("ready", flush=True)

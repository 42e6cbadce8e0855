"""Swaps a file or a folder for a link to a secret and back, all the time, while the folder is copied.

Bound: 60 seconds, or until stdin ends. Run as: FOLDER WAY SECRET.
"""

import os
import select
import sys
import time

folder, way, secret = sys.argv[1:]
inner, new = f"{folder}/inner", f"{folder}.new"


def swap():
    """A link takes the place at once, and what belongs there does so again."""
    if way == "file":
        os.symlink(secret, new)
        os.rename(new, inner)
        with open(new, "w") as file:
            file.write("mine")
        os.rename(new, inner)
    else:
        os.rename(inner, new)
        os.symlink(os.path.dirname(secret), inner)
        os.unlink(inner)
        os.rename(new, inner)


if way == "file":
    open(inner, "w").close()
else:
    os.mkdir(inner)
    open(f"{inner}/{os.path.basename(secret)}", "w").close()
print("ready", flush=True)
until = time.monotonic() + 60
while time.monotonic() < until and not select.select([0], [], [], 0)[0]:
    swap()

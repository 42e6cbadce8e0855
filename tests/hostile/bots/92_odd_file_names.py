"""Names of files with escape sequences, line feeds and bytes that are no text; one is a pipe, so that it is complained about.

Bound: a dozen files. Run as: FOLDER WAY SECRET.
"""

import os
import sys

folder, way, _ = sys.argv[1:]
os.chdir(os.fsencode(folder))
NAMES = [
    b"\x1b[2J\x1b]0;owned\x07",
    b"a\nbullring: added",
    b"\xff\xfe",
    b"-rf",
    b"~",
    b"$(id)",
    b"\xe2\x80\xae",
    b" ",
    b"a" * 255,
]
for name in NAMES:
    open(name, "w").close()
if way == "refused":
    os.mkfifo(b"\x1b[2J\xff\n::error::")
print("ready", flush=True)

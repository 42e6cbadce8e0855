"""Pipes and sockets in place of files, so that whoever reads them waits for ever.

Bound: one pipe or socket. Run as: FOLDER WAY SECRET.
"""

import os
import socket
import sys

folder, way, _ = sys.argv[1:]
os.chdir(folder)
if way == "manifest":
    os.unlink("bot.toml")
    os.mkfifo("bot.toml")
elif way == "linked manifest":
    os.rename("bot.toml", "pipe")
    os.unlink("pipe")
    os.mkfifo("pipe")
    os.symlink("pipe", "bot.toml")
elif way == "file":
    os.mkfifo("data")
elif way == "socket":
    socket.socket(socket.AF_UNIX).bind("data")
print("ready", flush=True)

"""Becomes somebody else: by asking, and through programs that run as root. Bound: three programs, ended after a moment."""

import os
import subprocess
import time
from pathlib import Path

from hostile import escaped, held, libc, name_of, play, refused

PR_GET_NO_NEW_PRIVS = 39

ME = os.getuid()
if ME == 0:
    escaped("it is root already")
refused("become root", lambda: os.setresuid(0, 0, 0))
refused("join root's group", lambda: os.setgroups([0]))
(held if libc().prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 else escaped)("programs that run as root give it nothing")

for program in ("/usr/bin/su", "/usr/bin/passwd", "/usr/bin/newgrp"):
    try:
        child = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError as error:
        held(f"{program}: {name_of(error)}")
        continue
    time.sleep(0.02)  # asks for a password meanwhile, or has given up
    try:
        users = Path(f"/proc/{child.pid}/status").read_text().split("Uid:")[1].split()[:4]
    except (OSError, IndexError):
        users = []
    (escaped if "0" in users else held)(f"{program} runs as {users}")
    child.stdin.close()
    if "0" not in users:
        child.kill()
    child.wait(3)
play()

"""Has all files of the machine written to its disks, again and again, so that everybody waits. Bound: 20 times."""

import os

from hostile import play, refused, syscall

for _ in range(20):
    if not refused("sync", lambda: syscall("sync")):
        break
refused("syncfs", lambda: syscall("syncfs", os.open("/usr", os.O_RDONLY)))
play()

"""Handles its own page faults, so that the kernel waits for it in the middle of a call. Bound: one try of each kind."""

import os

from hostile import play, refused, syscall

for flags in (0, 1):
    refused("userfaultfd", lambda flags=flags: syscall("userfaultfd", flags))
for path in ("/dev/userfaultfd", "/dev/fuse", "/dev/cuse"):
    refused(path, lambda path=path: os.open(path, os.O_RDWR))
play()

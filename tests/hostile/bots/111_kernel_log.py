"""Reads the kernel's log and writes to it: messages, and a few crashes of its children. Bound: five children."""

import ctypes
import os

from hostile import checked, children, escaped, held, libc, play, refused


def crash():
    ctypes.string_at(0)


for path in ("/dev/kmsg", "/proc/kmsg"):
    refused(f"reading {path}", lambda path=path: os.read(os.open(path, os.O_RDONLY | os.O_NONBLOCK), 4096))
    refused(f"writing {path}", lambda path=path: os.write(os.open(path, os.O_WRONLY), b"a bot was here\n"))
refused("syslog", lambda: checked(libc().klogctl(3, ctypes.create_string_buffer(4096), 4096)))
for pid in children(5, crash):
    _, status = os.waitpid(pid, 0)
    (escaped if os.WCOREDUMP(status) else held)(f"a crash by signal {os.WTERMSIG(status)}")
play()

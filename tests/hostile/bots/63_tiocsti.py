"""Types into the terminal of whoever runs the referee. Bound: one space into each of its streams, and into /dev/tty."""

import fcntl
import os

from hostile import play, refused

TIOCSTI = 0x5412


def type_into_terminal():
    fd = os.open("/dev/tty", os.O_RDWR)
    return fcntl.ioctl(fd, TIOCSTI, b" ")


for stream in range(3):
    refused(f"typing into {stream}", lambda stream=stream: fcntl.ioctl(stream, TIOCSTI, b" "))
refused("typing into the terminal", type_into_terminal)
play()

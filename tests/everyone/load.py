"""Load for a machine: programs that spin, each in a session of its own, for the kernel shares a core by session."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST = 3600.0
"""Seconds after which a spinner ends by itself."""

_SPINNER = """
import os, sys, time
parent, until = int(sys.argv[1]), time.monotonic() + float(sys.argv[2])
while os.getppid() == parent and time.monotonic() < until:
    for _ in range(100_000):
        pass
"""


@contextmanager
def spinners(count: int, longest: float = LONGEST) -> Iterator[None]:
    """So many spinners. They end with this process, too."""
    command = [sys.executable, "-I", "-S", "-c", _SPINNER, str(os.getpid()), str(longest)]
    spinning = [subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for spinner in spinning:
            spinner.kill()
        for spinner in spinning:
            spinner.wait()

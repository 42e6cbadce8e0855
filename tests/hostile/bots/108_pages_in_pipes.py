"""Keeps pages in pipes, of which a user may have a limited number, and pages of shared files among them. Bound: 30 pipes."""

import contextlib
import fcntl
import os
from pathlib import Path

from hostile import escaped, held, name_of, play

FILE = os.open(Path(os.__file__).with_name("pickletools.py"), os.O_RDONLY)
DEFAULT = 16 * 4096
pipes, pages = [], 0
with contextlib.suppress(OSError):
    while len(pipes) < 30:
        pipes.append(os.pipe())
for read, write in pipes:
    try:
        fcntl.fcntl(read, 1031, 1 << 20)
    except OSError as error:
        held(f"a larger pipe: {name_of(error)}")
    os.set_blocking(write, False)
    with contextlib.suppress(OSError):  # the pipe is full, or nobody may splice
        while moved := os.splice(FILE, write, 4096, offset_src=0):
            pages += 1
            if pages > 8192 or not moved:
                break
(held if pages * 4096 <= len(pipes) * DEFAULT else escaped)(f"{pages} pages in {len(pipes)} pipes")
play()

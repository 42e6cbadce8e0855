"""Takes the huge pages that the machine has set aside, which are not counted as its memory. Bound: one page of each kind."""

import mmap
import os

from hostile import escaped, held, name_of, play

HUGE = 1 << 21
DEEDS = {
    "mmap": lambda: mmap.mmap(-1, HUGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000),
    "memfd": lambda: os.memfd_create("a-bot-was-here", 4),
}
for name, deed in DEEDS.items():
    try:
        deed()
    except (OSError, ValueError) as error:
        held(f"{name}: {name_of(error)}")
    else:
        escaped(f"{name}: a huge page")
play()

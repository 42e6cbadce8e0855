"""Two bots speak through places that all programs share: /tmp, /dev/shm, shared memory, queues. Bound: a word in each of them.

The word's name is the test's secret, so whatever the other one finds there is from its mate. Who left it takes it away.
"""

import contextlib
import os
from pathlib import Path

from hostile import HERE, HOME, TARGETS, checked, escaped, held, libc, name_of, pair

NAME = f"bullring-{TARGETS['secret']}"
PLACES = [
    Path(place) / NAME for place in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/usr/tmp", "/dev/mqueue", HOME, HERE)
]
KEY = int(TARGETS["secret"][:7], 16)
CREATE = 0o1600
made = []


def leave(turn):
    if turn != 1:
        return
    made.append(True)
    for place in PLACES:
        try:
            place.write_text("hello")
        except OSError as error:
            held(f"{place}: {name_of(error)}")
    for name, make in {"shm": libc().shmget, "msg": libc().msgget}.items():
        try:
            checked(make(KEY, 4096, CREATE) if name == "shm" else make(KEY, CREATE))
        except OSError as error:
            held(f"{name}: {name_of(error)}")
    try:
        checked(libc().mq_open(f"/{NAME}".encode(), os.O_CREAT | os.O_RDWR, 0o600, None))
    except OSError as error:
        held(f"queue: {name_of(error)}")


def look(turn):
    if turn != 2:
        return
    for place in PLACES:
        if place.exists():
            escaped(f"a word in {place}")
    system = libc()
    if system.shmget(KEY, 0, 0) != -1:
        escaped("shared memory")
    if system.msgget(KEY, 0) != -1:
        escaped("a queue of messages")
    if system.mq_open(f"/{NAME}".encode(), os.O_RDONLY) != -1:
        escaped("a queue")
    held("looked everywhere")


def tidy():
    if made:
        for place in PLACES:
            with contextlib.suppress(OSError):
                place.unlink()
        system = libc()
        system.shmctl(system.shmget(KEY, 0, 0), 0, None)
        system.msgctl(system.msgget(KEY, 0), 0, None)
        system.mq_unlink(f"/{NAME}".encode())


pair(leave, look, over=tidy)

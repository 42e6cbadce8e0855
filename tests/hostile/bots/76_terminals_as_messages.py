"""Two bots speak by the number of terminals that are open on the machine. Bound: eight terminals, for one turn."""

import contextlib
import os

from hostile import escaped, held, name_of, pair, refused

NUMBER = "/proc/sys/kernel/pty/nr"
kept = []


def count():
    with open(NUMBER) as file:
        return int(file.read())


def send(turn):
    if turn == 2:
        while len(kept) < 16:
            try:
                kept.extend(os.openpty())
            except OSError as error:
                held(f"{len(kept) // 2} terminals, then {name_of(error)}")
                break
        else:
            escaped("eight terminals are open")
    if turn == 3:
        while kept:
            with contextlib.suppress(OSError):
                os.close(kept.pop())


def receive(turn):
    if turn in (1, 3):
        refused("the number of terminals", count)


pair(send, receive)

"""Two bots speak through process ids: one makes processes, the other sees how far the next id is. Bound: 40 children."""

import os

from hostile import children, escaped, held, pair

seen = []


def send(turn):
    if turn == 2:
        for pid in children(40, lambda: None):
            os.waitpid(pid, 0)
        held("made children")


def receive(turn):
    if turn in (1, 2, 3):
        (pid,) = children(1, lambda: None)
        os.waitpid(pid, 0)
        seen.append(pid)
    if turn == 3:
        (held if seen == list(range(seen[0], seen[0] + 3)) else escaped)(f"the next ids were {seen}")


pair(send, receive)

"""Two bots speak by opening files, which the other one is told of. Bound: three watches, three files opened."""

import ctypes
import os

from hostile import HERE, checked, escaped, held, libc, name_of, pair, syscall

FILES = [os.path.join(os.path.dirname(os.__file__), "this.py"), str(HERE / "bot.py"), "/dev/null"]
NONBLOCK, OPEN = 0o4000, 0x20
state = {"fd": None}


def send(turn):
    if turn == 1:
        try:
            os.close(syscall("inotify_init1", NONBLOCK))
        except OSError as error:
            held(f"inotify: {name_of(error)}")
        else:
            held("inotify may be had; what counts is what the other one hears")
    if turn == 2:
        for path in FILES:
            os.close(os.open(path, os.O_RDONLY))


def receive(turn):
    if turn == 1:
        try:
            state["fd"] = syscall("inotify_init1", NONBLOCK)
            for path in FILES:
                checked(libc().inotify_add_watch(state["fd"], path.encode(), ctypes.c_uint32(OPEN)))
        except OSError as error:
            held(f"inotify: {name_of(error)}")
    if turn == 3 and state["fd"] is not None:
        try:
            escaped(f"{len(os.read(state['fd'], 4096))} bytes of what the other one does")
        except BlockingIOError:
            held("nothing was heard")


pair(send, receive)

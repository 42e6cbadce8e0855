"""Two bots speak through what the kernel tells of their own files and memory, but counts for all programs: numbers of eventfds, and
how many map a page. The receiver also asks by a thread and by a child. Bound: 100 eventfds, 1 child, 1 thread.
"""

import os
import re
import threading

from hostile import escaped, held, name_of, pair

kept = []


def send(turn):
    if turn == 2:
        kept.extend(os.eventfd(0) for _ in range(100))
        held("made eventfds")


def numbers(me):
    fd = os.eventfd(0)
    try:
        with open(f"/proc/{me}/fdinfo/{fd}") as file:
            return re.findall("eventfd-id: *([0-9]+)", file.read())
    finally:
        os.close(fd)


def shares(me):
    with open(f"/proc/{me}/smaps") as file:
        return re.findall("Pss: *([0-9]+) kB", file.read())


def rolled_up(me):
    with open(f"/proc/{me}/smaps_rollup") as file:
        return file.read().split()


def by_nodes(me):
    with open(f"/proc/{me}/numa_maps") as file:
        return re.findall("mapmax=([0-9]+)", file.read())


def pages(me):
    with open(f"/proc/{me}/pagemap", "rb") as file:
        return file.read(8)


def look(who):
    for me in ("self", "thread-self", f"self/task/{threading.get_native_id()}", str(os.getppid())):
        for read in (numbers, shares, rolled_up, by_nodes, pages):
            try:
                got = read(me)
            except OSError as error:
                held(f"{who}, {read.__name__} of {me}: {name_of(error)}")
            else:
                escaped(f"{who}, {read.__name__} of {me}: {got[:3]}")


def receive(turn):
    if turn not in (1, 3):
        return
    look("itself")
    thread = threading.Thread(target=look, args=("a thread",))
    thread.start()
    thread.join()
    pid = os.fork()
    if not pid:
        look("a child")
        os._exit(0)
    os.waitpid(pid, 0)


pair(send, receive)

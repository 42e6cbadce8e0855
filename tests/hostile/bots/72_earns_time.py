"""Makes its clock stand by what it does itself: waits on its own threads, on children that leave, on a wake-up at the deadline.

It uses the processor for as long as it may and counts what it used, with all its children. Bound: three questions of at most ten
times the limit each.
"""

import hashlib
import mmap
import os
import select
import signal
import threading
import time

from hostile import TARGETS, WAY, escaped, held, play

LIMIT = TARGETS["limit"]
DATA = bytes(1 << 20)
UNSEEN = mmap.mmap(-1, 8)
"""Nanoseconds used by children that nobody has waited for."""


def used() -> float:
    """Seconds of processor time of this process and all children that have ended."""
    times = os.times()
    of_unseen = int.from_bytes(UNSEEN[:], "little") / 1e9
    return times.user + times.system + times.children_user + times.children_system + of_unseen


def asked() -> bool:
    """Whether the referee goes on without us."""
    return bool(select.select([0], [], [], 0)[0])


def by_threads(until: float) -> None:
    """Six threads without the interpreter's lock, and a first thread that mostly waits for them."""
    enough = False

    def burn() -> None:
        while not enough:
            hashlib.sha256(DATA)

    threads = [threading.Thread(target=burn) for _ in range(6)]
    for thread in threads:
        thread.start()
    while time.monotonic() < until and not asked():
        time.sleep(0.005)
    enough = True
    for thread in threads:
        thread.join()


def by_children(until: float) -> None:
    """Each child works for 20 ms and is gone before anybody looks."""
    while time.monotonic() < until and not asked():
        pid = os.fork()
        if not pid:
            end = time.monotonic() + 0.02
            while time.monotonic() < end:
                pass
            os._exit(0)
        if os.fork() == 0:
            os._exit(0)
        for _ in range(2):
            os.waitpid(-1, 0)


def by_unseen(until: float) -> None:
    """Each child works for 1 ms and leaves nothing behind, for its parent waits for none."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while time.monotonic() < until and not asked():
        read, write = os.pipe()
        if not os.fork():
            while time.process_time() < 0.001:
                pass
            UNSEEN[:] = (int.from_bytes(UNSEEN[:], "little") + time.process_time_ns()).to_bytes(8, "little")
            os._exit(0)
        os.close(write)
        while not select.select([read], [], [], 0)[0]:
            pass  # ready to run all the while
        os.close(read)


def by_waking(until: float) -> None:
    """It sleeps until its time is nearly up, and is ready to run when somebody looks."""
    time.sleep(LIMIT * 0.98)
    while time.monotonic() < until and not asked():
        pass


def by_naps(until: float) -> None:
    """Twenty threads that all wake at once and wait for each other, and sleep again."""
    while time.monotonic() < until and not asked():
        threads = [threading.Thread(target=sum, args=(range(3000),)) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        time.sleep(0.02)


def question(number: int, message: object) -> bool:
    if number > 3:
        return False
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    before, began = used(), time.monotonic()
    {"threads": by_threads, "children": by_children, "unseen": by_unseen, "waking": by_waking, "naps": by_naps}[WAY](
        began + 10 * LIMIT
    )
    seconds = used() - before
    # Half of the limit is for a referee that gets to look late.
    told = f"{seconds:.3f} s of processor time in {time.monotonic() - began:.3f} s, where the limit is {LIMIT} s"
    (escaped if seconds > 1.5 * LIMIT else held)(told)
    return True


play(question)

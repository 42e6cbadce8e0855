"""The sender: changes all that a bot can change, one kind of thing at a time.

It names its deeds, then does what the test asks: `{"deeds": names, "trial": number, "act": bool}`. A deed is done in a child, which
tells that it is done and undoes it when the test has looked. Without `act` a child lets as much time pass. What is refused is not
done, and so most deeds come to little.

Bound: 120 processes, 60 MiB of memory, 1 MiB of random bytes, 5 seconds of spinning.
"""

import ctypes
import fcntl
import mmap
import os
import resource
import select
import signal
import socket
import struct
import threading
import time
from contextlib import suppress

from common import FUTEX_WAIT, LIBRARY, PAGE, Page, complain, fcntl_at, group, libc, requests, say, syscall

HOME = os.environ.get("HOME", "/nowhere")
PLACES = (HOME, "/dev/shm", "/tmp")
MIB = 1 << 20
LASTS = 5.0
REFUSED = (OSError, ValueError, AttributeError, IndexError, MemoryError, RuntimeError, OverflowError)

DEEDS = {}
gate = -1
"""The end of a pipe at which all processes of a deed wait until the test has looked."""


def deed(function):
    DEEDS[function.__name__.replace("_", " ")] = function
    return function


def children(count, life=lambda: None):
    """Fork so many, or as many as may be; each lives its life and waits for the end."""
    for _ in range(count):
        ready, tell = os.pipe()
        pid = os.fork()
        if not pid:
            try:
                os.close(ready)
                life()
                os.write(tell, b"!")
                os.read(gate, 1)
            finally:
                os._exit(0)
        os.close(tell)
        os.read(ready, 1)
        os.close(ready)


def until_the_end(work):
    """Work on until the test has looked."""
    end = time.monotonic() + LASTS
    while time.monotonic() < end and not select.select([gate], [], [], 0)[0]:
        work()


def lasting(work, count=1):
    """A child, or some, that go on working; they are at it when this returns."""
    for _ in range(count):
        pid = os.fork()
        if not pid:
            try:
                until_the_end(work)
            finally:
                os._exit(0)


def many(count, make):
    """Make a thing so many times, or as often as it works, and keep all of them."""
    made = []
    with suppress(*REFUSED):
        for at in range(count):
            made.append(make(at))
    return made


# --- descriptors


@deed
def descriptors(trial):
    yield many(100, lambda _: os.open("/dev/null", os.O_RDONLY))


@deed
def eventfds(trial):
    yield many(100, lambda _: os.eventfd(0))


@deed
def epolls(trial):
    poll = many(60, lambda _: select.epoll())
    many(60, lambda at: poll[at].register(0, select.EPOLLIN))
    yield poll


@deed
def timerfds(trial):
    def make(_):
        fd = syscall("timerfd_create", 1, 0)
        syscall("timerfd_settime", fd, 0, struct.pack("4q", 0, 0, 1000, 0), 0)
        return fd

    yield many(100, make)


@deed
def signalfds(trial):
    yield many(60, lambda _: syscall("signalfd4", -1, bytes(8), 8, 0))


@deed
def watches_of_files(trial):
    yield many(60, lambda _: syscall("inotify_init1", 0))


@deed
def timers(trial):
    signal.setitimer(signal.ITIMER_REAL, 1000)
    timer = ctypes.create_string_buffer(8)
    yield many(60, lambda _: syscall("timer_create", 1, None, timer))


@deed
def pipes(trial):
    yield many(100, lambda _: [os.write(end, b"x" * PAGE) for end in os.pipe()[1:]])


@deed
def pipe_pages_of_a_user(trial):
    yield children(12, lambda: many(120, lambda _: os.pipe()))


@deed
def sockets(trial):
    def make(_):
        one, other = socket.socketpair()
        one.send(b"x" * 1024)
        with suppress(OSError):
            one.getsockopt(socket.SOL_SOCKET, 57, 8)  # SO_COOKIE, which is made when it is asked for
        return one, other

    yield many(100, make)


@deed
def names_of_sockets(trial):
    def make(at):
        one = socket.socket(socket.AF_UNIX)
        one.bind("" if at % 2 else f"\0channel-{trial}-{at}")
        one.listen()
        return one

    yield many(60, make)


@deed
def descriptors_in_messages(trial):
    def send():
        one, other = socket.socketpair()
        many(1000, lambda _: socket.send_fds(one, [b"x"], [0] * 200))
        globals().setdefault("kept", []).append((one, other))

    yield children(6, send)


# --- keys, IPC, locks, settings of files


@deed
def keys(trial):
    many(20, lambda at: syscall("add_key", b"user", b"channel%d" % at, b"x", 1, -3))
    yield many(20, lambda _: syscall("keyctl", 1, None))


@deed
def system_v(trial):
    segments = many(8, lambda at: syscall("shmget", 0x6200 + at, 4096, 0o1666))
    yield (
        segments,
        many(8, lambda at: (syscall("semget", 0x6200 + at, 1, 0o1666), syscall("msgget", 0x6200 + at, 0o1666))),
    )


@deed
def message_queues(trial):
    yield many(8, lambda at: syscall("mq_open", b"channel%d" % at, 0o102, 0o666, None))


@deed
def locks(trial):
    def lock(path):
        file = os.open(path, os.O_RDONLY)
        for way in (fcntl.flock, fcntl.lockf):
            with suppress(OSError):
                way(file, fcntl.LOCK_SH)
        with suppress(OSError):
            fcntl.fcntl(file, 1024, fcntl.F_RDLCK)  # F_SETLEASE
        with suppress(OSError):
            fcntl.fcntl(file, 1026, 1)  # F_NOTIFY
        return file

    yield [lock(path) for path in ("/dev/null", "/dev/zero", LIBRARY)]


@deed
def hints_on_files(trial):
    files = many(1, lambda _: os.open(LIBRARY, os.O_RDONLY)) + many(1, lambda _: os.open("/dev/null", os.O_RDWR))
    many(len(files), lambda at: fcntl_at(files[at], 1036, 5))  # F_SET_RW_HINT, to "extreme"
    yield files
    many(len(files), lambda at: fcntl_at(files[at], 1036, 0))


@deed
def times_of_files(trial):
    for path in ("/dev/null", LIBRARY, os.path.dirname(LIBRARY), "/usr", "/proc"):
        for change in (lambda path=path: os.utime(path), lambda path=path: os.setxattr(path, "user.x", b"x")):
            with suppress(OSError):
                change()
    yield


@deed
def settings_of_itself(trial):
    """What others could read of a process by its number."""
    for change in (
        lambda: os.setpriority(os.PRIO_PROCESS, 0, 7),
        lambda: syscall("ioprio_set", 1, 0, 3 << 13),
        lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)),
        lambda: os.sched_setaffinity(0, range(1024)),
        lambda: resource.setrlimit(resource.RLIMIT_CPU, (999, 999)),
        lambda: os.setsid(),
        lambda: libc.prctl(15, b"channel", 0, 0, 0),
        lambda: os.umask(trial % 64),
        lambda: libc.prctl(29, 12345678, 0, 0, 0),
    ):
        with suppress(OSError, ValueError):
            change()
    yield


# --- mounts and namespaces


@deed
def namespaces_and_mounts(trial):
    for flags in (0x10000000, 0x00020000, 0x10000000 | 0x00020000, 0x04000000, 0x08000000, 0x40000000):
        with suppress(OSError):
            syscall("unshare", flags)
    yield many(20, lambda _: libc.mount(b"none", b"/tmp", b"tmpfs", 0, 0))


# --- memory


@deed
def memory(trial):
    held = mmap.mmap(-1, 16 * MIB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for at in range(0, len(held), PAGE):
        held[at] = 1
    yield held


@deed
def reserved_memory(trial):
    yield many(16, lambda _: mmap.mmap(-1, 1 << 36, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000))


@deed
def shared_memory(trial):
    def make(_):
        fd = os.memfd_create("channel")
        os.write(fd, b"x" * MIB)
        return fd

    yield many(8, make), many(1, lambda _: syscall("memfd_secret", 0))


@deed
def files_of_its_own(trial):
    names = [f"{place}/channel{at}" for place in PLACES for at in range(20)]

    def make(at):
        with open(names[at], "wb") as file:
            file.write(b"x" * 16 * PAGE)

    for at in range(0, 60, 20):
        many(20, lambda more, at=at: make(at + more))
    yield
    for name in names:
        with suppress(OSError):
            os.unlink(name)


@deed
def page_cache(trial):
    for path in group(trial):
        with suppress(OSError), open(path, "rb") as file:
            file.read()
    yield


@deed
def mapped_files(trial):
    held = []
    for path in group(trial):
        with suppress(*REFUSED), open(path, "rb") as file:
            held.append(mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED, mmap.PROT_READ))
            held.append(held[-1][0])
    with suppress(*REFUSED), open(LIBRARY, "rb") as file:
        held.append(mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED, mmap.PROT_READ))
        held.append(held[-1][PAGE])
    yield held


@deed
def names_of_nothing(trial):
    for at in range(2000):
        os.path.exists(f"/usr/channel-{trial}-{at}")
    yield


# --- processes


@deed
def processes(trial):
    yield children(16)


@deed
def threads(trial):
    for _ in range(20):
        threading.Thread(target=os.read, args=(gate, 1), daemon=True).start()
    yield


@deed
def numbers_of_processes(trial):
    for _ in range(40):
        pid = os.fork()
        if not pid:
            os._exit(0)
        os.waitpid(pid, 0)
    yield


@deed
def sessions(trial):
    yield children(6, os.setsid)


@deed
def pending_signals(trial):
    def queue():
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
        for _ in range(64):
            os.kill(os.getpid(), signal.SIGRTMIN)

    yield children(4, queue)


@deed
def waits_at_shared_pages(trial):
    page = Page()
    waiting = []
    ready, tell = os.pipe()
    for at in range(8):  # not `children`: they wait for something else
        waiting.append(os.fork())
        if not waiting[-1]:
            clock = struct.pack("2q", 60, 0)
            os.write(tell, b"!")
            with suppress(OSError):
                syscall("futex", ctypes.c_void_p(page.word(at)), FUTEX_WAIT, page.value(at), clock, None, 0)
            os._exit(0)
        os.read(ready, 1)
    yield
    for pid in waiting:
        os.kill(pid, signal.SIGKILL)


# --- the rest of the machine


@deed
def random_bytes(trial):
    with open("/dev/urandom", "rb") as file:
        file.read(MIB)
    with suppress(OSError), open("/dev/random", "wb", buffering=0) as device:
        device.write(b"x" * PAGE)
        fcntl.ioctl(device, 0x5207)  # RNDRESEEDCRNG
    yield


@deed
def contexts_and_rules(trial):
    context = ctypes.c_uint64()
    many(4, lambda _: syscall("io_setup", 64, ctypes.byref(context)))
    many(4, lambda _: syscall("io_uring_setup", 8, ctypes.create_string_buffer(120)))
    yield (
        many(8, lambda _: syscall("landlock_create_ruleset", struct.pack("Q", 4), 8, 0)),
        many(4, lambda _: os.openpty()),
    )


@deed
def barriers(trial):
    for command in (16, 8, 1):
        with suppress(OSError):
            syscall("membarrier", command, 0)
    yield


@deed
def statistics(trial):
    """Context switches, faults, interrupts and soft interrupts."""
    ends = os.pipe()
    for _ in range(500):
        os.write(ends[1], b"x")
        os.read(ends[0], 1)
    for _ in range(20):
        time.sleep(0.0005)
    for _ in range(20):
        mmap.mmap(-1, 16 * PAGE).write(b"x" * 16 * PAGE)
    yield


@deed
def load(trial):
    yield lasting(lambda: sum(range(10000)), 2)


@deed
def times_of_its_files(trial):
    """A kernel with fine times of files lets all later ones be at least as late."""
    name = f"{HOME}/times"

    def work():
        for _ in range(50):
            with open(name, "w") as file:
                file.write("x")
            os.stat(name)

    yield lasting(work)


# --- the talk


def life(name, trial, lets, done):
    """A child: does a deed, or lets so much time pass, then waits for the end."""
    doing = DEEDS[name](trial) if name else iter([time.sleep(lets)])
    with suppress(*REFUSED):
        held = next(doing)  # noqa: F841  # until the end
    os.write(done, b"!")
    os.read(gate, 1)
    with suppress(*REFUSED, StopIteration):
        next(doing)
    with suppress(ChildProcessError):
        while True:  # where there is no namespace of processes, nobody else does it for some time, and they count
            os.wait()


def main():
    global gate
    lasted = {}
    group(0)
    say({"deeds": list(DEEDS)})
    for request in requests():
        key = " ".join(request["deeds"])
        gate, let_go = os.pipe()
        begun = time.monotonic()
        pids = []
        for name in request["deeds"] if request["act"] else [""]:
            told, done = os.pipe()
            pids.append(os.fork())
            if not pids[-1]:
                os.close(let_go)
                try:
                    life(name, request["trial"], lasted.get(key, 0.01), done)
                finally:
                    os._exit(0)
            os.close(done)
            if not os.read(told, 1):
                complain(f"it ended early: {name}")
            os.close(told)
        if request["act"]:
            lasted[key] = time.monotonic() - begun
        say({"pid": pids[0], "seconds": lasted.get(key, 0.0)})
        os.read(0, 1)  # a line end: the test has looked
        os.close(let_go)
        for pid in pids:
            os.waitpid(pid, 0)
        os.close(gate)
        say({})


main()

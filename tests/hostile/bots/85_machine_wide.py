"""Takes one kind after the other of what the machine, or its user, has a fixed number of. Bound: 600 of each, in one process."""

import fcntl
import os
import select

from hostile import TARGETS, checked, escaped, held, libc, name_of, play, syscall

MOST = 600
ALLOWED = 256


def take(what, make, allowed=ALLOWED):
    """Take as many as there are, and give them back."""
    taken = []
    try:
        while len(taken) < MOST:
            taken.append(make())
    except OSError as error:
        (held if len(taken) <= allowed else escaped)(f"{what}: {len(taken)}, then {name_of(error)}")
    else:
        escaped(f"{what}: {len(taken)}")
    for one in taken:
        for fd in one if isinstance(one, tuple) else (one,):
            os.close(fd)


def pipe_of_a_megabyte():
    ends = os.pipe()
    try:
        fcntl.fcntl(ends[0], 1031, 1 << 20)
    except OSError:
        for end in ends:
            os.close(end)
        raise
    return ends


def watched():
    poll = select.epoll()
    fd = os.dup(poll.fileno())
    poll.close()
    return fd


take("files", lambda: os.open("/dev/null", os.O_RDONLY))
take("pipes", os.pipe)
take("large pipes", pipe_of_a_megabyte, 0)
take("epolls", watched)
take("timers", lambda: checked(libc().timerfd_create(1, 0)))
take("events", lambda: checked(libc().eventfd(0, 0)))
take("signal descriptors", lambda: checked(libc().signalfd(-1, bytes(128), 0)))
take("memory files", lambda: os.memfd_create("a-bot-was-here"))
take("inotify", lambda: syscall("inotify_init1", 0), 0)
take("fanotify", lambda: checked(libc().fanotify_init(0, 0)), 0)
take(
    "queues", lambda: checked(libc().mq_open(f"/{TARGETS['secret']}".encode(), os.O_CREAT | os.O_RDWR, 0o600, None)), 0
)
take("shared segments", lambda: checked(libc().shmget(0, 4096, 0o1600)), 0)
take("keys", lambda: syscall("add_key", b"user", TARGETS["secret"].encode(), b"1", 1, -2), 0)
take("namespaces", lambda: checked(libc().unshare(0x10000000)), 0)
take("mounts", lambda: syscall("mount", b"none", b"/tmp", b"tmpfs", 0, 0), 0)
play()

"""The canary: it runs in a cell, tries what must be forbidden there, and reports the results. Run by `arena.cells.sandbox.proof`.

It reads its targets from one line, a JSON object, and reports each try as a line [name, held, result]. If it reads another line, it
computes with a child, without end. It does no harm: it removes what it wrote and ends what it started.
"""

import contextlib
import ctypes
import errno
import fcntl
import json
import mmap
import os
import re
import resource
import signal
import socket
import struct
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)

ALLOWED_NAMES = {
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "PYTHONDONTWRITEBYTECODE",
    "BULLRING_BOT",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "_",
    "LC_CTYPE",
    "HOSTNAME",
    "TERM",
    "container",
}
"""Allowed environment variables: those we set, and those that shells, engines and Python add."""

NUMBERS = {}
"""The numbers of system calls on this machine, by name. They come with the targets."""

SIGEVENT = struct.pack("=Qii48x", 0, int(signal.SIGCONT), 0)
"""A struct sigevent: the value, the signal, and SIGEV_SIGNAL (0) to send it."""

ARGUMENTS = {
    "unshare": (0x10000000,),  # a new user namespace
    "clone3": (0, 0),
    "ptrace": (16, 1, 0, 0),  # attach to process 1
    "keyctl": (0, -3, 1),  # the id of the session keyring, created if needed
    "mount": (b"none", b"/tmp", b"tmpfs", 0, 0),
    "timer_create": (1, SIGEVENT, ctypes.create_string_buffer(8)),  # never armed, so it never fires
    "io_setup": (1, ctypes.create_string_buffer(8)),
    "memfd_secret": (0,),
    "pidfd_open": (os.getpid(), 0),
    "sync": (),
    "ioprio_get": (1, 0),  # of this process
    "ioprio_set": (1, 0, 3 << 13),  # the idle class
    "sched_setattr": (0, struct.pack("=IIQiIQQQ", 48, 5, 0, 0, 0, 0, 0, 0), 0),  # SCHED_IDLE
}

ALLOW = ctypes.create_string_buffer(struct.pack("=HBBI", 0x06, 0, 0, 0x7FFF0000))
FILTER = struct.pack("=HxxxxxxQ", 1, ctypes.addressof(ALLOW))
"""A struct sock_fprog of one instruction that allows everything."""
ARGUMENTS["seccomp"] = (1, 0, FILTER)  # SECCOMP_SET_MODE_FILTER

SO_ATTACH_FILTER = 26
RWF_NOWAIT = 8
MAP_HUGETLB = 0x40000
F_SETPIPE_SZ = 1031
PENDING_SIGNALS = 64

MOVES = (
    *(
        "/proc/loadavg",
        "/proc/stat",
        "/proc/meminfo",
        "/proc/vmstat",
        "/proc/locks",
        "/proc/interrupts",
        "/proc/softirqs",
    ),
    *("/proc/diskstats", "/proc/zoneinfo", "/proc/buddyinfo", "/proc/pressure/cpu", "/proc/sys/kernel/pty/nr"),
    *("/proc/sys/fs/file-nr", "/proc/sys/fs/inode-nr", "/proc/sys/fs/dentry-state", "/proc/sys/fs/aio-nr"),
)
"""Files in which the kernel counts what all programs do."""


def refused(deed):
    """Return whether the action `deed` fails, and how."""
    try:
        got = deed()
    except OSError as error:
        return True, errno.errorcode.get(error.errno, str(error))
    return False, f"it worked: {got}" if got else "it worked"


def write(path):
    name = os.path.join(path, f"bullring-canary-{os.getpid()}")
    fd = os.open(name, os.O_CREAT | os.O_WRONLY)
    os.close(fd)
    os.unlink(name)
    return name


def connect(family, address):
    with socket.socket(family) as sock:
        sock.settimeout(2)
        sock.connect(address)


def call(name):
    if (result := libc.syscall(NUMBERS[name], *ARGUMENTS[name])) < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def attempts(aim):
    """Yield all tries: a name, and a function that returns whether the action was prevented, and its result."""
    for path in ("/", "/usr", "/etc", os.getcwd()):
        yield "files: writing", lambda path=path: refused(lambda: write(path))
    yield "files: truncating world-writable files", lambda: refused(lambda: os.truncate(aim["open"], 0))
    yield "files: reading what is not its own", lambda: refused(lambda: open(aim["secret"]).read() and aim["secret"])
    yield (
        "network: the machine's own ports",
        lambda: refused(lambda: connect(socket.AF_INET, ("127.0.0.1", aim["port"]))),
    )
    yield "network: abstract sockets", lambda: refused(lambda: connect(socket.AF_UNIX, "\0" + aim["abstract"]))
    yield "processes: signals to the referee", lambda: refused(lambda: os.kill(aim["referee"], 0))
    yield "user: not root", lambda: (os.getuid() != 0 and os.geteuid() != 0, f"uid {os.getuid()}")
    yield "user: cannot become root", no_way_up
    for name in ("unshare", "clone3", "ptrace", "keyctl", "mount"):
        yield "system calls: " + name, lambda name=name: forbidden(name)
    yield "time: waking itself up", lambda: forbidden("timer_create")
    # The first process of a cell that may be frozen by signals.
    if (contents("/proc/1/cmdline") or b"").startswith(b"/sh\0"):
        yield "time: freezing from within", lambda: refused(lambda: os.close(os.open("/proc/1/mem", os.O_RDWR)))
    yield "time: its share of the processor", share_of_the_processor
    yield "inherited: descriptors", descriptors
    yield "inherited: environment", environment
    for family in (socket.AF_INET, socket.AF_INET6):
        yield "network: sockets of the internet", lambda family=family: refused(lambda: socket.socket(family).close())
    yield "machine: contexts for asynchronous files", lambda: forbidden("io_setup")
    yield "machine: memory for filters", lambda: forbidden("seccomp")
    yield "machine: memory for filters", lambda: no_option(SO_ATTACH_FILTER)
    yield "machine: huge pages", lambda: refused(lambda: mmap.mmap(-1, 1 << 21, mmap.MAP_PRIVATE | MAP_HUGETLB).close())
    yield "machine: secret memory", lambda: forbidden("memfd_secret")
    yield "machine: writing to all disks", lambda: forbidden("sync")
    yield "machine: terminals", lambda: refused(os.openpty)
    yield "machine: pages in pipes", large_pipe
    yield "machine: pending signals", pending_signals
    yield "leaks: counters of the machine", counters
    yield "leaks: numbers of processes", lambda: forbidden("pidfd_open")
    yield "leaks: which pages are in memory", peek
    yield "leaks: fetching and dropping pages", drop
    yield "leaks: eventfds and mapped pages", of_others
    yield "leaks: the referee's name", lambda: name_of_the_referee(aim["name"])
    yield "caps: processes", lambda: forks(aim["processes"])
    yield "caps: files", lambda: large_file(aim["file"])


def forbidden(name):
    """Return whether a system call is refused as such, not for its arguments."""
    held, came = refused(lambda: call(name))
    return held and came in ("EPERM", "ENOSYS", "EACCES"), came


def share_of_the_processor():
    """Return whether asking for other cores, priorities and classes leaves them as they are, whatever the answers are."""
    before = standing()
    for deed in (
        lambda: os.sched_setaffinity(0, range(1024)),
        lambda: os.setpriority(os.PRIO_PROCESS, 0, 5),
        lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)),
        lambda: call("sched_setattr"),
        lambda: call("ioprio_set"),
    ):
        with contextlib.suppress(OSError):
            deed()
    after = standing()
    moved = [f"{name} from {before[name]} to {after[name]}" for name in before if before[name] != after[name]]
    return not moved, f"it changed {', '.join(moved)}" if moved else "nothing changes"


def standing():
    return {
        "cores": sorted(os.sched_getaffinity(0)),
        "nice": os.getpriority(os.PRIO_PROCESS, 0),
        "class": os.sched_getscheduler(0),
        "disk priority": call("ioprio_get"),
    }


def no_option(option):
    """Return whether a socket's option is refused as such, not for its value."""
    one, other = socket.socketpair()
    with one, other:
        held, came = refused(lambda: one.setsockopt(socket.SOL_SOCKET, option, FILTER))
    return held and came in ("ENOPROTOOPT", "ENOSYS", "EPERM"), came


def large_pipe():
    ends = os.pipe()
    try:
        return refused(lambda: fcntl.fcntl(ends[0], F_SETPIPE_SZ, 1 << 18))
    finally:
        for end in ends:
            os.close(end)


def pending_signals():
    most = resource.getrlimit(resource.RLIMIT_SIGPENDING)[1]
    return 0 <= most <= PENDING_SIGNALS, f"at most {most}"


def counters():
    before = {path: contents(path) for path in MOVES}
    for _ in range(8):
        pid = os.fork()
        if not pid:
            os._exit(0)
        os.waitpid(pid, 0)
    moved = [path for path in MOVES if contents(path) != before[path]]
    return not moved, f"these move: {', '.join(moved)}" if moved else "none moves"


def contents(path):
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return file.read()
    return None


def peek():
    with open(__file__, "rb") as file:
        held, came = refused(lambda: os.preadv(file.fileno(), [bytearray(1)], 0, RWF_NOWAIT))
    return held and came in ("EOPNOTSUPP", "ENOTSUP"), came  # two names of one number


def drop():
    with open(__file__, "rb") as file:
        return refused(lambda: os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED))


def of_others():
    """Return whether this process and a child of it find nothing in /proc that the kernel counts for all programs together."""
    found = told()
    pid = os.fork()
    if not pid:
        os._exit(bool(told()))
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) and not found:
        found = ["a child is told"]
    return not found, ", ".join(found) or "nothing is told"


def told():
    found = []
    fd = os.eventfd(0)
    for me in ("self", "thread-self"):
        if b"eventfd-id" in (contents(f"/proc/{me}/fdinfo/{fd}") or b""):
            found.append(f"/proc/{me}/fdinfo")
        sizes = re.findall(rb"(?m)^(Rss|Pss): +(\d+) kB", contents(f"/proc/{me}/smaps") or b"")
        if len({sum(int(size) for name, size in sizes if name == which) for which in (b"Rss", b"Pss")}) > 1:
            found.append(f"/proc/{me}/smaps")
    os.close(fd)
    return found


def name_of_the_referee(name):
    places = (
        "/proc/1/environ",
        "/proc/1/cmdline",
        "/proc/self/environ",
        "/proc/self/cgroup",
        "/proc/self/mountinfo",
        "/etc/hosts",
    )
    found = [path for path in places if name.encode() in (contents(path) or b"")]
    return not found, f"in {', '.join(found)}" if found else "nowhere"


def no_way_up():
    held = libc.prctl(39, 0, 0, 0, 0) == 1
    return held, "no_new_privs is set" if held else "setuid programs work"


def descriptors():
    found = []
    for fd in range(3, 256):
        with contextlib.suppress(OSError):
            os.fstat(fd)
            found.append(fd)
    return not found, f"open: {found}" if found else "only stdin, stdout and stderr"


def environment():
    extra = sorted(set(os.environ) - ALLOWED_NAMES)
    return not extra, f"also {', '.join(extra)}" if extra else "nothing of the referee's"


def forks(most):
    """Fork until it is refused, at most a few times more than allowed. The children wait for us and end with us."""
    gate, open_gate = os.pipe()
    children = []
    try:
        while len(children) < most + 8:
            pid = os.fork()
            if not pid:
                os.close(open_gate)
                os.read(gate, 1)
                os._exit(0)
            children.append(pid)
    except OSError as error:
        return True, f"{errno.errorcode[error.errno]} after {len(children)}"
    finally:
        os.close(open_gate)
        os.close(gate)
        for pid in children:
            os.waitpid(pid, 0)
    return False, f"{len(children)} or more"


def large_file(most):
    """Make a sparse file that is too large, if there is a folder to write to."""
    home = os.environ.get("HOME", "/nonexistent")
    try:
        fd = os.open(os.path.join(home, "large"), os.O_CREAT | os.O_RDWR)
    except OSError:
        return True, "there is no folder to write to"
    try:
        return refused(lambda: os.ftruncate(fd, most + 1))
    finally:
        os.close(fd)


def main():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # so that a file that is too large is an error, not a deadly signal
    aim = json.loads(sys.stdin.readline())
    NUMBERS.update(aim["calls"])
    NUMBERS["ioprio_get"] = NUMBERS["ioprio_set"] + 1  # on all kinds of machines
    for name, attempt in attempts(aim):
        held, came = attempt()
        print(json.dumps([name, held, str(came)[:200]]), flush=True)
    print(json.dumps(["done", True, ""]), flush=True)
    if sys.stdin.readline():
        spin()


def spin():
    """Compute with a child in a session of its own until somebody ends us, for a minute of processor time at most."""
    me = os.getpid()
    child = os.fork() == 0
    if child:
        os.setsid()
    else:
        print("spinning", flush=True)
    while time.process_time() < 60 and (not child or os.getppid() == me):
        pass


main()

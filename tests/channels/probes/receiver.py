"""The receiver: compares all that a bot can read, before and after.

Asked `{"look": "before", ...}` it remembers all readings; asked `{"look": "after", ...}` it tells by how much they differ.
A reading is a number with a name, which begins with its source: a file, a system call, a new object.

Bound: some thousand files of at most 64 KiB each, 60 descriptors, 64 signals, 3 children.
"""

import ctypes
import errno
import fcntl
import mmap
import os
import re
import resource
import select
import signal
import socket
import stat
import struct
import threading
import time
import zlib

from common import FUTEX_WAKE, LIBRARY, Page, fcntl_at, group, libc, requests, say, syscall

HOME = os.environ.get("HOME", "/nowhere")
SOME = ("/proc", "/sys", "/dev", "/run", "/tmp", "/box", "/bot", os.getcwd())
MOUNTS = ("/", "/usr", "/bot", "/box", "/tmp", "/dev", "/dev/shm", "/proc", "/sys", "/etc", HOME, LIBRARY)
LARGEST = 1 << 16
MOST_FILES, MOST_NUMBERS = 4000, 2000
LEFT_OUT = (
    "kmsg",
    "mem",
    "pagemap",
    "clear_refs",
    "kcore",
    "trace_pipe",
    "kpagecount",
    "kpageflags",
    "kpagecgroup",
    "thread-self",
)
REPEATED = re.compile(r"/proc/\w+/task/\d+/|/proc/\w+/net$")
"""What is there twice, or more often."""
NUMBER = re.compile(rb"\d+")
WORD = re.compile(rb"[A-Za-z_(][\w():./-]*")

readings = {}
"""What this look has read, by name."""


def note(name, value):
    """A number, several of them, or a text with numbers."""
    readings[name] = value


def tried(name, look):
    """Note what a look gives, or how it is refused."""
    try:
        got = look()
        note(name, 0 if got is None else got)
    except OSError as error:
        note(f"{name}: error", error.errno or 0)
    except (ValueError, OverflowError, AttributeError):
        return


# --- files


def numbers(data):
    """The numbers in a text, by the line and the place in it, and its other characters as one number."""
    found = {"text": zlib.crc32(NUMBER.sub(b"#", data))}
    for at, line in enumerate(data.split(b"\n")):
        word = WORD.match(line)
        key = word[0].decode() if word else at
        for place, number in enumerate(NUMBER.findall(line)):
            found[f"{key} {place}"] = int(number[:18])
            if len(found) > MOST_NUMBERS:
                return found
    return found


def parts(value):
    """The numbers of a reading, by names within it."""
    if isinstance(value, bytes):
        return numbers(value)
    if isinstance(value, os.stat_result):
        return {field: getattr(value, f"st_{field}") for field in FIELDS}
    if isinstance(value, dict):
        return value
    return dict(enumerate(value)) if isinstance(value, (tuple, list)) else {"": value}


def difference(before, after):
    """The numbers that differ, by how much; what is only in one of both counts as 0 in the other."""
    found = {}
    for name in before.keys() | after.keys():
        one, other = before.get(name, ()), after.get(name, ())
        if one != other:
            old, new = parts(one), parts(other)
            for key in old.keys() | new.keys():
                if change := new.get(key, 0) - old.get(key, 0):
                    found[f"{name}: {key}" if key != "" else name] = change
    return found


FIELDS = ("mode", "ino", "dev", "nlink", "uid", "size", "blocks", "atime_ns", "mtime_ns", "ctime_ns")


def status(name, path):
    tried(f"status of {name}", lambda: os.lstat(path))


def listed():
    """All files to read: found once, because it takes longer than to read them."""
    found, own = [], str(os.getpid())
    todo = list(SOME)
    while todo and len(found) < MOST_FILES:
        folder = todo.pop(0)
        found.append((folder, True))
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.name in LEFT_OUT or entry.path in todo or (folder == "/proc" and entry.name == own):
                continue
            if (folder, entry.name) != ("/proc/self", "net") and REPEATED.match(entry.path):
                continue
            if entry.is_dir(follow_symlinks=False) or (folder == "/proc" and entry.name == "self"):
                todo.append(entry.path)
            else:
                found.append((entry.path, False))
    return found


FILES = []


def files():
    for path, folder in FILES:
        status(path, path)
        if folder:
            tried(f"list of {path}", lambda path=path: zlib.crc32("/".join(sorted(os.listdir(path))).encode()))
            continue
        try:
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                note(path, os.readlink(path).encode())
            elif stat.S_ISREG(mode):
                fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                try:
                    note(path, os.read(fd, LARGEST))
                finally:
                    os.close(fd)
        except OSError as error:
            note(f"{path}: error", error.errno or 0)


def shared_files(trial):
    for at, path in enumerate(group(trial)):
        status(f"a file of /usr {at}", path)
    for path in (
        *MOUNTS,
        "/dev/null",
        "/dev/zero",
        "/dev/random",
        "/proc/self",
        "/proc/stat",
        "/proc/meminfo",
        "/proc/sys",
    ):
        status(path, path)
    for path in (LIBRARY, "/dev/null"):
        with open(path, "rb") as file:
            tried(f"hint on {path}", lambda file=file: fcntl_at(file.fileno(), 1035))  # F_GET_RW_HINT
            tried(f"lease on {path}", lambda file=file: fcntl.fcntl(file, 1025))
            tried(f"lock on {path}", lambda file=file: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB))
            tried(f"unlock of {path}", lambda file=file: fcntl.flock(file, fcntl.LOCK_UN))


def first_reads(trial):
    """The time of first reads, and which pages are in memory. Only after the deed, for it changes them."""
    for at, path in enumerate(group(trial)):
        try:
            fd = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        address = ctypes.c_void_p(libc.mmap(None, ctypes.c_size_t(4096), 1, 1, fd, ctypes.c_long(0)))
        seen = ctypes.c_ubyte()
        tried(
            f"mincore of a file {at}",
            lambda fd=fd, address=address, seen=seen: (
                libc.mincore(address, ctypes.c_size_t(4096), ctypes.byref(seen)) or seen.value
            ),
        )
        tried(f"page of a file {at}", lambda fd=fd: os.preadv(fd, [bytearray(1)], 0, 8))  # RWF_NOWAIT
        begun = time.perf_counter_ns()
        os.pread(fd, 1, 0)
        note(f"first read of a file {at}", time.perf_counter_ns() - begun)
        libc.munmap(address, 4096)
        os.close(fd)


# --- system calls


def calls():
    for path in MOUNTS:
        tried(f"statfs {path}", lambda path=path: {name: getattr(os.statvfs(path), name) for name in FILE_SYSTEM})
        tried(f"statx {path}", lambda path=path: mount_of(path))
    buffer = (ctypes.c_ulong * 16)()
    tried("sysinfo", lambda: dict(zip(MACHINE, buffer, strict=False)) if not libc.sysinfo(buffer) else {})
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        tried(f"getrusage {who}", lambda who=who: list(resource.getrusage(who)))
    tried("times", lambda: list(os.times())[:4])
    for name in (name for name in dir(resource) if name.startswith("RLIMIT_")):
        tried(f"getrlimit {name}", lambda name=name: resource.getrlimit(getattr(resource, name)))
    tried("uname", lambda: zlib.crc32(repr(os.uname()).encode()))
    tried("getloadavg", os.getloadavg)
    tried("cores", lambda: sum(1 << core for core in os.sched_getaffinity(0)))
    tried("scheduler", lambda: os.sched_getscheduler(0))
    tried("slice", lambda: os.sched_rr_get_interval(0))
    tried("getcpu", libc.sched_getcpu)
    tried("priority", lambda: os.getpriority(os.PRIO_PROCESS, 0))
    tried("priority of a user", lambda: os.getpriority(os.PRIO_USER, os.getuid()))
    tried("io priority of a user", lambda: syscall("ioprio_get", 3, os.getuid()))
    tried("io priority", lambda: syscall("ioprio_get", 1, 0))
    tried(
        "ids", lambda: [os.getpid(), os.getppid(), os.getsid(0), os.getpgid(0), os.getuid(), threading.get_native_id()]
    )
    for clock in range(12):
        tried(f"clock_getres {clock}", lambda clock=clock: time.clock_getres(clock))
    for command in (0, 16):
        tried(f"membarrier {command}", lambda command=command: syscall("membarrier", command, 0))
    with open("/dev/random", "rb", buffering=0) as device:
        count = ctypes.c_int()
        tried("entropy", lambda: fcntl.ioctl(device, 0x80045200, count) or count.value)  # RNDGETENTCNT


FILE_SYSTEM = ("f_blocks", "f_bfree", "f_bavail", "f_files", "f_ffree", "f_favail", "f_flag", "f_fsid")


MACHINE = (
    "uptime",
    "load 1",
    "load 5",
    "load 15",
    "total",
    "free",
    "shared",
    "buffers",
    "swap",
    "free swap",
    "processes",
)
"""What sysinfo(2) tells, each in a word of its own."""


def mount_of(path):
    buffer = ctypes.create_string_buffer(256)
    syscall("statx", -100, os.fsencode(path), 0x100, 0x1FFF | 0x4000, buffer)
    return struct.unpack_from("=Q", buffer, 0x90) + struct.unpack_from("=4I", buffer, 0x80)


def a_process(pid):
    """What the kernel tells of a process by its number alone. In a namespace of processes it is somebody else, or nobody."""
    tried("a process: signal 0", lambda: os.kill(pid, 0))
    tried("a process: session", lambda: os.getsid(pid))
    tried("a process: group", lambda: os.getpgid(pid))
    tried("a process: priority", lambda: os.getpriority(os.PRIO_PROCESS, pid))
    tried("a process: io priority", lambda: syscall("ioprio_get", 1, pid))
    tried("a process: scheduler", lambda: os.sched_getscheduler(pid))
    tried("a process: cores", lambda: sum(1 << core for core in os.sched_getaffinity(pid)))
    tried("a process: limit of time", lambda: resource.prlimit(pid, resource.RLIMIT_CPU))
    tried("a process: time", lambda: time.clock_gettime_ns((~pid << 3) | 2))
    header, data = struct.pack("Ii", 0x20080522, pid), ctypes.create_string_buffer(24)
    tried("a process: capabilities", lambda: syscall("capget", header, data))
    for name in ("", "/stat", "/fd", "/task"):
        status(f"a process{name}", f"/proc/{pid}{name}")
    near = os.getpid()
    tried("processes near: count", lambda: sum(map(exists, range(max(1, near - 200), near + 200))))


def exists(pid):
    try:
        os.getsid(pid)
    except OSError as error:
        return error.errno != errno.ESRCH
    return True


# --- new objects and their numbers


def of_a_descriptor(name, fd):
    status_of = os.fstat(fd)
    note(f"new {name}: inode", status_of.st_ino)
    note(f"new {name}: device", status_of.st_dev)
    for which in ("fdinfo", "fd"):
        path = f"/proc/self/{which}/{fd}"
        try:
            note(f"new {name}: {which}", os.readlink(path).encode() if which == "fd" else contents(path))
        except OSError as error:
            note(f"new {name}: {which} error", error.errno or 0)


def contents(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, LARGEST)
    finally:
        os.close(fd)


def new(name, make):
    """Make an object, note what tells of it, and close it."""
    try:
        made = make()
    except (OSError, AttributeError) as error:
        note(f"new {name}: error", getattr(error, "errno", 0) or 0)
        return
    kept = made if isinstance(made, tuple) else (made,)
    try:
        for fd in kept:
            of_a_descriptor(name, fd if isinstance(fd, int) else fd.fileno())
            if isinstance(fd, socket.socket):
                tried(f"new {name}: cookie", lambda fd=fd: struct.unpack("Q", fd.getsockopt(socket.SOL_SOCKET, 57, 8)))
                tried(f"new {name}: name", lambda fd=fd: zlib.crc32(repr(fd.getsockname()).encode()))
        if name == "pipe":
            tried("new pipe: size", lambda: fcntl.fcntl(kept[0], 1032))
    finally:
        for fd in kept:
            if isinstance(fd, int):
                os.close(fd)
            else:
                fd.close()


def named_by_the_kernel():
    one = socket.socket(socket.AF_UNIX)
    one.bind("")
    return one


def in_a_place(place):
    name = f"{place}/new"
    fd = os.open(name, os.O_CREAT | os.O_RDWR)
    os.unlink(name)
    return fd


def objects():
    new("eventfd", lambda: os.eventfd(0))
    new("epoll", lambda: select.epoll())
    new("timerfd", lambda: syscall("timerfd_create", 1, 0))
    new("signalfd", lambda: syscall("signalfd4", -1, bytes(8), 8, 0))
    new("inotify", lambda: syscall("inotify_init1", 0))
    new("pidfd", lambda: syscall("pidfd_open", os.getpid(), 0))
    new("pipe", os.pipe)
    new("pair of sockets", socket.socketpair)
    new("socket", named_by_the_kernel)
    new("internet socket", lambda: socket.socket(socket.AF_INET))
    new("memfd", lambda: os.memfd_create("x"))
    new("landlock ruleset", lambda: syscall("landlock_create_ruleset", struct.pack("Q", 4), 8, 0))
    for place in (HOME, "/dev/shm", "/tmp"):
        new(f"file in {place}", lambda place=place: in_a_place(place))
    timer = ctypes.c_int(-1)
    tried("new timer: id", lambda: syscall("timer_create", 1, None, ctypes.byref(timer)) or timer.value)
    tried("new shared memory: id", lambda: syscall("shmget", 0x6200, 4096, 0))
    tried("session keyring", lambda: syscall("keyctl", 0, -3, 0))


def a_child():
    """The numbers that a new process gets."""
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        readings.clear()
        os.setsid()
        for name in ("autogroup", "stat", "status"):
            tried(f"new process: {name}", lambda name=name: contents(f"/proc/self/{name}"))
        os.write(write, repr(readings).encode())
        os._exit(0)
    os.close(write)
    said = b""
    while more := os.read(read, LARGEST):
        said += more
    os.close(read)
    os.waitpid(pid, 0)
    note("new process: id", pid)
    readings.update(eval(said or b"{}"))  # our own child wrote it
    ids = []
    thread = threading.Thread(target=lambda: ids.append(threading.get_native_id()))
    thread.start()
    thread.join()
    note("new thread: id", ids[0])


# --- how much is left of what is shared


def quotas():
    one, other = socket.socketpair()
    with one, other:
        other.setblocking(False)
        tried("descriptors in a message", lambda: socket.send_fds(one, [b"x"], [0] * 8))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN + 1])
    signal.signal(signal.SIGRTMIN + 1, lambda *_: None)

    def queue():
        count = 0
        pid = os.getpid()
        value = struct.pack("=iiiii108x", signal.SIGRTMIN + 1, 0, -1, pid, os.getuid())
        number = 129 if os.uname().machine == "x86_64" else 138
        while count < 80 and libc.syscall(number, pid, signal.SIGRTMIN + 1, value) == 0:
            count += 1
        return count

    tried("signals that may wait", queue)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    page = Page()
    tried("waiting at shared pages", lambda: [wake(page, at) for at in range(8)])
    libc.munmap(ctypes.c_void_p(page.address), 4096)
    tried("reserving 64 GiB", lambda: mmap.mmap(-1, 1 << 36, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close() or 0)


def wake(page, at):
    return syscall("futex", ctypes.c_void_p(page.word(at)), FUTEX_WAKE, 9, None, None, 0)


# --- time


def timing():
    """What depends on how busy the machine is, and on what others do at this very moment."""
    begun = time.perf_counter_ns()
    sum(range(3000))
    note("time of some work", time.perf_counter_ns() - begun)
    begun = time.perf_counter_ns()
    for _ in range(20):
        os.getppid()
    note("time of system calls", time.perf_counter_ns() - begun)
    later, aligned = 0, 0
    for _ in range(10):
        coarse = time.clock_gettime_ns(time.CLOCK_REALTIME_COARSE) if hasattr(time, "CLOCK_REALTIME_COARSE") else 0
        coarse = coarse or time.clock_gettime_ns(5)
        try:
            fd = in_a_place(HOME)
        except OSError:
            return
        changed = os.fstat(fd).st_ctime_ns
        os.close(fd)
        if time.clock_gettime_ns(5) == coarse:
            aligned += 1
            later += changed != coarse
    note("time of a new file: later than the tick", later / max(1, aligned))


def look(trial, after):
    readings.clear()
    timing()
    quotas()
    objects()
    a_child()
    calls()
    shared_files(trial)
    files()
    if after:
        first_reads(trial)
    return dict(readings)


def main():
    FILES.extend(listed())
    group(0)
    say({"files": len(FILES), "readings": len(look(0, after=False))})
    before = {}
    for request in requests():
        if request["look"] == "before":
            before = look(request["trial"], after=False)
            say({})
            continue
        now = look(request["trial"], after=True)
        changed = difference(before, now)
        readings.clear()
        a_process(request["pid"])
        say({"changed": changed | difference({}, readings)})


main()

"""The canary: it runs in a cell, tries what must be forbidden there, and reports the results. Run by `arena.sandbox.proof`.

It reads its targets from one line, a JSON object, and reports each try as a line [name, held, result]. Then it answers every
further line with "still here" until its input ends. It does no harm: it removes what it wrote and ends what it started.
"""

import contextlib
import ctypes
import errno
import json
import os
import signal
import socket
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)

ALLOWED_NAMES = {
    "PATH",
    "HOME",
    "LANG",
    "PYTHONDONTWRITEBYTECODE",
    "BULLRING_BOT",
    "PWD",
    "LC_CTYPE",
    "HOSTNAME",
    "TERM",
    "container",
}
"""Allowed environment variables: those we set, and those that shells, engines and Python add."""

SYSCALLS = {
    "x86_64": {"unshare": 272, "clone3": 435, "ptrace": 101, "keyctl": 250, "mount": 165, "timer_create": 222},
    "aarch64": {"unshare": 97, "clone3": 435, "ptrace": 117, "keyctl": 219, "mount": 40, "timer_create": 107},
}
SIGEVENT = struct.pack("=Qii48x", 0, int(signal.SIGCONT), 0)
"""A struct sigevent: the value, the signal, and SIGEV_SIGNAL (0) to send it."""

ARGUMENTS = {
    "unshare": (0x10000000,),  # a new user namespace
    "clone3": (0, 0),
    "ptrace": (16, 1, 0, 0),  # attach to process 1
    "keyctl": (0, -3, 1),  # the id of the session keyring, created if needed
    "mount": (b"none", b"/tmp", b"tmpfs", 0, 0),
    "timer_create": (1, SIGEVENT, ctypes.create_string_buffer(8)),  # never armed, so it never fires
}


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
    number = SYSCALLS[os.uname().machine][name]
    if libc.syscall(number, *ARGUMENTS[name]) < 0:
        raise OSError(ctypes.get_errno(), name)


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
    yield "inherited: descriptors", descriptors
    yield "inherited: environment", environment
    yield "caps: processes", lambda: forks(aim["processes"])
    yield "caps: files", lambda: large_file(aim["file"])


def forbidden(name):
    """Return whether a system call is refused as such, not for its arguments."""
    held, came = refused(lambda: call(name))
    return held and came in ("EPERM", "ENOSYS", "EACCES"), came


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
    for name, attempt in attempts(aim):
        held, came = attempt()
        print(json.dumps([name, held, str(came)[:200]]), flush=True)
    print(json.dumps(["done", True, ""]), flush=True)
    for _ in sys.stdin:
        print("still here", flush=True)


main()

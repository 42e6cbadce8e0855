"""Makes namespaces of its own, in which it would be root, and mounts. Bound: a try each, by a child."""

import ctypes
import os

from hostile import HOME, TARGETS, children, escaped, play, refused, syscall

NEW = {"user": 0x10000000, "mount": 0x20000, "net": 0x40000000, "pid": 0x20000000, "cgroup": 0x2000000, "time": 0x80}


def clone3():
    words = [NEW["user"], 0, 0, 0, 17, 0, 0, 0, 0, 0, 0]
    pid = syscall("clone3", (ctypes.c_uint64 * len(words))(*words), 8 * len(words))
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    return "a child in a user namespace of its own"


def try_all():
    for name, flag in NEW.items():
        refused(f"unshare {name}", lambda flag=flag: syscall("unshare", flag) or "done")
    place = str(HOME).encode()
    refused("mount", lambda: syscall("mount", b"none", place, b"tmpfs", 0, None) or "done")
    refused("bind", lambda: syscall("mount", b"/", place, None, 4096, None) or "done")
    refused("clone3", clone3)


def enter():
    fd = os.open(f"/proc/{TARGETS['referee']}/ns/mnt", os.O_RDONLY)
    return syscall("setns", fd, 0) or "done"


refused("the referee's namespaces", enter)
# In a child: whatever it gets, the bot itself stays what it is.
(child,) = children(1, try_all) or [0]
if not child or os.waitpid(child, 0)[1]:
    escaped("no child could try")
play()

"""The last steps on the way to a stranger's program, taken in its own process: `python -I -S launcher.py PLAN`, then exec.

Started for what cannot be done from outside: to give up root, to be confined by Landlock and seccomp, to join cgroups, to limit
itself. It is run by itself, as a file, and imports next to nothing, for it is a part of the start of each bot; so it takes its
plan as marshalled bytes in hexadecimal. Keys that are missing mean: not wanted.

=========== =======================================================================================================
command     what to run, the program with its path
environment of the program
folder      where it runs
join        files of cgroups to write ourselves into
show        paths that must be seen by the user it becomes, although folders above them are shut: root only
cover       files and folders that must not be seen: root only
user        the uid and gid to become: root only
parent      the process id of the referee, with which it is to die
limits      pairs of a resource's number and its limit
landlock    {"read": paths to read and execute, "write": paths to write to}
seccomp     the filter
=========== =======================================================================================================
"""

from __future__ import annotations

import ctypes
import marshal
import os
import resource
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)

_CLONE_NEWNS = 0x20000
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_REMOUNT, _MS_BIND, _MS_REC, _MS_SLAVE = 1, 2, 4, 32, 4096, 16384, 1 << 19
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_SECCOMP_MODE_FILTER = 2
_SIGKILL = 9

# Landlock, linux/landlock.h; the numbers of its calls are the same on all machines.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_FS_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many rights about files a version knows."""
_TCP = 3
_SCOPES = 3
"""Abstract sockets and signals."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("fd", ctypes.c_int32))


class _Filter(ctypes.Structure):
    _fields_ = (("count", ctypes.c_ushort), ("code", ctypes.c_char_p))


def _must(result: int, doing: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{doing}: {os.strerror(number)}")
    return result


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    names = [None if text is None else os.fsencode(text) for text in (source, target, kind)]
    _must(_libc.mount(*names, flags, data and data.encode()), f"mount {target}")


def _arrange(show: list[str], cover: list[str]) -> None:
    """See to it, in a mount namespace of our own, that everybody can reach the paths to `show` and nobody those to `cover`."""
    os.umask(0)
    _must(_libc.unshare(_CLONE_NEWNS), "unshare")
    _mount(None, "/", None, _MS_REC | _MS_SLAVE)
    gates: dict[str, list[str]] = {path: [] for path in cover if os.path.isdir(path)}
    for path in show:
        # The outermost folder on the way that is shut, or to be covered; the others are inside it.
        above = min(
            [*filter(None, [shut(path)]), *(gate for gate in cover if f"{path}/".startswith(f"{gate}/"))], default=""
        )
        if above:
            gates.setdefault(above, []).extend(_entries(path) if _private(path) else [path])
    # What is to be shown is held before it is covered.
    held = {
        above: [(path, os.open(path, os.O_PATH | os.O_NOFOLLOW)) for path in paths] for above, paths in gates.items()
    }
    for path in cover:
        if path not in gates and os.path.exists(path):
            _mount("/dev/null", path, None, _MS_BIND)
    for above in sorted(gates, key=len):
        # The folder is covered by an empty one that anybody may read, in which only what is to be shown is put.
        if any(above.startswith(f"{gate}/") for gate in gates):
            continue  # inside another one, so nothing of it is there any more
        _mount("tmpfs", above, "tmpfs", _MS_NOSUID | _MS_NODEV, "size=256k,mode=0755")
        for path, fd in held[above]:
            _show(path, fd)
            os.close(fd)
        _mount(None, above, None, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | _MS_NOSUID | _MS_NODEV)


def _show(path: str, fd: int) -> None:
    """Put what is held by a descriptor back where it was. A link is a link again: where it leads is not for us to open."""
    source = f"/proc/self/fd/{fd}"
    kind = stat.S_IFMT(os.fstat(fd).st_mode)
    if kind == stat.S_IFDIR:
        os.makedirs(path, 0o755, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), 0o755, exist_ok=True)
        if kind == stat.S_IFLNK:
            if not os.path.lexists(path):
                os.symlink(os.readlink("", dir_fd=fd), path)
            return
        if kind != stat.S_IFREG:
            return  # nothing that a program could need
        if not os.path.exists(path):
            os.close(os.open(path, os.O_CREAT, 0o444))
    _mount(source, path, None, _MS_BIND)
    _mount(None, path, None, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | _MS_NOSUID | _MS_NODEV)


def shut(path: str) -> str | None:
    """The first folder on the way to `path`, or it itself, that others may not pass; for the folder itself: not read."""
    above = "/"
    for name in path.split("/")[1:-1]:
        above = os.path.join(above, name)
        if not os.stat(above).st_mode & 1:
            return above
    return path if _private(path) else None


def _private(path: str) -> bool:
    return os.path.isdir(path) and os.stat(path).st_mode & 5 != 5


def _entries(path: str) -> list[str]:
    return [os.path.join(path, name) for name in os.listdir(path)]


def _landlock(read: list[str], write: list[str]) -> None:
    version = _must(_libc.syscall(_CREATE_RULESET, None, 0, 1), "Landlock")
    every = (1 << _FS_RIGHTS.get(version, 16)) - 1
    rules = _Ruleset(every, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = _must(_libc.syscall(_CREATE_RULESET, ctypes.byref(rules), size, 0), "Landlock")
    for paths, rights in ((read, _EXECUTE | _READ_FILE | _READ_DIR), (write, _READ_FILE | _WRITE_FILE)):
        for path in paths:
            try:
                fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except FileNotFoundError:
                continue
            allowed = rights if os.path.isdir(path) else rights & ~_READ_DIR
            beneath = _Beneath(allowed, fd)
            _must(_libc.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.byref(beneath), 0), f"Landlock, {path}")
            os.close(fd)
    _must(_libc.syscall(_RESTRICT_SELF, ruleset, 0), "Landlock")
    os.close(ruleset)


def main() -> None:
    """Take all steps, in the one order in which they can be taken."""
    plan: dict[str, Any] = marshal.loads(bytes.fromhex(sys.argv[1]))
    for path in plan.get("join", ()):
        fd = os.open(path, os.O_WRONLY)
        os.write(fd, b"0")
        os.close(fd)
    if plan.get("show") or plan.get("cover"):
        _arrange(plan.get("show", ()), plan.get("cover", ()))
    if "user" in plan:
        os.setgroups([])
        os.setresgid(plan["user"], plan["user"], plan["user"])
        os.setresuid(plan["user"], plan["user"], plan["user"])
    os.chdir(plan["folder"])
    if "parent" in plan:
        # After the change of user, which clears it; and the referee may have died before.
        _must(_libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0), "prctl")
        if os.getppid() != plan["parent"]:
            sys.exit("the referee is gone")
    for number, limit in plan.get("limits", ()):
        resource.setrlimit(number, (limit, limit))
    _must(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    if "landlock" in plan:
        _landlock(**plan["landlock"])
    if "seccomp" in plan:
        code = plan["seccomp"]
        _must(
            _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(_Filter(len(code) // 8, code)), 0, 0),
            "seccomp",
        )
    command = plan["command"]
    os.execve(command[0], command, plan["environment"])


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(
            f"bullring: the program could not be started: {error.strerror or error}: {error.filename or sys.argv[0]}"
        )

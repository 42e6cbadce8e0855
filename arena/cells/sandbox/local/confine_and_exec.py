"""Confine the current process, then exec a stranger's program: `python -I -S confine_and_exec.py PLAN`.

Does what cannot be done from outside: give up root, apply Landlock and seccomp, join cgroups, set limits. It is run as a file and
imports next to nothing, because every bot's start waits for it. For the same reason the plan is marshalled bytes in hexadecimal.
Steps whose keys are missing are skipped; without an environment or a folder, the program inherits them.

=========== =======================================================================================================
command     the program, with its path, and its arguments
environment the program's environment
folder      its working folder
join        cgroup.procs files of the cgroups to join
show        paths that the new user must see even if it may not enter the folders above them: root only
cover       files and folders that must stay hidden: root only
box         where to mount a folder in memory, and its options: root only, with `show`
user        the uid and gid to change to: root only
parent      the process id of the referee; the program is killed when the referee dies
limits      pairs of resource number and limit
landlock    the ruleset, as struct landlock_ruleset_attr, and pairs of rights and paths that have them
seccomp     the filter, as struct sock_filter array
=========== =======================================================================================================
"""

from __future__ import annotations

import marshal
import os
import resource
import stat
import sys
from _ctypes import FUNCFLAG_CDECL, FUNCFLAG_USE_ERRNO, CFuncPtr, Structure, _SimpleCData, byref, dlopen, get_errno

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CLONE_NEWNS = 0x20000
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_REMOUNT, _MS_BIND, _MS_REC, _MS_SLAVE = 1, 2, 4, 32, 4096, 16384, 1 << 19
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_SECCOMP_MODE_FILTER = 2
_SIGKILL, _SIGPIPE, _SIGXFSZ = 9, 13, 25

_TRIES = 100
"""Most attempts to show a file that is replaced all the time."""

# Landlock, linux/landlock.h; the numbers of its calls are the same on all machines.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH = 1
_OF_FILES = 1 | 2 | 4 | 1 << 14 | 1 << 15
"""EXECUTE, WRITE_FILE, READ_FILE, TRUNCATE, IOCTL_DEV: all other rights are those of folders."""


# What ctypes is made of, and not ctypes itself: to import that would take a seventh of the time of all this.
class _Function(CFuncPtr):
    """A function of the C library."""

    _flags_ = FUNCFLAG_CDECL | FUNCFLAG_USE_ERRNO


class _Library:
    """The C library, like `ctypes.CDLL(None, use_errno=True)`."""

    _handle = dlopen(None, 0)  # type: ignore[arg-type]  # this program itself

    def __getattr__(self, name: str) -> _Function:
        return _Function((name, self))  # type: ignore[arg-type]  # all that it asks of a library is its handle


_libc = _Library()


class _Count(_SimpleCData):  # type: ignore[type-arg]
    _type_ = "H"


class _Code(_SimpleCData):  # type: ignore[type-arg]
    _type_ = "z"


class _Filter(Structure):
    _fields_ = (("count", _Count), ("code", _Code))


def _must(result: int, doing: str) -> int:
    if result < 0:
        number = get_errno()
        raise OSError(number, f"{doing}: {os.strerror(number)}")
    return result


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    names = [None if text is None else os.fsencode(text) for text in (source, target, kind)]
    _must(_libc.mount(*names, flags, data and data.encode()), f"mount {target}")


def _arrange(show: list[str], cover: list[str]) -> None:
    """In a new mount namespace, make the paths to `show` readable for every user and hide the paths to `cover`."""
    os.umask(0)
    _must(_libc.unshare(_CLONE_NEWNS), "unshare")
    _mount(None, "/", None, _MS_REC | _MS_SLAVE)
    gates: dict[str, list[str]] = {path: [] for path in cover if os.path.isdir(path)}
    for path in show:
        # The outermost folder on the way that is closed or to be covered; any others are inside it.
        above = min(
            [*filter(None, [shut(path)]), *(gate for gate in cover if f"{path}/".startswith(f"{gate}/"))], default=""
        )
        if above:
            gates.setdefault(above, []).extend(_entries(path) if _private(path) else [path])
    # Hold the folders of what is to be shown before they are covered. What is in them may come and go.
    folders: dict[str, int] = {}
    for path in {os.path.dirname(path) for paths in gates.values() for path in paths}:
        folders[path] = os.open(path, os.O_PATH)
    for path in cover:
        if path not in gates and os.path.exists(path):
            _mount("/dev/null", path, None, _MS_BIND)
    for above in sorted(gates, key=len):
        # Cover the folder with an empty one that anybody may read, and put only what is to be shown into it.
        if any(above.startswith(f"{gate}/") for gate in gates):
            continue  # inside another covered folder, so it is no longer visible
        _mount("tmpfs", above, "tmpfs", _MS_NOSUID | _MS_NODEV, "size=256k,mode=0755")
        for path in gates[above]:
            _show(path, folders[os.path.dirname(path)])
        _mount(None, above, None, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | _MS_NOSUID | _MS_NODEV)
    for fd in folders.values():
        os.close(fd)


def _show(path: str, folder: int) -> None:
    """Put a path back in its place; `folder` holds the folder it was in. Nothing, if it is gone by now."""
    for _ in range(_TRIES):
        try:
            fd = os.open(os.path.basename(path), os.O_PATH | os.O_NOFOLLOW, dir_fd=folder)
        except FileNotFoundError:
            return
        try:
            _put(path, fd)
        except FileNotFoundError:  # deleted or replaced since it was opened, and nothing like that can be mounted
            if os.path.isdir(path):
                os.rmdir(path)
            elif os.path.lexists(path):
                os.unlink(path)
        else:
            return
        finally:
            os.close(fd)


def _put(path: str, fd: int) -> None:
    """Put what a descriptor holds back in its place. A symbolic link stays a link: its target must not become visible."""
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
            return  # nothing that a program needs
        if not os.path.exists(path):
            os.close(os.open(path, os.O_CREAT, 0o444))
    _mount(source, path, None, _MS_BIND)
    _mount(None, path, None, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | _MS_NOSUID | _MS_NODEV)


def shut(path: str) -> str | None:
    """Return the first folder above `path` that others may not enter, or `path` itself if it is a folder that they may not read."""
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


def forbid_new_privileges() -> None:
    """Landlock and seccomp are for those alone whom no program can give more rights."""
    _must(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")


def landlock(attributes: bytes, rules: list[tuple[int, list[str]]]) -> None:
    """Confine this process to these rules (`arena.cells.sandbox.landlock.rules`)."""
    ruleset = _must(_libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0), "Landlock")
    for rights, paths in rules:
        for path in paths:
            try:
                fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except FileNotFoundError:
                continue
            allowed = rights if stat.S_ISDIR(os.fstat(fd).st_mode) else rights & _OF_FILES
            beneath = allowed.to_bytes(8, sys.byteorder) + fd.to_bytes(4, sys.byteorder)
            _must(_libc.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, beneath, 0), f"Landlock, {path}")
            os.close(fd)
    _must(_libc.syscall(_RESTRICT_SELF, ruleset, 0), "Landlock")
    os.close(ruleset)


def main() -> None:
    """Carry out the plan, in the only order in which the steps work."""
    plan: dict[str, Any] = marshal.loads(bytes.fromhex(sys.argv[1]))
    for path in plan.get("join", ()):
        fd = os.open(path, os.O_WRONLY)
        os.write(fd, b"0")
        os.close(fd)
    if plan.get("show") or plan.get("cover"):
        _arrange(plan.get("show", ()), plan.get("cover", ()))
    if "box" in plan:
        place, options = plan["box"]
        _mount("tmpfs", place, "tmpfs", _MS_NOSUID | _MS_NODEV, options)
    if "user" in plan:
        os.setgroups([])
        os.setresgid(plan["user"], plan["user"], plan["user"])
        os.setresuid(plan["user"], plan["user"], plan["user"])
    if "folder" in plan:
        os.chdir(plan["folder"])
    if "parent" in plan:
        # After the change of user, which clears it. The referee may have died in the meantime.
        _must(_libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0), "prctl")
        if os.getppid() != plan["parent"]:
            sys.exit("the referee is gone")
    for number, limit in plan.get("limits", ()):
        resource.setrlimit(number, (limit, limit))
    forbid_new_privileges()
    if "landlock" in plan:
        landlock(*plan["landlock"])
    if "seccomp" in plan:
        code = plan["seccomp"]
        _must(_libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, byref(_Filter(len(code) // 8, code)), 0, 0), "seccomp")
    for ignored in (_SIGPIPE, _SIGXFSZ):  # by Python, which the program would inherit
        _libc.signal(ignored, None)
    command = plan["command"]
    os.execve(command[0], command, plan.get("environment", os.environ))


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(
            f"bullring: the program could not be started: {error.strerror or error}: {error.filename or sys.argv[0]}"
        )

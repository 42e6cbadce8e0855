"""Proofs that are remembered: a tier need not be proven anew while nothing has changed that its proof rests on.

A proof takes as long as the start of several bots, and nearly every command begins with one. So it counts for an hour for the same
user, on the same kernel since the same boot, with the same rights, limits, namespaces and settings, programs that confine and files
of this room. Engines of containers can change in ways that we do not see: a tier that rests on one is proven each time. So is every
tier by `bullring doctor`, which does not ask here.
"""

import hashlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bullring.arena.cells.sandbox import python
from bullring.arena.cells.sandbox.cell import Sandbox, gaps_of
from bullring.arena.cells.sandbox.installations import which

LASTS = 3600.0
"""Seconds for which a proof counts."""

_ROOM = Path(__file__).parent

_NAME = re.compile("[0-9a-f]{64}")

_OF_THE_KERNEL = (
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/version",
    "/proc/self/attr/current",
    "/proc/self/limits",
    "/proc/self/uid_map",
    "/sys/kernel/security/lsm",
)
"""Files that say which kernel this is, and how it treats us."""

_SETTINGS = ("/proc/sys/user", "/proc/sys/kernel/yama", "/proc/sys/kernel/keys")
"""Folders of settings that all count."""

_MORE_SETTINGS = (
    *("unprivileged_userns_clone", "apparmor_restrict_unprivileged_userns", "unprivileged_bpf_disabled"),
    *(
        "io_uring_disabled",
        "perf_event_paranoid",
        "kptr_restrict",
        "dmesg_restrict",
        "core_pattern",
        "modules_disabled",
    ),
)
"""Settings among others in /proc/sys/kernel."""

_RIGHTS = ("Uid", "Gid", "Groups", "Cap", "NoNewPrivs", "Seccomp")
"""The beginnings of lines of /proc/self/status that count."""


def holds(sandbox: Sandbox) -> bool:
    """Whether a proof of this sandbox is remembered."""
    with suppress(OSError), _proofs() as folder:
        name = _name(sandbox)
        return name is not None and _lasts(name, folder)
    return False


def remember(sandbox: Sandbox) -> None:
    """Remember that this sandbox has just been proven. Does nothing where that cannot be kept."""
    with suppress(OSError):
        _path().mkdir(parents=True, exist_ok=True, mode=0o700)
        with _proofs() as folder:
            for other in filter(_NAME.fullmatch, os.listdir(folder)):  # noqa: PTH208  # in the folder that was looked at
                if not _lasts(other, folder):
                    os.unlink(other, dir_fd=folder)  # the same
            name = _name(sandbox)
            if name is not None:
                os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder))
                os.utime(name, dir_fd=folder, follow_symlinks=False)


def _path() -> Path:
    return python.cache_folder() / "proofs"


@contextmanager
def _proofs() -> Iterator[int]:
    """The folder of proofs, as a descriptor: whoever may change what is above it can put another one in its place, but none that is
    ours and closed to others. Raises `OSError` if it is not."""
    folder = os.open(_path(), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if not _is_ours(os.fstat(folder)):
            raise PermissionError(f"others may change {_path()}")
        yield folder
    finally:
        os.close(folder)


def _lasts(name: str, folder: int) -> bool:
    """Whether a file of ours in this folder is a proof that counts. Raises `OSError`, but not if there is none."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)  # in the folder that was looked at
    except FileNotFoundError:
        return False
    return stat.S_ISREG(found.st_mode) and _is_ours(found) and 0.0 <= time.time() - found.st_mtime < LASTS


def _is_ours(found: os.stat_result) -> bool:
    """Whether nobody else may write to it, who is not root."""
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _name(sandbox: Sandbox) -> str | None:
    """The name of the file that stands for a proof of this sandbox; None if it is not to be remembered. Raises `OSError`."""
    if sandbox.tier.rests_on is None:
        return None
    return hashlib.sha256("\n".join(_basis(sandbox)).encode("utf-8", "surrogateescape")).hexdigest()


def _basis(sandbox: Sandbox) -> Iterator[str]:
    """All that a proof of this sandbox rests on, line by line. Raises `OSError`."""
    yield f"{sandbox.tier.name} {sandbox.freeze} {sorted(sandbox.means)} {[gap.word for gap in gaps_of(sandbox)]}"
    settings = [path for folder in map(Path, _SETTINGS) if folder.is_dir() for path in sorted(folder.iterdir())]
    kernel = Path("/proc/sys/kernel")
    for path in (*map(Path, _OF_THE_KERNEL), *settings, *(kernel / name for name in _MORE_SETTINGS)):
        yield f"{path}={_text(path)}"
    yield from (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(_RIGHTS))
    yield from (f"{kind}={os.readlink(f'/proc/self/ns/{kind}')}" for kind in sorted(os.listdir("/proc/self/ns")))  # noqa: PTH115, PTH208
    yield sys.version
    programs = [which(name) for name in sandbox.tier.rests_on or ()]
    for program in (python.BASE, sys.executable, *programs, *sorted(map(str, _ROOM.rglob("*.py")))):
        yield f"{program} {_state(program)}"


def _text(path: Path) -> str:
    """The contents of a file that not every kernel has."""
    try:
        return path.read_text("utf-8", "replace")
    except OSError as error:
        return f"({error.errno})"


def _state(program: str | None) -> str:
    """What tells a file from the one that it was."""
    if program is None:
        return "missing"
    found = os.stat(program)  # noqa: PTH116  # as text
    return f"{found.st_dev} {found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"

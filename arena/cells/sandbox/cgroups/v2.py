"""Cgroups, version 2: one hierarchy, parts of which are delegated to users and services.

A cgroup that hands down controllers to its children may not contain processes. So if our own cgroup contains processes, all of them
are first moved to a child, the `LEAF`, which all referees in this cgroup share; the last referee moves them back. They are moved
only if the cgroup is ours: it holds no other programs, or it is marked as delegated, or systemd says that it is delegated, or it is
the root of all we can see, as in a container.

The kernel enforces that rule only for memory. The other controllers work for threads as well: a cgroup with processes may hand them
down, and from then on its children cannot contain processes. So we check for processes before and after handing down.
"""

import contextlib
import errno
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.cgroups import cgroupfs
from bullring.arena.cells.sandbox.cgroups.cgroup import Cgroup
from bullring.arena.cells.sandbox.cgroups.subtree import Subtree

LEAF = "bullring-referees"
"""The child cgroup to which the processes of our cgroup move."""

MARKS = ("user.delegate", "trusted.delegate")
"""Attributes by which systemd marks a delegated cgroup. Older versions set only the second, which only root can read."""

SYSTEMD_LIMIT = 5.0
"""Seconds to wait for an answer from systemd."""

_ROUNDS = 20
"""Most attempts to move all processes while new ones come in."""


class CgroupV2(Cgroup):
    """A bot's cgroup: one folder."""

    freeze_word = b"1"
    thaw_word = b"0"

    def __init__(self, folders: Mapping[str, Path]) -> None:
        super().__init__(folders, next(iter(folders.values())) / "cgroup.freeze")
        self._folder = self.folders[0]

    def frozen(self) -> bool:
        """Whether everything in it has stopped."""
        return cgroupfs.counts(self._folder / "cgroup.events").get("frozen", 0) == 1

    def all_oom_kills(self) -> int:
        return cgroupfs.counts(self._folder / "memory.events").get("oom_kill", 0)

    def _hit_its_memory_limit(self) -> bool:
        return cgroupfs.counts(self._folder / "memory.events").get("oom", 0) > 0

    def _kill(self) -> None:
        try:
            cgroupfs.write(self._folder / "cgroup.kill", "1")
        except FileNotFoundError:  # before Linux 5.14, or it is gone
            super()._kill()


class SubtreeV2(Subtree):
    """Cgroups below our own, or below the one we were in before we moved to the leaf."""

    version = 2

    @classmethod
    def find(cls) -> "SubtreeV2":
        """Create a branch in our own cgroup. Raises `OSError` if there is no cgroup that we may use."""
        own = cgroupfs.own_cgroups(2).get("")
        if own is None:
            raise FileNotFoundError(errno.ENOENT, "not mounted")
        return cls.below(own.parent if own.name == LEAF else own)

    @classmethod
    def below(cls, base: Path) -> "SubtreeV2":
        """Create a branch in this cgroup. Raises `OSError` if that is not allowed."""
        branch = base / cgroupfs.branch_name()
        missing: dict[str, str] = {}
        with cgroupfs.locked(base):
            cgroupfs.make(branch)
            for controller in cgroupfs.CONTROLLERS:
                if controller not in ("freezer", "pressure"):
                    try:
                        _hand_down(base, controller)
                        cgroupfs.write(branch / "cgroup.subtree_control", f"+{controller}")
                    except OSError as error:
                        missing[controller] = cgroupfs.text(error)
        return cls({name: branch for name in cgroupfs.CONTROLLERS if name not in missing}, missing)

    def _drop_branch(self, branch: Path) -> None:
        with cgroupfs.locked(branch.parent):
            super()._drop_branch(branch)
            move_back(branch.parent)

    @classmethod
    def _cgroup(cls, folders: Mapping[str, Path]) -> Cgroup:
        return CgroupV2(folders)

    @classmethod
    def _open(cls, folders: Sequence[Path]) -> Cgroup:
        return CgroupV2({"freezer": folders[0]})

    @classmethod
    def _set_limit(cls, controller: str, folder: Path, caps: Caps) -> None:
        match controller:
            case "memory":
                cgroupfs.write(folder / "memory.max", str(caps.memory))
                with contextlib.suppress(FileNotFoundError):  # a kernel without swap
                    cgroupfs.write(folder / "memory.swap.max", "0")
            case "pids":
                cgroupfs.write(folder / "pids.max", str(caps.processes))
            case "freezer":
                # No cgroups below it, in which processes could hide from us.
                cgroupfs.write(folder / "cgroup.max.descendants", "0")


def move_back(base: Path) -> None:
    """Undo the changes to this cgroup if no referee is left in it. The caller holds its lock."""
    if [group.name for group in cgroupfs.subgroups(base)] != [LEAF]:
        return  # other referees, or other programs with cgroups here that may rely on the controllers by now
    with contextlib.suppress(OSError):
        # It contained processes, so it did not hand down controllers before.
        for controller in cgroupfs.words(base / "cgroup.subtree_control"):
            cgroupfs.write(base / "cgroup.subtree_control", f"-{controller}")
        _move_all(base / LEAF, base)
        cgroupfs.drop(base / LEAF)


def _hand_down(base: Path, controller: str) -> None:
    """Hand down a controller to the children of this cgroup."""
    if controller in cgroupfs.words(base / "cgroup.subtree_control"):
        return
    if controller not in cgroupfs.words(base / "cgroup.controllers"):
        raise PermissionError(errno.EPERM, "not available in this cgroup", str(base))
    for _ in range(_ROUNDS):
        if _is_full(base):
            _empty(base)
        try:
            cgroupfs.write(base / "cgroup.subtree_control", f"+{controller}")
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            continue
        if not _is_full(base):
            return
        cgroupfs.write(base / "cgroup.subtree_control", f"-{controller}")
    raise OSError(errno.EBUSY, "it cannot be emptied: processes stay in it, or new ones keep coming", str(base))


def _is_full(base: Path) -> bool:
    """Whether the cgroup contains processes that must move. The root of the hierarchy, which alone has no type, may keep them."""
    return (base / "cgroup.type").exists() and bool(cgroupfs.words(base / "cgroup.procs"))


def _empty(base: Path) -> None:
    """Move the processes of this cgroup, including ours, to its leaf."""
    alone = set(cgroupfs.words(base / "cgroup.procs")) <= {str(os.getpid())}
    if not (alone or _is_given_away(base) or _is_the_root(base)):
        why = "other programs are in it, and it is not marked as delegated"
        raise PermissionError(errno.EPERM, why, str(base))
    with contextlib.suppress(FileExistsError):
        cgroupfs.make(base / LEAF)
    _move_all(base, base / LEAF)


def _move_all(cgroup: Path, to: Path) -> None:
    for _ in range(_ROUNDS):
        pids = cgroupfs.members(cgroup)
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                cgroupfs.write(to / "cgroup.procs", str(pid))


def _is_given_away(base: Path) -> bool:
    for mark in MARKS:
        with contextlib.suppress(OSError):
            if os.getxattr(base, mark) == b"1":
                return True
    # The kernel's own form of delegation: root made it ours, with all that is below.
    if os.geteuid() and _owner(base) == os.geteuid() != _owner(base.parent):
        return True
    return _systemd_gave_away(base)


def _owner(group: Path) -> int:
    return group.stat().st_uid


def _systemd_gave_away(base: Path) -> bool:
    """Ask systemd whether it delegated the cgroup: a user's systemd sets no marks, older ones none that a user can read."""
    whose = ["--user"] if any(name.startswith("user@") for name in base.parent.parts) else []
    question = ["systemctl", *whose, "show", "--property=Delegate,ControlGroup", "--", base.name]
    try:
        answer = subprocess.run(
            question,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=SYSTEMD_LIMIT,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return False
    said = {name: value for name, _, value in (line.partition("=") for line in answer.splitlines())}
    # Another cgroup may have the same name.
    cgroup = said.get("ControlGroup", "")
    return said.get("Delegate") == "yes" and cgroup != "" and str(base).endswith(cgroup)


def _is_the_root(base: Path) -> bool:
    return any(mount.version == 2 and mount.folder == base for mount in cgroupfs.mounts())

"""Control groups, version 2: one hierarchy, parts of which are given away ("delegated") to users and services.

A group that has controllers for its children may have no processes of its own. So where we find ourselves among the processes
of a group, all of them move to a child first, the `LEAF`, which all referees in this group share; who is last moves them back.
They are moved only if the group is ours: nobody else is in it, or it is marked as delegated, or systemd says that it is, or it is
the root of all we can see, as in a container.

The kernel insists on that for memory alone. The other controllers are for threads, too: a group with processes may hand them down,
and what is below it is no place for processes from then on. So it is looked for processes before, and after.
"""

import contextlib
import errno
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from bullring.arena.sandbox.caps import Caps
from bullring.arena.sandbox.cgroups import cgroupfs
from bullring.arena.sandbox.cgroups.cgroup import Cgroup
from bullring.arena.sandbox.cgroups.subtree import PERIOD, Subtree, cpu_quota

LEAF = "bullring-referees"
"""The group that the processes of ours move to."""

MARKS = ("user.delegate", "trusted.delegate")
"""The attributes by which systemd tells that a group is given away; older ones set the second alone, which only root can read."""

SYSTEMD_LIMIT = 5.0
"""Seconds that systemd has for its answer."""

_ROUNDS = 20
"""How often it is tried to move all processes while new ones come in."""


class CgroupV2(Cgroup):
    """A bot's group: one folder."""

    freeze_word = b"1"
    thaw_word = b"0"

    def __init__(self, folders: Mapping[str, Path]) -> None:
        super().__init__(folders, next(iter(folders.values())) / "cgroup.freeze")
        self._folder = self.folders[0]

    def frozen(self) -> bool:
        """Whether everything in it stands still by now."""
        return cgroupfs.counts(self._folder / "cgroup.events").get("frozen", 0) == 1

    def throttled(self) -> float:
        """Seconds that it stood still because it had used its share of the processor."""
        return cgroupfs.counts(self._folder / "cpu.stat").get("throttled_usec", 0) / 1e6

    def _all_oom_kills(self) -> int:
        return cgroupfs.counts(self._folder / "memory.events").get("oom_kill", 0)

    def _hit_its_memory_limit(self) -> bool:
        return cgroupfs.counts(self._folder / "memory.events").get("oom", 0) > 0

    def _kill(self) -> None:
        try:
            cgroupfs.write(self._folder / "cgroup.kill", "1")
        except FileNotFoundError:  # before Linux 5.14, or it is gone
            super()._kill()


class SubtreeV2(Subtree):
    """Groups below the one we are in, or were in before we moved to the leaf."""

    version = 2

    @classmethod
    def find(cls) -> "SubtreeV2":
        """Raises `OSError` if this machine has none for us."""
        own = cgroupfs.own_cgroups(2).get("")
        if own is None:
            raise FileNotFoundError(errno.ENOENT, "not mounted")
        return cls.below(own.parent if own.name == LEAF else own)

    @classmethod
    def below(cls, base: Path) -> "SubtreeV2":
        """Make a branch in this group. Raises `OSError` if that is not allowed."""
        branch = base / cgroupfs.branch_name()
        missing: dict[str, str] = {}
        with cgroupfs.locked(base):
            cgroupfs.make(branch)
            for controller in cgroupfs.CONTROLLERS:
                if controller != "freezer":
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
    def _group(cls, folders: Mapping[str, Path]) -> Cgroup:
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
            case "cpu":
                cgroupfs.write(folder / "cpu.max", f"{cpu_quota(caps)} {PERIOD}")
            case "freezer":
                # Nothing is to be hidden from us in groups below it.
                cgroupfs.write(folder / "cgroup.max.descendants", "0")


def move_back(base: Path) -> None:
    """Undo what was done to this group, if no referee is left in it. To be called with the group locked."""
    if [group.name for group in cgroupfs.subgroups(base)] != [LEAF]:
        return  # there are other referees, or somebody has groups of his own there, who may count on the controllers by now
    with contextlib.suppress(OSError):
        # It had processes of its own, so it had no controllers for children before.
        for controller in cgroupfs.words(base / "cgroup.subtree_control"):
            cgroupfs.write(base / "cgroup.subtree_control", f"-{controller}")
        _move_all(base / LEAF, base)
        cgroupfs.drop(base / LEAF)


def _hand_down(base: Path, controller: str) -> None:
    """Give the groups below this one a controller."""
    if controller in cgroupfs.words(base / "cgroup.subtree_control"):
        return
    if controller not in cgroupfs.words(base / "cgroup.controllers"):
        raise PermissionError(errno.EPERM, "not handed down to this group", str(base))
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
    raise OSError(errno.EBUSY, "processes stay in it, or come in all the time", str(base))


def _is_full(base: Path) -> bool:
    """Whether there are processes where none may be. The root of the hierarchy may have them; it alone has no type."""
    return (base / "cgroup.type").exists() and bool(cgroupfs.words(base / "cgroup.procs"))


def _empty(base: Path) -> None:
    """Move the processes of this group to its leaf, ours among them."""
    alone = set(cgroupfs.words(base / "cgroup.procs")) <= {str(os.getpid())}
    if not (alone or _is_given_away(base) or _is_the_root(base)):
        why = "other programs are in it, and it is not marked as delegated"
        raise PermissionError(errno.EPERM, why, str(base))
    with contextlib.suppress(FileExistsError):
        cgroupfs.make(base / LEAF)
    _move_all(base, base / LEAF)


def _move_all(group: Path, to: Path) -> None:
    for _ in range(_ROUNDS):
        pids = cgroupfs.members(group)
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
    return _systemd_gave_away(base)


def _systemd_gave_away(base: Path) -> bool:
    """A user's own systemd sets no marks, and older ones set none that a user can read. So it is asked."""
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
    # Another group may have that name, too.
    group = said.get("ControlGroup", "")
    return said.get("Delegate") == "yes" and group != "" and str(base).endswith(group)


def _is_the_root(base: Path) -> bool:
    return any(mount.version == 2 and mount.folder == base for mount in cgroupfs.mounts())

"""Control groups: what the kernel offers for holding a bot with all it starts, where a machine lets us have it."""

import contextlib
import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from bullring.arena.sandbox.cgroups import cgroupfs
from bullring.arena.sandbox.cgroups.cgroup import Cgroup, remove_cgroups
from bullring.arena.sandbox.cgroups.subtree import Subtree
from bullring.arena.sandbox.cgroups.v1 import SubtreeV1
from bullring.arena.sandbox.cgroups.v2 import SubtreeV2, move_back
from bullring.errors import HostError

__all__ = ["Cgroup", "NoCgroups", "Subtree", "find", "remedy", "sweep"]


@dataclass(frozen=True)
class NoCgroups:
    """This machine has no control groups for us."""

    reason: str


def find() -> Subtree | NoCgroups:
    """What can be had here, found out by trying. To be asked once by a referee, before any clock runs: it takes some 20 ms.

    Of both versions the one that gives more. A program that starts referees does well to ask before it starts them, and to keep
    what it gets: if it is alone in its group then, all of them will find a place.
    """
    found: list[Subtree] = []
    reasons = []
    for kind in (SubtreeV2, SubtreeV1):
        if found and len(found[0].controllers) == len(cgroupfs.CONTROLLERS):
            break
        try:
            found.append(kind.find())
        except (OSError, HostError) as error:
            reasons.append(f"cgroup v{kind.version}: {cgroupfs.text(error)}")
    best = max(found, key=lambda cgroups: len(cgroups.controllers), default=None)
    for cgroups in found:
        if cgroups is not best or not cgroups.controllers:
            with contextlib.suppress(HostError, OSError):
                cgroups.close()
            reasons += [f"{name}: {why}" for name, why in cgroups.missing.items()]
    return best if best is not None and best.controllers else NoCgroups("; ".join(reasons))


def remedy() -> str:
    """How to get what is missing, for people."""
    if Path("/run/systemd/system").is_dir():
        user = "" if os.geteuid() == 0 else " --user"
        return f"start it in a group of its own: systemd-run{user} --scope -p Delegate=yes bullring ..."
    return "be root, or start it in a control group of version 2 that is yours; in a container, let /sys/fs/cgroup be writable"


def sweep() -> int:
    """Remove the groups that dead referees left, with what is still in them. Returns how many there were.

    What cannot be removed stays, for the next sweep. Only referees of this user and this pid namespace are known to be dead.
    """
    branches: dict[tuple[type[Subtree], str], list[Path]] = defaultdict(list)
    for mount in cgroupfs.mounts():
        if mount.version == 2 or mount.controllers:
            for branch in filter(cgroupfs.is_orphaned, cgroupfs.branches_below(mount.folder)):
                branches[SubtreeV2 if mount.version == 2 else SubtreeV1, branch.name].append(branch)
    swept = 0
    for (kind, _), folders in branches.items():
        with contextlib.suppress(OSError, HostError):
            groups = kind.cgroups_in(folders)
            remove_cgroups(groups)
            swept += len(groups)
            for branch in folders:
                cgroupfs.drop(branch)
                if kind is SubtreeV2:
                    with cgroupfs.locked(branch.parent):
                        move_back(branch.parent)
    return swept

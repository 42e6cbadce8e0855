"""Control groups (cgroups): the kernel's way to cap a bot with everything it starts, where the machine lets us use it."""

import contextlib
import os
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from bullring.arena.cells.sandbox.cgroups import cgroupfs, scope
from bullring.arena.cells.sandbox.cgroups.cgroup import Cgroup, remove_cgroups
from bullring.arena.cells.sandbox.cgroups.subtree import Subtree
from bullring.arena.cells.sandbox.cgroups.v1 import SubtreeV1
from bullring.arena.cells.sandbox.cgroups.v2 import SubtreeV2, move_back
from bullring.errors import HostError

__all__ = ["Cgroup", "NoCgroups", "Subtree", "find", "remedy", "sweep"]


@dataclass(frozen=True)
class NoCgroups:
    """The answer on a machine without cgroups that we may use."""

    reason: str


def find() -> Subtree | NoCgroups:
    """Find out by trying which cgroups we may use; of the two versions, the one with more controllers.

    A referee calls this once, before any clock runs: it takes some 20 ms. What is missing is asked of systemd (see `scope`), which
    may move us. A program that starts referees should call it before it starts them, and keep the result: if it is alone in its
    cgroup at that time, all of them find a place.
    """
    found = _find()
    if (isinstance(found, NoCgroups) or found.missing) and scope.enter():
        if isinstance(found, Subtree):
            _close(found)
        found = _find()
    return found


def _find() -> Subtree | NoCgroups:
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
            _close(cgroups)
            reasons += [f"{name}: {why}" for name, why in cgroups.missing.items()]
    return best if best is not None and best.controllers else NoCgroups("; ".join(reasons))


def _close(cgroups: Subtree) -> None:
    with contextlib.suppress(HostError, OSError):
        cgroups.close()


def remedy(missing: Collection[str] = cgroupfs.CONTROLLERS) -> str:
    """Advice on getting the missing controllers; empty if none is missing."""
    if not missing:
        return ""
    if set(missing) == {"pressure"}:
        return "mount a cgroup version 2 hierarchy; without /proc/pressure, add psi=1 to the kernel's command line"
    user = os.geteuid()
    if not Path("/run/systemd/system").is_dir():
        return "run as root, or in a version 2 cgroup that is delegated to you; in a container, make /sys/fs/cgroup writable"
    if cgroupfs.own_cgroups(2).get("", Path()).suffix == ".service":
        return "this is a service: write Delegate=yes under [Service] in its unit file"
    if user and not Path(f"/run/user/{user}/systemd").exists():
        return f"log in as this user (su and sudo do not), or, as root: loginctl enable-linger {user}"
    return (
        f"start bullring in its own cgroup: systemd-run{' --user' if user else ''} --scope -p Delegate=yes bullring ..."
    )


def sweep() -> int:
    """Remove the cgroups of dead referees, with the processes in them. Returns how many bots' cgroups there were.

    What cannot be removed is left for the next sweep. Only referees of this user and this pid namespace are known to be dead.
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

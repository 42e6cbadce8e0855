"""The cgroup of a container, which the engine has made: what of it we may use."""

import os
from pathlib import Path

from bullring.arena.cells.sandbox.cgroups import Cgroup, cgroupfs
from bullring.arena.cells.sandbox.cgroups.v1 import CgroupV1
from bullring.arena.cells.sandbox.cgroups.v2 import CgroupV2

_ROUNDS = 100
"""Most searches for processes that forked before they were frozen."""


def cgroup_of(pid: int, container: str) -> Cgroup | None:
    """Find the cgroup of a process. None if the process is gone, or if its cgroup is not named after this container."""
    try:
        lines = Path(f"/proc/{pid}/cgroup").read_text().splitlines()
        named = [line for line in lines if container in line.split(":", 2)[2]]
        folders = cgroupfs.folders_of("\n".join(named))
        v2 = folders.pop("", None)
        if v2 is not None and os.access(v2 / "cpu.pressure", os.R_OK):
            folders["pressure"] = v2
        if "freezer" in folders or v2 is None:
            return CgroupV1(folders) if folders else None
        return CgroupV2({"freezer": v2, **folders})
    except OSError:
        return None


def move(cgroup: Cgroup, to: Cgroup) -> None:
    """Move all processes of a cgroup to another hierarchy's, of which nothing can escape by forking meanwhile."""
    cgroup.freeze()
    moved: set[int] = set()
    try:
        for _ in range(_ROUNDS):
            new = {*cgroup.pids()} - moved
            if not new:
                return
            for pid in new:
                to.add(pid)
            moved |= new
    finally:
        cgroup.thaw()


def may_freeze() -> bool:
    """Whether we may write to the freezers of containers, as far as that can be known before one exists."""
    return os.geteuid() == 0 and any(
        os.access(mount.folder, os.W_OK)
        for mount in cgroupfs.mounts()
        if mount.version == 2 or "freezer" in mount.controllers
    )


def counts_by_itself() -> bool:
    """Whether the cgroups of containers count what `Account` needs: those of version 2, if that is all this machine has."""
    mounts = cgroupfs.mounts()
    folder = next((mount.folder for mount in mounts if mount.version == 2), None)
    return folder is not None and not any(mount.controllers for mount in mounts) and Path("/proc/pressure/cpu").exists()

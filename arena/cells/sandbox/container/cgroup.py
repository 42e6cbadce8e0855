"""The cgroup of a container, made by the engine: its figures, and its freezer if we may write to it."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from bullring.arena.cells.sandbox import kernel_threads
from bullring.arena.cells.sandbox.account import Account
from bullring.arena.cells.sandbox.cgroups import Cgroup, cgroupfs

_ROUNDS = 100
"""Most searches for processes that forked before they were frozen."""


@dataclass(frozen=True)
class ContainerCgroup:
    """Files in the cgroup of a container; None if missing or not accessible."""

    freezer: Path | None
    """The file that freezes it, if we may write to it."""
    frozen: bytes
    thawed: bytes
    kills: Path | None
    """The file whose line `oom_kill` counts its processes that were killed for memory."""
    pressure: Path | None
    """Its cpu.pressure (see `Account`), if the engine uses version 2."""
    members: Path
    """The file that lists its processes."""

    def freeze(self) -> None:
        """Stop all its processes. Does nothing without a `freezer`."""
        self._write(self.frozen)

    def thaw(self) -> None:
        """Let it run again. Does nothing if it is not frozen, is gone, or has no `freezer`."""
        self._write(self.thawed)

    def account(self, core: int) -> Account | None:
        """What the kernel has counted of the container, which is bound to this core. None if it counts nothing."""
        if self.pressure is None:
            return None
        try:
            with contextlib.closing(cgroupfs.Counts(self.pressure.parent)) as counts:
                used, system = counts.used_us()
                return Account(counts.waited_us(), kernel_threads.of_core(core).used_us(), system, used)
        except OSError:
            return None  # it has ended

    def move_to(self, counted: Cgroup) -> None:
        """Move all its processes to another hierarchy's cgroup, of which nothing can escape by forking meanwhile."""
        self.freeze()
        moved: set[int] = set()
        try:
            for _ in range(_ROUNDS):
                new = set(cgroupfs.members(self.members.parent)) - moved
                if not new:
                    return
                for pid in new:
                    counted.add(pid)
                moved |= new
        finally:
            self.thaw()

    def memory_kills(self) -> int:
        """How many of its processes were killed for memory; 0 if that cannot be read, for example after its end."""
        with contextlib.suppress(OSError, ValueError):
            for line in self.kills.read_bytes().splitlines() if self.kills else ():
                name, _, count = line.partition(b" ")
                if name == b"oom_kill":
                    return int(count)
        return 0

    def _write(self, word: bytes) -> None:
        if self.freezer is not None:
            # Plain system calls: this is done twice for every turn.
            with contextlib.suppress(OSError):
                fd = os.open(self.freezer, os.O_WRONLY)
                try:
                    os.write(fd, word)
                finally:
                    os.close(fd)


def cgroup_of(pid: int, container: str) -> ContainerCgroup | None:
    """Find the cgroup of a process. None if the process is gone, or if its cgroup is not named after this container."""
    try:
        lines = Path(f"/proc/{pid}/cgroup").read_text().splitlines()
    except OSError:
        return None
    named = [line for line in lines if container in line.split(":", 2)[2]]
    if not named:
        return None
    folders = cgroupfs.folders_of("\n".join(named))
    v2 = folders.get("", Path("/nowhere"))
    if "freezer" in folders:
        freezer, words = folders["freezer"] / "freezer.state", (b"FROZEN", b"THAWED")
    else:
        freezer, words = v2 / "cgroup.freeze", (b"1", b"0")
    kills = folders["memory"] / "memory.oom_control" if "memory" in folders else v2 / "memory.events"
    pressure = v2 / "cpu.pressure"
    return ContainerCgroup(
        freezer if os.access(freezer, os.W_OK) else None,
        *words,
        kills if os.access(kills, os.R_OK) else None,
        pressure if os.access(pressure, os.R_OK) else None,
        freezer.parent / "cgroup.procs",
    )


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

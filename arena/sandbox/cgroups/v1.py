"""Control groups, version 1: a hierarchy of its own for each controller. They are for root alone."""

import contextlib
import errno
from collections.abc import Mapping, Sequence
from pathlib import Path

from bullring.arena.sandbox.caps import MIB, Caps
from bullring.arena.sandbox.cgroups import cgroupfs
from bullring.arena.sandbox.cgroups.cgroup import Cgroup
from bullring.arena.sandbox.cgroups.subtree import PERIOD, Subtree, cpu_quota

_MARGIN = MIB
"""Who came so near to the limit has hit it: the kernel takes memory for a group in pieces, and the last piece may not fit."""


class CgroupV1(Cgroup):
    """A bot's group: a folder in each hierarchy."""

    freeze_word = b"FROZEN"
    thaw_word = b"THAWED"

    def __init__(self, folders: Mapping[str, Path]) -> None:
        super().__init__(folders, folders["freezer"] / "freezer.state" if "freezer" in folders else None)

    def frozen(self) -> bool:
        """Whether everything in it stands still by now."""
        return "freezer" in self._of and cgroupfs.words(self._of["freezer"] / "freezer.state") == ["FROZEN"]

    def throttled(self) -> float:
        """Seconds that it stood still because it had used its share of the processor."""
        return (
            cgroupfs.counts(self._of["cpu"] / "cpu.stat").get("throttled_time", 0) / 1e9 if "cpu" in self._of else 0.0
        )

    def _all_oom_kills(self) -> int:
        return (
            cgroupfs.counts(self._of["memory"] / "memory.oom_control").get("oom_kill", 0) if "memory" in self._of else 0
        )

    def _hit_its_memory_limit(self) -> bool:
        # memory.failcnt would tell; but there are kernels (seen in 6.18) where it stays 0.
        highest = max(self._memory("memory.max_usage_in_bytes"), self._memory("memory.memsw.max_usage_in_bytes"))
        return "memory" in self._of and highest >= self._memory("memory.limit_in_bytes") - _MARGIN

    def _memory(self, name: str) -> int:
        return cgroupfs.number(self._of["memory"] / name) if "memory" in self._of else 0


class SubtreeV1(Subtree):
    """Groups below the ones we are in, whose limits go on to hold."""

    version = 1

    @classmethod
    def find(cls) -> "SubtreeV1":
        """Raises `OSError` if this machine has none for us."""
        own = cgroupfs.own_cgroups(1)
        if not own:
            raise FileNotFoundError(errno.ENOENT, "not mounted")
        name = cgroupfs.branch_name()
        branches: dict[str, Path] = {}
        missing = dict.fromkeys(cgroupfs.CONTROLLERS, "not mounted")
        refused: OSError | None = None
        for controller, folder in own.items():
            try:
                with contextlib.suppress(FileExistsError):  # two controllers may share a hierarchy
                    cgroupfs.make(folder / name)
                branches[controller] = folder / name
            except OSError as error:
                missing[controller] = cgroupfs.text(error)
                refused = error
        if refused is not None and not branches:
            raise refused
        return cls(branches, missing)

    @classmethod
    def _group(cls, folders: Mapping[str, Path]) -> Cgroup:
        return CgroupV1(folders)

    @classmethod
    def _open(cls, folders: Sequence[Path]) -> Cgroup:
        # What a folder controls shows in its files.
        return CgroupV1({"freezer" if (f / "freezer.state").exists() else str(f): f for f in folders})

    @classmethod
    def _set_limit(cls, controller: str, folder: Path, caps: Caps) -> None:
        match controller:
            case "memory":
                cgroupfs.write(folder / "memory.limit_in_bytes", str(caps.memory))
                try:
                    cgroupfs.write(folder / "memory.memsw.limit_in_bytes", str(caps.memory))  # memory and swap together
                except FileNotFoundError:
                    # The kernel does not count swap; then it is to use none, as far as it can help it.
                    cgroupfs.write(folder / "memory.swappiness", "0")
            case "pids":
                cgroupfs.write(folder / "pids.max", str(caps.processes))
            case "cpu":
                cgroupfs.write(folder / "cpu.cfs_period_us", str(PERIOD))
                try:
                    cgroupfs.write(folder / "cpu.cfs_quota_us", str(cpu_quota(caps)))
                except OSError as error:
                    # More than the groups above allow is refused here; what they allow holds without our doing.
                    if error.errno != errno.EINVAL:
                        raise

"""Cgroups, version 1: a separate hierarchy for each controller. Only root can use them.

Many container hosts and older distributions have no others, and without cgroups nothing limits the memory of a bot as a whole.
"""

import contextlib
import errno
from collections.abc import Mapping, Sequence
from pathlib import Path

from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.cgroups import cgroupfs
from bullring.arena.cells.sandbox.cgroups.cgroup import Cgroup
from bullring.arena.cells.sandbox.cgroups.subtree import Subtree

_MARGIN = MIB
"""Usage within this many bytes of the limit counts as hitting it: memory is charged in pieces, and the last one may not fit."""


class CgroupV1(Cgroup):
    """A bot's cgroup: a folder in each hierarchy."""

    freeze_word = b"FROZEN"
    thaw_word = b"THAWED"

    def __init__(self, folders: Mapping[str, Path]) -> None:
        super().__init__(folders, folders["freezer"] / "freezer.state" if "freezer" in folders else None)

    def frozen(self) -> bool:
        """Whether everything in it has stopped."""
        return "freezer" in self._of and cgroupfs.words(self._of["freezer"] / "freezer.state") == ["FROZEN"]

    def all_oom_kills(self) -> int:
        return (
            cgroupfs.counts(self._of["memory"] / "memory.oom_control").get("oom_kill", 0) if "memory" in self._of else 0
        )

    def _hit_its_memory_limit(self) -> bool:
        # Not memory.failcnt: on some kernels (seen in 6.18) it stays 0.
        highest = max(self._memory("memory.max_usage_in_bytes"), self._memory("memory.memsw.max_usage_in_bytes"))
        return "memory" in self._of and highest >= self._memory("memory.limit_in_bytes") - _MARGIN

    def _memory(self, name: str) -> int:
        return cgroupfs.number(self._of["memory"] / name) if "memory" in self._of else 0


class SubtreeV1(Subtree):
    """Cgroups below our own, whose limits still apply."""

    version = 1

    @classmethod
    def find(cls) -> "SubtreeV1":
        """Create a folder below each of our own cgroups. Raises `OSError` if there is no cgroup that we may use."""
        own = cgroupfs.own_cgroups(1)
        if not own:
            raise FileNotFoundError(errno.ENOENT, "not mounted")
        if "" in (unified := cgroupfs.own_cgroups(2)):
            own["pressure"] = unified[""]
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
    def _cgroup(cls, folders: Mapping[str, Path]) -> Cgroup:
        return CgroupV1(folders)

    @classmethod
    def _open(cls, folders: Sequence[Path]) -> Cgroup:
        # The files in a folder show which controller it has.
        return CgroupV1({"freezer" if (f / "freezer.state").exists() else str(f): f for f in folders})

    @classmethod
    def _set_limit(cls, controller: str, folder: Path, caps: Caps) -> None:
        match controller:
            case "memory":
                cgroupfs.write(folder / "memory.limit_in_bytes", str(caps.memory))
                try:
                    cgroupfs.write(folder / "memory.memsw.limit_in_bytes", str(caps.memory))  # memory and swap together
                except FileNotFoundError:
                    # The kernel does not count swap, so ask it to avoid swapping.
                    cgroupfs.write(folder / "memory.swappiness", "0")
            case "pids":
                cgroupfs.write(folder / "pids.max", str(caps.processes))

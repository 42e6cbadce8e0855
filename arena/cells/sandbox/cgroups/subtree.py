"""The place where a referee creates the cgroups of its bots: what both versions share."""

import contextlib
import errno
import itertools
import os
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.cgroups import cgroupfs
from bullring.arena.cells.sandbox.cgroups.cgroup import Cgroup, remove_cgroups
from bullring.errors import HostError


class Subtree(ABC):
    """The part of the cgroups in which one referee creates those of its bots. Must be closed with `close`."""

    version: ClassVar[int]

    def __init__(self, branches: Mapping[str, Path], missing: Mapping[str, str]) -> None:
        """`branches` are the folders to create cgroups in, by controller; `missing` tells why others are not available."""
        self._branches = dict(branches)
        self._all_branches = list(dict.fromkeys(branches.values()))
        self._missing = dict(missing)
        self._numbers = itertools.count(1)
        try:
            self._try_out()
        except BaseException:
            with contextlib.suppress(OSError, HostError):
                self.close()
            raise

    @property
    def controllers(self) -> frozenset[str]:
        """The available controllers, of `CONTROLLERS`."""
        return frozenset(self._branches)

    @property
    def missing(self) -> dict[str, str]:
        """The controllers that are not available, with the reasons."""
        return {name: why for name, why in self._missing.items() if name not in self._branches}

    def describe(self) -> str:
        """Describe it for people: "cgroup v2: memory, pids, cpu, freezer"."""
        return f"cgroup v{self.version}: {', '.join(name for name in cgroupfs.CONTROLLERS if name in self._branches)}"

    def make(self, caps: Caps) -> Cgroup:
        """Create a cgroup with these caps. Raises `HostError` if the kernel refuses."""
        try:
            return self._make(self._branches, caps)
        except OSError as error:
            raise HostError(f"no cgroup can be created: {cgroupfs.text(error)}") from error

    def close(self) -> None:
        """Remove all cgroups of this referee, with the processes in them. Raises `HostError` if that fails."""
        remove_cgroups(self.cgroups_in(self._all_branches))
        for branch in self._all_branches:
            self._drop_branch(branch)

    @classmethod
    def cgroups_in(cls, branches: Iterable[Path]) -> list[Cgroup]:
        """The existing cgroups in these folders of one referee."""
        numbers = sorted({cgroup.name for branch in branches for cgroup in cgroupfs.subgroups(branch)})
        found = []
        for number in numbers:
            folders = [branch / number for branch in branches if (branch / number).is_dir()]
            with contextlib.suppress(FileNotFoundError):
                if folders:  # somebody else may be removing it
                    found.append(cls._open(folders))
        return found

    @classmethod
    @abstractmethod
    def _open(cls, folders: Sequence[Path]) -> Cgroup:
        """Open an existing cgroup, in order to remove it."""

    @classmethod
    @abstractmethod
    def _cgroup(cls, folders: Mapping[str, Path]) -> Cgroup: ...

    @classmethod
    @abstractmethod
    def _set_limit(cls, controller: str, folder: Path, caps: Caps) -> None: ...

    def _drop_branch(self, branch: Path) -> None:
        try:
            cgroupfs.drop(branch)
        except OSError as error:
            raise HostError(f"the cgroup {branch} cannot be removed: {error.strerror}") from error

    def _make(self, branches: Mapping[str, Path], caps: Caps) -> Cgroup:
        number = str(next(self._numbers))
        folders = {controller: branch / number for controller, branch in branches.items()}
        made = []
        try:
            for folder in dict.fromkeys(folders.values()):
                cgroupfs.make(folder)
                made.append(folder)
            for controller, folder in folders.items():
                self._set_limit(controller, folder, caps)
            return self._cgroup(folders)
        except OSError:
            for folder in made:
                cgroupfs.drop(folder)
            raise

    def _try_out(self) -> None:
        """Test each controller with a limit and a process, and keep only those that work."""
        tried = []
        with _something_that_waits() as pid:
            for controller, branch in list(self._branches.items()):
                try:
                    cgroup = self._make({controller: branch}, Caps())
                    tried.append(cgroup)
                    cgroup.add(pid)
                    cgroup.freeze()
                    cgroup.thaw()
                    if controller == "pressure" and cgroup.account(min(os.sched_getaffinity(0))) is None:
                        raise OSError(errno.ENODATA, "cpu.pressure has no line full, which Linux has from 5.13 on")  # noqa: TRY301
                except (OSError, HostError) as error:
                    self._missing[controller] = cgroupfs.text(error)
                    del self._branches[controller]
            remove_cgroups(tried)


@contextlib.contextmanager
def _something_that_waits() -> Iterator[int]:
    """Start a process to test with; yields its process id."""
    program = ["/bin/sh", "-c", "read _"]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process.pid
        finally:
            process.kill()

"""A pretended control group file system of version 2, with the kernel's rules that matter, in a folder."""

import contextlib
import errno
import os
import shutil
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox.cgroups import cgroupfs

FILES = {
    "memory": ["memory.max", "memory.swap.max", "memory.current", "memory.events"],
    "pids": ["pids.max", "pids.events"],
    "cpu": ["cpu.max"],
}

THREADED = {"cpu", "pids"}
"""The controllers that a group with processes may hand down: it becomes a domain of threads then, and processes can be in no
group below it."""


class FakeCgroups:
    """Takes the place of the kernel below `root`, which is a group that others made."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch, controllers: str = "cpu io memory pids") -> None:
        self.root = root
        self.marked: set[Path] = set()
        root.mkdir()
        self._fill(root, controllers)
        monkeypatch.setattr(cgroupfs, "make", self.make)
        monkeypatch.setattr(cgroupfs, "drop", self.drop)
        monkeypatch.setattr(cgroupfs, "write", self.write)
        monkeypatch.setattr(os, "getxattr", self._getxattr)

    def tree(self) -> dict[str, str]:
        """Everything there is."""
        return {str(path.relative_to(self.root)): path.read_text() for path in self.root.rglob("*") if path.is_file()}

    def put(self, group: Path, *pids: int) -> None:
        """Processes that are in a group."""
        (group / "cgroup.procs").write_text("".join(f"{pid}\n" for pid in pids))

    def make(self, folder: Path) -> None:
        folder.mkdir()
        self._fill(folder, (folder.parent / "cgroup.subtree_control").read_text())

    def drop(self, folder: Path) -> None:
        if folder.exists():
            if cgroupfs.members(folder) or cgroupfs.subgroups(folder):
                raise OSError(errno.EBUSY, "Device or resource busy", str(folder))
            shutil.rmtree(folder)

    def write(self, path: Path, text: str) -> None:
        if not path.exists():
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))
        group = path.parent
        if path.name in ("cgroup.procs", "cgroup.subtree_control") and self._is_invalid(group):
            raise OSError(errno.EOPNOTSUPP, "Operation not supported", str(path))
        match path.name:
            case "cgroup.procs":
                if (group / "cgroup.type").exists() and (group / "cgroup.subtree_control").read_text():
                    raise OSError(errno.EBUSY, "Device or resource busy", str(path))
                for other in [self.root, *(p for p in self.root.rglob("*") if p.is_dir())]:
                    self.put(other, *(pid for pid in self._pids(other) if pid != int(text)))
                self.put(group, *self._pids(group), int(text))
            case "cgroup.subtree_control":
                if text[0] == "+" and text[1:] not in THREADED and self._is_full(group):
                    raise OSError(errno.EBUSY, "Device or resource busy", str(path))
                words = set(cgroupfs.words(path))
                words = words | {text[1:]} if text[0] == "+" else words - {text[1:]}
                path.write_text(" ".join(sorted(words)))
                for child in cgroupfs.subgroups(group):
                    self._fill(child, path.read_text())
            case "cgroup.kill":
                self.put(group)
            case _:
                path.write_text(text)

    def _pids(self, group: Path) -> list[int]:
        """With the zeros that stand for processes of other pid namespaces."""
        return [int(pid) for pid in cgroupfs.words(group / "cgroup.procs")]

    def _is_full(self, group: Path) -> bool:
        # The root of the hierarchy has no type.
        return (group / "cgroup.type").exists() and bool(self._pids(group))

    def _is_invalid(self, group: Path) -> bool:
        above = group.parent
        if group == self.root or not self._is_full(above):
            return False
        return bool(THREADED & {*cgroupfs.words(above / "cgroup.subtree_control")})

    def _fill(self, folder: Path, controllers: str) -> None:
        (folder / "cgroup.controllers").write_text(controllers)
        (folder / "cgroup.type").write_text("domain")
        names = [
            "cgroup.procs",
            "cgroup.subtree_control",
            "cgroup.freeze",
            "cgroup.kill",
            "cgroup.events",
            "cpu.pressure",
        ]
        names += ["cgroup.max.descendants", "cpu.stat", *(n for c in controllers.split() for n in FILES.get(c, []))]
        for name in names:
            with contextlib.suppress(FileExistsError):
                (folder / name).touch(exist_ok=False)
        (folder / "cpu.stat").write_text("usage_usec 0\nuser_usec 0\nsystem_usec 0\n")
        (folder / "cpu.pressure").write_text(
            "some avg10=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
        )

    def _getxattr(self, path: Path, attribute: str) -> bytes:
        if path in self.marked and attribute == "user.delegate":
            return b"1"
        raise OSError(errno.ENODATA, "No data available")

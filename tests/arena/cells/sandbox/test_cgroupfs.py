"""The places of cgroups, by what the kernel tells of its mounts and of us."""

import os
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox.cgroups import cgroupfs

HYBRID = """\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
"""
HYBRID_GROUPS = "4:memory:/user/one\n1:cpu,cpuacct:/\n9:name=systemd:/user\n0::/user\n"


def test_a_hybrid_machine() -> None:
    assert cgroupfs.folders_of(HYBRID_GROUPS, HYBRID) == {
        "memory": Path("/sys/fs/cgroup/memory/user/one"),
        "cpu": Path("/sys/fs/cgroup/cpu,cpuacct"),
        "": Path("/sys/fs/cgroup/unified/user"),
    }


def test_a_modern_machine() -> None:
    mounts = "25 22 0:22 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
    assert cgroupfs.folders_of("0::/a.scope\n", mounts) == {"": Path("/sys/fs/cgroup/a.scope")}


@pytest.mark.parametrize(
    ("root", "path", "folder"),
    [
        ("/docker/abc", "/docker/abc", "/m"),
        ("/docker/abc", "/docker/abc/x", "/m/x"),
        ("/docker/abc", "/elsewhere", None),
        ("/", "/../../outside", None),
    ],
)
def test_a_container_sees_a_part_only(root: str, path: str, folder: str | None) -> None:
    found = cgroupfs.Mount(Path("/m"), root, frozenset(), 2).group(path)
    assert found == (Path(folder) if folder else None)


def test_names_with_spaces() -> None:
    (mount,) = cgroupfs.mounts("1 2 0:3 / /my\\040groups rw - cgroup2 none rw\n")
    assert mount.folder == Path("/my groups")


def test_a_home_tells_whose_it_is(tmp_path: Path) -> None:
    branch = tmp_path / cgroupfs.branch_name()
    branch.mkdir()
    assert cgroupfs.is_branch(branch.name)
    assert not cgroupfs.is_orphaned(branch), "we live"
    assert not cgroupfs.is_branch("bullring-referees")
    namespace = Path("/proc/self/ns/pid").stat().st_ino
    for name, orphaned in [
        (f"bullring-{os.getpid()}-1-{namespace}-1", True),  # another process that had our number
        (f"bullring-{os.getpid()}-1-{namespace + 1}-1", False),  # another pid namespace: who knows
        ("mybull-1-1-1-1", False),
    ]:
        (tmp_path / "below" / name).mkdir(parents=True)
        assert cgroupfs.is_orphaned(tmp_path / "below" / name) is orphaned
    assert len(list(cgroupfs.branches_below(tmp_path))) == 3

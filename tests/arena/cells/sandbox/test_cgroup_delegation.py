"""Control groups of version 2 in a group that was given to us, or was not: who is moved, and that it is undone."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox import cgroups, identity
from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.cgroups import cgroupfs, v2
from bullring.arena.cells.sandbox.cgroups.v1 import SubtreeV1
from bullring.arena.cells.sandbox.cgroups.v2 import LEAF, SubtreeV2
from tests.support.fake_cgroups import FakeCgroups

ME = os.getpid()
SHELL = 4_200_001  # above all process ids
ALL = frozenset({"memory", "pids", "cpu", "freezer", "pressure"})


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeCgroups:
    return FakeCgroups(tmp_path / "our.scope", monkeypatch)


@dataclass(frozen=True)
class Place:
    """A cgroup in which Bullring is started."""

    processes: tuple[int, ...] = (ME,)
    controllers: str = "memory pids cpu"
    marked: bool = False
    """Whether systemd marked it as delegated."""
    is_root: bool = False
    """Whether it is the root of the hierarchy, which alone has no type."""
    is_top: bool = False
    """Whether it is the root of all that we see, as in a container."""
    found: frozenset[str] = ALL
    why: str = ""
    """The reason why the other controllers are missing."""
    moves: bool = True
    """Whether its processes are in the leaf meanwhile."""


WITHOUT = frozenset({"freezer", "pressure"})

PLACES = {
    "alone": Place(),
    "others are in it": Place((SHELL, ME), found=WITHOUT, why="not marked as delegated", moves=False),
    "marked": Place((SHELL, ME), marked=True),
    "others of another pid namespace": Place((0, ME), found=WITHOUT, why="not marked as delegated", moves=False),
    "marked, with others of another pid namespace": Place(
        (0, ME), marked=True, found=WITHOUT, why="processes stay in it"
    ),
    # Threads of the kernel are there, too, and cannot be moved.
    "the root of the hierarchy": Place((2, SHELL, ME), is_root=True, moves=False),
    "the root of all we see": Place((SHELL, ME), is_top=True),
    # The kernel does not ask for an empty group then.
    "only controllers of threads": Place(
        controllers="cpu pids", found=WITHOUT | {"cpu", "pids"}, why="not available in this"
    ),
    "not all handed down": Place(controllers="memory pids", found=ALL - {"cpu"}, why="not available in this cgroup"),
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_we_move_to_a_leaf_and_back_where_the_group_is_ours(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = FakeCgroups(tmp_path / "our.scope", monkeypatch, controllers=place.controllers)
    kernel.put(kernel.root, *place.processes)
    if place.marked:
        kernel.marked.add(kernel.root)
    if place.is_root:
        (kernel.root / "cgroup.type").unlink()
    if place.is_top:
        mount = cgroupfs.Mount(kernel.root, "/", frozenset(), 2)
        monkeypatch.setattr(cgroupfs, "mounts", lambda text=None: [mount])
    before = kernel.tree()
    found = SubtreeV2.below(kernel.root)
    assert found.controllers == place.found
    assert set(found.missing) == ALL - place.found
    assert all(place.why in why for why in found.missing.values())
    assert found.describe().startswith("cgroup v2: ")
    ours = [pid for pid in place.processes if pid]
    here, elsewhere = (kernel.root / LEAF, kernel.root) if place.moves else (kernel.root, kernel.root / LEAF)
    assert sorted(cgroupfs.members(here)) == sorted(ours)
    assert cgroupfs.members(elsewhere) == []
    assert found.make(Caps()).try_remove()
    found.close()
    if not place.is_root:
        assert kernel.tree() == before
    assert sorted(cgroupfs.members(kernel.root)) == sorted(ours)


def test_a_group_has_its_limits(kernel: FakeCgroups) -> None:
    kernel.put(kernel.root, ME)
    found = SubtreeV2.below(kernel.root)
    group = found.make(Caps(memory=1 << 25, processes=7))
    (folder,) = group.folders
    limits = {name: (folder / name).read_text() for name in ("memory.max", "memory.swap.max", "pids.max")}
    assert limits == {"memory.max": "33554432", "memory.swap.max": "0", "pids.max": "7"}
    assert group.join_paths == [folder / "cgroup.procs"]
    group.add(SHELL)
    assert group.pids() == [SHELL]
    (folder / "memory.events").write_text("low 0\nhigh 0\nmax 9\noom 1\noom_kill 2\noom_group_kill 0\n")
    assert (group.oom_kills(), group.host_oom_kills()) == (2, 0)
    (folder / "memory.events").write_text("low 0\nhigh 0\nmax 9\noom 0\noom_kill 2\noom_group_kill 0\n")
    assert (group.oom_kills(), group.host_oom_kills()) == (0, 2), "its own limit was never hit"
    assert group.try_remove()
    assert not folder.exists()
    found.close()


def test_closing_ends_what_is_still_there(kernel: FakeCgroups) -> None:
    kernel.put(kernel.root, ME)
    before = kernel.tree()
    found = SubtreeV2.below(kernel.root)
    found.make(Caps()).add(SHELL)
    found.close()
    assert kernel.tree() == before


def test_a_process_that_comes_in_between_is_moved_too(kernel: FakeCgroups, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel.put(kernel.root, ME)
    kernel.marked.add(kernel.root)
    comers = [SHELL, SHELL + 1]
    write = cgroupfs.write

    def late(path: Path, text: str) -> None:
        if text == "+pids" and path.parent == kernel.root and comers:
            kernel.put(kernel.root, comers.pop())
        write(path, text)

    monkeypatch.setattr(cgroupfs, "write", late)
    found = SubtreeV2.below(kernel.root)
    assert found.controllers == ALL
    assert sorted(cgroupfs.members(kernel.root / LEAF)) == sorted([ME, SHELL, SHELL + 1])
    found.close()


SYSTEMCTL = """\
#!/bin/sh
echo "$*" > {folder}/asked
echo Delegate={delegate}
echo ControlGroup={group}
"""


@pytest.mark.parametrize(
    ("delegate", "group", "given"),
    [("yes", "/our.scope", True), ("no", "/our.scope", False), ("yes", "/other/our.scope", False), ("yes", "", False)],
)
def test_systemd_is_asked_whether_an_unmarked_group_is_given_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, delegate: str, group: str, given: bool
) -> None:
    manager = tmp_path / "user@7.service"
    manager.mkdir()
    kernel = FakeCgroups(manager / "our.scope", monkeypatch)
    kernel.put(kernel.root, SHELL, ME)
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(SYSTEMCTL.format(folder=tmp_path, delegate=delegate, group=group))
    systemctl.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    found = SubtreeV2.below(kernel.root)
    assert found.controllers == (ALL if given else {"freezer", "pressure"})
    asked = (tmp_path / "asked").read_text()
    assert asked == "--user show --property=Delegate,ControlGroup -- our.scope\n"
    found.close()
    assert cgroupfs.members(kernel.root) == [SHELL, ME]


@pytest.mark.parametrize(("above", "given"), [(0, True), (7, False)])
def test_a_group_that_root_made_ours_is_given_to_us(
    kernel: FakeCgroups, monkeypatch: pytest.MonkeyPatch, above: int, given: bool
) -> None:
    kernel.put(kernel.root, SHELL, ME)
    monkeypatch.setattr(os, "geteuid", lambda: 7)
    monkeypatch.setattr(v2, "_owner", lambda group: 7 if group == kernel.root else above)
    found = SubtreeV2.below(kernel.root)
    assert found.controllers == (ALL if given else {"freezer", "pressure"})
    found.close()


def test_the_last_referee_of_several_moves_all_back(kernel: FakeCgroups, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel.put(kernel.root, ME)
    before = kernel.tree()
    first = SubtreeV2.below(kernel.root)
    # The second one was started by the first, so it finds itself in the leaf.
    monkeypatch.setattr(cgroupfs, "own_cgroups", lambda version: {"": kernel.root / LEAF})
    second = SubtreeV2.find()
    assert second.controllers == ALL
    first.close()
    assert cgroupfs.members(kernel.root / LEAF) == [ME]
    second.close()
    assert kernel.tree() == before


def test_groups_of_others_stay_as_they_are(kernel: FakeCgroups) -> None:
    kernel.put(kernel.root, ME)
    found = SubtreeV2.below(kernel.root)
    theirs = kernel.root / "theirs"
    kernel.make(theirs)
    kernel.put(theirs, SHELL)
    found.close()
    assert [folder.name for folder in cgroupfs.subgroups(kernel.root)] == [LEAF, "theirs"]
    assert "memory" in (theirs / "cgroup.controllers").read_text(), "they may count on it by now"


def test_leftovers_of_a_dead_referee_are_swept(kernel: FakeCgroups, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel.put(kernel.root, ME)
    before = kernel.tree()
    found = SubtreeV2.below(kernel.root)
    found.make(Caps()).add(SHELL)
    found.make(Caps())
    mount = cgroupfs.Mount(kernel.root, "/", frozenset(), 2)
    monkeypatch.setattr(cgroupfs, "mounts", lambda text=None: [mount])
    assert cgroups.sweep() == 0, "its referee lives"
    monkeypatch.setattr(identity, "alive", lambda name: False)
    assert cgroups.sweep() == 2
    assert kernel.tree() == before
    assert cgroups.sweep() == 0


def test_of_both_versions_the_one_that_gives_more_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []

    class Found:
        def __init__(self, version: int, *controllers: str) -> None:
            self.version = version
            self.controllers = frozenset(controllers)
            self.missing: dict[str, str] = {}

        def close(self) -> None:
            closed.append(self.version)

    little, much = Found(2, "freezer"), Found(1, "memory", "freezer")
    monkeypatch.setattr(SubtreeV2, "find", lambda: little)
    monkeypatch.setattr(SubtreeV1, "find", lambda: much)
    chosen: object = cgroups.find()
    assert chosen is much
    assert closed == [2]


def test_a_machine_without_any_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing() -> SubtreeV2:
        raise PermissionError(13, "Permission denied", "/sys/fs/cgroup/user.slice")

    monkeypatch.setattr(SubtreeV1, "find", nothing)
    monkeypatch.setattr(SubtreeV2, "find", nothing)
    found = cgroups.find()
    assert isinstance(found, cgroups.NoCgroups)
    assert "cgroup v2: /sys/fs/cgroup/user.slice: Permission denied" in found.reason
    assert cgroups.remedy()
    assert "psi=1" in cgroups.remedy(["pressure"])
    assert not cgroups.remedy([])


def test_what_somebody_else_removes_meanwhile_is_not_there(
    kernel: FakeCgroups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroupfs, "subgroups", lambda folder: [folder / "7"])
    assert SubtreeV2.cgroups_in([kernel.root]) == []

"""A scope from systemd: when it is asked for, and that a bus which refuses, lies or hangs costs nothing but its limit."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox import cgroups
from bullring.arena.cells.sandbox.cgroups import cgroupfs, scope
from bullring.arena.cells.sandbox.cgroups.v1 import SubtreeV1
from tests.support.fake_cgroups import FakeCgroups

ME = os.getpid()

MOVES = 'for word; do case "$word" in bullring-*.scope) echo "$word" > {folder}/moved;; esac; done'


@dataclass
class Session:
    """A login session on a machine with systemd, whose bus is a script."""

    folder: Path
    kernel: FakeCgroups

    @property
    def old(self) -> Path:
        """The cgroup we are in at first, which belongs to root."""
        return self.kernel.root / "session-3.scope"

    def own(self, version: int) -> dict[str, Path]:
        """As the kernel tells it, of one version only."""
        moved = self.folder / "moved"
        if version == 2 and moved.exists():
            new = self.kernel.root / moved.read_text().strip()
            if not new.exists():
                self.kernel.make(new)
                self.kernel.put(new, ME)
                self.kernel.put(self.old)
            return {"": next((group for group in (new / "bullring-referees",) if cgroupfs.members(group)), new)}
        return {"": self.old} if version == 2 else {}

    def answer(self, script: str) -> None:
        """What the bus does when it is called."""
        busctl = self.folder / "bin" / "busctl"
        busctl.write_text(f'#!/bin/sh\necho "$@" > {self.folder}/asked\n{script.format(folder=self.folder)}\n')
        busctl.chmod(0o755)

    @property
    def asked(self) -> str:
        """What the bus was asked."""
        asked = self.folder / "asked"
        return asked.read_text() if asked.exists() else ""


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    kernel = FakeCgroups(tmp_path / "user.slice", monkeypatch)
    kernel.write(kernel.root / "cgroup.subtree_control", "+pids")
    kernel.write(kernel.root / "cgroup.subtree_control", "+memory")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bus").touch()
    session = Session(tmp_path, kernel)
    kernel.make(session.old)
    kernel.put(session.old, ME)
    make = cgroupfs.make

    def ours_alone(folder: Path) -> None:
        if folder.parent == session.old:
            raise PermissionError(13, "Permission denied", str(folder))
        make(folder)

    monkeypatch.setattr(cgroupfs, "make", ours_alone)
    monkeypatch.setattr(cgroupfs, "own_cgroups", session.own)
    monkeypatch.setattr(scope, "bus", lambda: tmp_path / "bus")
    monkeypatch.setattr(scope, "systemd_knows_our_pid", lambda: True)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    return session


def test_what_a_session_lacks_a_scope_has(session: Session) -> None:
    session.answer(MOVES)
    found = cgroups.find()
    assert isinstance(found, cgroups.Subtree)
    assert found.controllers == {"memory", "pids", "freezer", "pressure"}
    name = (session.folder / "moved").read_text().strip()
    assert session.asked.startswith(f"--address=unix:path={session.folder}/bus call org.freedesktop.systemd1 ")
    assert f"StartTransientUnit ssa(sv)a(sa(sv)) {name} fail 4 PIDs au 1 {ME} Delegate b true" in session.asked

    # A referee that we start finds its place there, and nobody asks twice, although a controller is missing.
    (session.folder / "asked").unlink()
    second = cgroups.find()
    assert isinstance(second, cgroups.Subtree)
    assert second.controllers == found.controllers
    found.close()
    second.close()
    third = cgroups.find()
    assert isinstance(third, cgroups.Subtree)
    third.close()
    assert not session.asked
    assert cgroupfs.subgroups(session.kernel.root / name) == []


@pytest.mark.parametrize(
    "script",
    ["exit 1", "exec sleep 60", "exit 0", "echo Access denied; echo Access denied >&2; exit 1"],
    ids=["refuses", "hangs", "does not move us", "complains"],
)
def test_a_bus_that_is_no_help_is_not_mentioned(
    session: Session, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], script: str
) -> None:
    monkeypatch.setattr(scope, "LIMIT", 0.2)
    session.answer(script)
    found = cgroups.find()
    assert isinstance(found, cgroups.NoCgroups)
    assert found.reason.startswith(f"cgroup v2: {session.old}/")
    assert found.reason.endswith(": Permission denied; cgroup v1: not mounted")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("why", ["service", "memory", "pids", "bus", "complete"])
def test_systemd_is_not_asked(session: Session, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    session.answer(MOVES)
    match why:
        case "service":
            monkeypatch.setattr(cgroupfs, "own_cgroups", lambda version: {"": session.old.with_suffix(".service")})
        case "memory":
            (session.old / "memory.max").write_text("1073741824\n")
        case "pids":
            monkeypatch.setattr(scope, "systemd_knows_our_pid", lambda: False)
        case "bus":
            (session.folder / "bus").unlink()
        case _:
            complete = SubtreeV1.__new__(SubtreeV1)
            complete._branches = dict.fromkeys(cgroupfs.CONTROLLERS, session.folder)
            complete._missing = {}
            monkeypatch.setattr(SubtreeV1, "find", lambda: complete)
    cgroups.find()
    assert not session.asked


def test_no_process_stays_behind_in_vain(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def children() -> str:
        return Path(f"/proc/self/task/{ME}/children").read_text()

    before = children()
    session.answer("exit 1")
    assert not scope.enter()
    assert children() == before
    session.answer(MOVES)
    assert scope.enter()
    assert len(children().split()) == len(before.split()) + 1, "it keeps the session open"

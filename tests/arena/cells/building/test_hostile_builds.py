"""Builds that do harm, in real cells. Each bounds itself, so that a cell that fails to hold it fails a test, not the machine."""

import os
import secrets
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from bullring.arena.cells.building import cell
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.sandbox.identity import me
from bullring.arena.cells.sandbox.temporary import OWNER, PREFIX
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.errors import BuildFailure
from tests.arena.cells.building.yard import LIMITS, Yard
from tests.support.tiers import in_each

MAKE = "open('made', 'w').write('#!/bin/sh'); import os; os.chmod('made', 0o755)\n"
"""The least that a build has to do."""


pytestmark = in_each(*TIERS, slow=[name for name in TIERS if name != "bwrap"])


@pytest.fixture
def yard(tier: str, tmp_path: Path) -> Yard:
    return Yard(tmp_path, tier)


def fails(yard: Yard, program: str, says: str, limits: BuildLimits = LIMITS) -> BuildFailure:
    """Build, and be refused. Nothing but the log is left."""
    with pytest.raises(BuildFailure, match=says) as caught:
        yard.build(program, limits)
    assert yard.left() <= {"log", "whose.json"}
    owners = Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{OWNER}")
    assert me() not in [owner.read_text() for owner in owners]
    return caught.value


def test_endless_output(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell, "OUTPUT", 1 * MIB)
    failure = fails(yard, "for _ in range(100_000): print('x' * 1000)", "printed more than 1 MiB")
    assert len(failure.log) < 10_000


def test_control_sequences(yard: Yard) -> None:
    failure = fails(yard, "import sys; print('\\033[2Jcleared\\007'); sys.exit('\\x9b31m')", "exited with status 1")
    assert "\\x1b[2Jcleared\\x07" in failure.log
    kept = Path(failure.log_path).read_text()
    assert not {char for char in kept if not char.isprintable()} - {"\n"}


def test_no_end(yard: Yard) -> None:
    fails(yard, "import time; time.sleep(600)", r"took longer than 0\.5 s", replace(LIMITS, time=0.5))


def test_a_full_disk(yard: Yard) -> None:
    program = "for n in range(64): open(str(n), 'wb').write(bytes(1 << 20))"
    fails(
        yard,
        program + "\nimport time; time.sleep(60)",
        r"wrote more than 4 MiB|exited with status 1",
        replace(LIMITS, disk=4 * MIB),
    )


def test_sparse_files(yard: Yard) -> None:
    fails(
        yard,
        "open('big', 'wb').truncate(1 << 40)",
        "exited with status|killed by SIG",
        replace(LIMITS, disk=4 * MIB),
    )
    program = "for n in range(8): open(str(n), 'wb').truncate(3 << 20)\n"
    fails(yard, MAKE + program, "larger than 4 MiB", replace(LIMITS, disk=4 * MIB))


def test_many_files(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell, "MOST_FILES", 100)
    fails(yard, MAKE + "for n in range(200): open(str(n), 'w')", "more than 100 files")


def test_a_fork_bomb(yard: Yard) -> None:
    if yard.tier != "bwrap" and os.geteuid() != 0:
        pytest.skip("here only a cgroup bounds processes, and not every user has one")
    program = """
import os, time
started = 0
try:
    for _ in range(500):
        if os.fork() == 0:
            time.sleep(600)
        started += 1
except OSError:
    pass
open("made", "w").write(f"#!{started}")
os.chmod("made", 0o755)
"""
    bot = yard.build(program, replace(LIMITS, processes=50))
    assert int((bot.program.folder / "made").read_text()[2:]) < 50


def test_a_daemon_is_ended(yard: Yard) -> None:
    token = secrets.token_hex(16)
    program = f"""
import os, subprocess, sys
daemon = "import os, time; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); time.sleep(600)"
subprocess.run([sys.executable, "-c", daemon, "{token}"])
"""
    yard.build(program + MAKE)
    assert not [pid for pid in running() if token in pid]


def running() -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_text("utf-8", "replace"))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("target", ["/etc/passwd", "../../..", "."])
def test_a_link_outward(yard: Yard, target: str) -> None:
    if target == ".":
        yard.build(MAKE + "os.symlink('.', 'out')")  # that is inside
        return
    fails(yard, MAKE + f"os.symlink({target!r}, 'out')", "is a link that leads out")


def test_strange_names(yard: Yard) -> None:
    bot = yard.build(MAKE + "open('a\\nb\\033[2J', 'w'); open(b'\\xff', 'w'); os.mkfifo('fifo')")
    assert {path.name for path in bot.program.folder.iterdir()} >= {"a\nb\033[2J", "\udcff"}
    assert not (bot.program.folder / "fifo").exists()


def test_closed_folders_and_files(yard: Yard) -> None:
    bot = yard.build(
        MAKE + "os.mkdir('shut'); open('shut/in', 'w').write('x'); os.chmod('shut/in', 0); os.chmod('shut', 0)"
    )
    assert (bot.program.folder / "shut/in").read_text() == "x"


def test_a_stream_of_its_own(yard: Yard) -> None:
    """It can send nothing that it could not have built."""
    program = """
import os, struct
os.chmod(".", 0o700)
out = os.open(f"/proc/{os.getppid()}/fd/1", os.O_WRONLY)
path = b"../../../escaped"
os.write(out, b"s" + struct.pack(">i", 0) + b"f" + struct.pack(">H", len(path)) + path + struct.pack(">Q", 1) + b"x")
os.kill(os.getppid(), 9)
"""
    fails(yard, program, "before the folder that it is in|exited with status 1|ended before its result")
    assert not [*yard.builds.parent.rglob("escaped")]


def test_it_ends_what_runs_it(yard: Yard) -> None:
    fails(yard, "import os; os.kill(os.getppid(), 9)", "ended before its result had come|was killed|exited with status")


def test_too_much_memory(yard: Yard) -> None:
    program = "x = bytearray(200 << 20)\nfor at in range(0, len(x), 4096): x[at] = 1\nimport time; time.sleep(5)\n"
    fails(
        yard,
        program,
        "need(s|ed) more memory than 16 MiB|exited with status 1",
        replace(LIMITS, memory=16 * MIB, disk=16 * MIB),
    )


def test_other_builds_and_other_bots(yard: Yard, tmp_path: Path) -> None:
    """Neither its own snapshot, nor other builds, nor a rival's files can be written, and the others not even be read."""
    if not TIERS[yard.tier].confines:
        pytest.skip("nothing confines bots here")
    rival = tmp_path / "rival"
    rival.mkdir()
    (rival / "secret").write_text("cards")
    other = yard.builds / "0123"
    other.mkdir(parents=True)
    (other / "built.json").write_text("{}")
    program = f"""
import os, sys
open("said", "w").write("")
def tries(what, path, mode):
    try:
        with open(path, mode) as file:
            mode == "r" and file.read()
    except OSError:
        return
    print(what, path)
    sys.exit(9)
tries("read", {str(rival / "secret")!r}, "r")
tries("wrote", {str(rival / "new")!r}, "w")
tries("wrote", {str(other / "built.json")!r}, "w")
tries("wrote", {str(yard.builds / "new")!r}, "w")
tries("wrote", "/bot/new", "w")
tries("wrote", "/usr/new", "w")
for here, _, names in os.walk({str(yard.builds)!r}):
    tries("wrote", os.path.join(here, "new"), "w")
"""
    yard.build(program + MAKE)
    assert sorted(path.name for path in yard.builds.iterdir() if path.name != "0123" and len(path.name) != 32) == []

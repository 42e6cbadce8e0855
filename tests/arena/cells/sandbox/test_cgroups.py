"""Control groups for real, as far as this machine has them."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.sandbox import cgroups
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.cgroups import Cgroup, Subtree, cgroupfs
from bullring.arena.cells.sandbox.cgroups.v1 import SubtreeV1
from bullring.arena.cells.sandbox.cgroups.v2 import SubtreeV2
from bullring.errors import HostError
from tests.support.patience import PATIENCE

JOIN = 'program=$1; shift; for file do echo 0 > "$file"; done; exec "$PYTHON" -S -c "$program"'
"""Writes "0" to each file, and becomes the program."""

SPIN = "print('here', flush=True)\nwhile True: pass"


@pytest.fixture(params=[SubtreeV1, SubtreeV2], ids=["v1", "v2"])
def found(request: pytest.FixtureRequest) -> Iterator[Subtree]:
    try:
        cgroups = request.param.find()
    except OSError as error:
        pytest.skip(f"no cgroups: {error}")
    yield cgroups
    cgroups.close()


def make(found: Subtree, caps: Caps, *needed: str) -> Cgroup:
    if not found.controllers.issuperset(needed):
        pytest.skip(f"only {found.describe()}")
    return found.make(caps)


def start(group: Cgroup, program: str) -> "subprocess.Popen[str]":
    paths = map(str, group.join_paths)
    return subprocess.Popen(
        ["/bin/sh", "-c", JOIN, "sh", program, *paths],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHON": sys.executable},
    )


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def until(condition: Callable[[], bool], limit: float = PATIENCE) -> None:
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, "never came"
        time.sleep(0.001)


def end(group: Cgroup, *processes: "subprocess.Popen[str]") -> None:
    trio.run(group.remove)
    assert not any(folder.exists() for folder in group.folders)
    for process in processes:
        process.wait(PATIENCE)
        assert process.stdout is not None
        process.stdout.close()


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_a_group_counts_what_is_in_it(found: Subtree) -> None:
    group = make(found, Caps(), "freezer")
    assert group.pids() == []
    process = start(group, "import signal\nprint('here', flush=True)\nsignal.pause()")
    assert said(process) == "here"
    assert group.pids() == [process.pid]
    assert (group.oom_kills(), group.host_oom_kills()) == (0, 0)
    end(group, process)
    assert process.returncode == -signal.SIGKILL
    assert group.pids() == []
    group.kill()
    trio.run(group.remove)


def test_a_process_can_be_moved_in(found: Subtree) -> None:
    group = make(found, Caps())
    process = subprocess.Popen(["/bin/sh", "-c", "read _"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    group.add(process.pid)
    assert group.pids() == [process.pid]
    end(group, process)
    assert process.stdin is not None
    process.stdin.close()
    group = found.make(Caps())
    group.add(process.pid)  # it is gone, which is no fault of the machine
    assert group.pids() == []
    end(group)


def test_a_child_is_killed_for_memory_and_its_parent_lives(found: Subtree) -> None:
    group = make(found, Caps(memory=32 * MIB), "memory")
    process = start(
        group,
        "import os, signal\npid = os.fork()\nif not pid:\n    hoard = bytearray(64 << 20)\n    os._exit(0)\n"
        "print(os.waitpid(pid, 0)[1], flush=True)\nsignal.pause()",
    )
    assert said(process) == str(int(signal.SIGKILL))
    assert process.poll() is None
    assert group.oom_kills() >= 1
    assert group.host_oom_kills() == 0
    end(group, process)


def test_memory_that_is_no_heap_counts_too(found: Subtree) -> None:
    group = make(found, Caps(memory=32 * MIB), "memory")
    process = start(group, "import os\nfile = os.memfd_create('x')\nfor _ in range(64): os.write(file, bytes(1 << 20))")
    assert process.wait(PATIENCE) == -signal.SIGKILL
    assert group.oom_kills() >= 1
    end(group, process)


def test_forks_beyond_the_limit_are_refused(found: Subtree) -> None:
    group = make(found, Caps(processes=8), "pids")
    process = start(
        group,
        "import os, signal\nmade = 0\ntry:\n    for _ in range(30):\n        if not os.fork(): signal.pause()\n"
        "        made += 1\nexcept BlockingIOError:\n    print(made, flush=True)\nsignal.pause()",
    )
    assert said(process) == "7"
    assert len(group.pids()) == 8
    end(group, process)


def test_what_is_frozen_gets_no_time(found: Subtree) -> None:
    group = make(found, Caps(), "freezer")
    assert group.freezes
    process = start(group, SPIN)
    assert said(process) == "here"
    group.freeze()
    until(group.frozen)
    before = cpu_ticks(process.pid)
    ours = time.process_time()
    while time.process_time() < ours + 0.1:
        pass
    assert cpu_ticks(process.pid) == before
    group.thaw()
    until(lambda: cpu_ticks(process.pid) > before)
    assert not group.frozen()
    end(group, process)


@pytest.mark.parametrize("file_for_killing", [True, False], ids=["this kernel", "an older kernel"])
def test_what_is_frozen_can_be_killed(found: Subtree, file_for_killing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    write = cgroupfs.write

    def old(path: Path, text: str) -> None:
        if path.name == "cgroup.kill":
            raise FileNotFoundError(path)
        write(path, text)

    if not file_for_killing:
        monkeypatch.setattr(cgroupfs, "write", old)
    group = make(found, Caps(), "freezer")
    process = start(group, SPIN)
    assert said(process) == "here"
    group.freeze()
    group.kill()
    assert process.wait(PATIENCE) == -signal.SIGKILL
    end(group, process)


BOMB = """
import os, time
print("here", flush=True)
until = time.monotonic() + 20
while time.monotonic() < until:
    try:
        if os.fork() == 0:
            os.setsid()
    except OSError:
        pass
"""


def test_a_fork_bomb_is_killed_whole(found: Subtree) -> None:
    group = make(found, Caps(processes=40), "freezer", "pids")
    process = start(group, BOMB)
    until(lambda: len(group.pids()) == 40)
    end(group, process)
    assert group.pids() == []


LONG_LIVED = """
import subprocess, sys
from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.cgroups.v1 import SubtreeV1
from bullring.arena.cells.sandbox.cgroups.v2 import SubtreeV2
group = {kind}.find().make(Caps())
bot = subprocess.Popen(["sleep", "60"], start_new_session=True)  # would outlive its referee
group.add(bot.pid)
print(bot.pid, *group.folders, flush=True)
input()
"""


def test_what_a_killed_referee_left_is_swept(found: Subtree) -> None:
    ours = found.make(Caps())
    program = LONG_LIVED.format(kind=type(found).__name__)
    referee = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert referee.stdin is not None
    assert referee.stdout is not None
    pid, *folders = referee.stdout.readline().split()
    bot = os.pidfd_open(int(pid))
    referee.kill()
    referee.wait(PATIENCE)
    cgroups.sweep()
    # A sandbox that is opened elsewhere at this moment sweeps as well, and may have some of them in hand.
    until(lambda: not any(Path(folder).exists() or Path(folder).parent.exists() for folder in folders))
    assert select.select([bot], [], [], PATIENCE)[0], "the bot is gone"
    os.close(bot)
    assert all(folder.exists() for folder in ours.folders), "and the groups of the living stay"
    for pipe in (referee.stdin, referee.stdout):
        pipe.close()
    end(ours)


def test_a_group_that_cannot_be_made_is_the_machines_fault(found: Subtree) -> None:
    if found.controllers <= {"freezer", "pressure"}:
        pytest.skip("there are no limits that could be refused")
    group = found.make(Caps())
    with pytest.raises(HostError, match="no cgroup can be created"):
        found.make(Caps(memory=-5, processes=-5))
    assert all(cgroupfs.subgroups(folder.parent) == [folder] for folder in group.folders), "and nothing is left of it"
    end(group)


def test_this_machine_is_told_of() -> None:
    what = cgroups.find()
    if isinstance(what, cgroups.NoCgroups):
        assert what.reason
        pytest.skip(f"no cgroups: {what.reason}; {cgroups.remedy()}")
    assert what.describe().startswith(f"cgroup v{what.version}: ")
    what.close()

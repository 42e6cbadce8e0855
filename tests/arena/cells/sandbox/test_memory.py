"""Memory that no cgroup counts."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox import cgroups
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.cell import Breach
from bullring.arena.cells.sandbox.local import memory, tree
from bullring.arena.cells.sandbox.local.process import LocalCell
from bullring.arena.cells.sandbox.tiers import TIERS
from tests.arena.cells.sandbox.stage import Stage, hear, staged
from tests.support.tiers import LOCAL

FORKS = """
import os, sys
def fork(count, life=lambda: None):
    for _ in range(count):
        if not os.fork():
            data = life()
            print("here", flush=True)
            os.read(0, 1)
            os._exit(0)
"""


@contextmanager
def running(program: str, *words: str, here: int = 1) -> Iterator[int]:
    """A program that says "here" so many times, and waits until its input ends."""
    command = [sys.executable, "-I", "-S", "-c", FORKS + program, *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(here):
            assert process.stdout.readline() == b"here\n"
        yield process.pid
        process.communicate()


def held(pid: int, limit: int = 0) -> int:
    """What a process and its descendants hold, in MiB."""
    return memory.held(limit, partial(tree.descendants, [pid])) >> 20


@pytest.mark.parametrize("kind", ["MAP_PRIVATE", "MAP_SHARED"])
def test_what_forks_share_counts_once(kind: str) -> None:
    program = f"""
import mmap
area = mmap.mmap(-1, 40 << 20, mmap.{kind} | mmap.MAP_ANONYMOUS)
area[:] = bytes(40 << 20)
fork(12)
fork(1)
os.wait()
"""
    with running(program, here=13) as pid:
        assert 40 <= held(pid) < 40 + 13 * 3


def test_what_each_has_for_itself_counts_for_each() -> None:
    with running("fork(4, lambda: bytes(b'x') * (20 << 20))\nos.wait()", here=4) as pid:
        assert 80 <= held(pid) < 100


def test_a_first_thread_that_ends_hides_nothing() -> None:
    """Of its number the kernel then tells neither memory nor files."""
    program = """
import _thread, ctypes, socket
data = b"x" * (40 << 20)
pairs = [socket.socketpair() for _ in range(10)]
def last():
    while open(f"/proc/{os.getpid()}/stat").read().rpartition(")")[2].split()[0] != "Z":
        pass
    print("here", flush=True)
    os.read(0, 1)
    os._exit(0)
_thread.start_new_thread(last, ())
ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
"""
    with running(program) as pid:
        assert held(pid) >= 40
        assert memory.buffers([pid], 1 << 40, 64) >= 20 * 212_992


def test_tables_of_pages_count_where_nothing_else_is_mapped() -> None:
    """A page that is only read is the same for all; the table that leads to it is not."""
    program = """
import mmap
area = mmap.mmap(-1, 16 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
area.madvise(15)
for at in range(0, 16 << 30, 2 << 20):
    area[at]
print("here", flush=True)
os.read(0, 1)
"""
    with running(program) as pid:
        assert held(pid, 1 << 40) >= 32


def test_a_child_that_has_not_become_its_program_yet_does_not_count_twice(tmp_path: Path) -> None:
    """Such as of `posix_spawn`, which shares the memory of its parent; here until somebody writes into a pipe."""
    os.mkfifo(pipe := tmp_path / "pipe")
    program = """
data = b"x" * (40 << 20)
print("here", flush=True)
os.posix_spawn("/bin/cat", ["cat"], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 0, sys.argv[1], os.O_RDONLY, 0)])
os.wait()
"""
    with running(program, str(pipe)) as pid:
        while len(tree.descendants([pid])) < 2:
            pass
        try:
            assert 40 <= held(pid) < 60
        finally:
            os.close(os.open(pipe, os.O_WRONLY))


def test_what_is_hidden_counts_in_full() -> None:
    if os.geteuid() == 0:
        pytest.skip("nothing can be hidden from root")
    program = """
import ctypes
data = b"x" * (40 << 20)
fork(2, lambda: ctypes.CDLL(None).prctl(4, 0, 0, 0, 0))
os.wait()
"""
    with running(program, here=2) as pid:
        assert held(pid) >= 100


def test_where_a_kernel_does_not_tell_how_many_files_are_hidden_the_slots_for_them_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listed = os.listdir

    def hides(path: str) -> list[str]:
        if path.endswith("/fd"):
            raise PermissionError(path)
        return listed(path)

    status = Path("/proc/self/status").read_text("ascii")
    slots = int(re.findall(r"^FDSize:\s+(\d+)$", status, re.MULTILINE)[0])
    with monkeypatch.context() as patch:
        patch.setattr("os.listdir", hides)
        patch.setattr("os.stat", lambda path: os.stat_result([0] * 10))
        a_socket = memory.buffers([os.getpid()], 1 << 40, 1)
        most = memory.buffers([os.getpid()], 1 << 40, 1 << 20)
    assert most == slots * a_socket > 0


def test_processes_that_come_and_go_meanwhile_hide_nothing() -> None:
    """The share of a page that falls to a process which has gone is in no count."""
    with running("data = b'x' * (40 << 20)\nfork(3)\nos.wait()", here=3) as pid:
        found = tree.descendants([pid])
        changing = iter(range(1000, 2000))
        assert memory.held(0, lambda: {pid, next(changing) << 22}) >= 40 << 20
        assert held(pid) < 2 * 40
        assert memory.held(0, lambda: {*found, next(changing) << 22}) >= 4 * 40 << 20


def test_buffers_are_counted_as_memory_that_they_may_hold() -> None:
    program = """
import socket
pairs = [socket.socketpair() for _ in range(10)]
print("here", flush=True)
os.read(0, 1)
"""
    with running(program) as pid:
        sockets = 20 * 212_992
        assert sockets <= memory.buffers([pid], 1 << 40, 64) <= 8 * sockets
    assert memory.buffers([pid], 1 << 40, 64) == 0


def test_a_flood_of_open_files_is_not_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOST_LOOKED_AT", 100)
    program = """
files = [os.open("/dev/null", os.O_RDONLY) for _ in range(100)]
fork(4)
os.wait()
"""
    with running(program, here=4) as pid:
        assert memory.buffers(tree.descendants([pid]), 1 << 40, 256) >= 3 * 100 * 212_992


@pytest.fixture
def no_cgroups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "find", lambda: cgroups.NoCgroups("as on most desktops"))


@pytest.mark.usefixtures("no_cgroups")
@staged(*(name for name in LOCAL if TIERS[name].confines))
async def test_there_are_no_files_whose_memory_nobody_would_count(stage: Stage) -> None:
    program = """
        import errno, os
        try:
            os.memfd_create("hidden")
        except OSError as error:
            print(errno.errorcode[error.errno])
    """
    assert await stage.output(program) == "ENOSYS\n"


@pytest.fixture
def _cgroups(counted: bool, request: pytest.FixtureRequest) -> None:
    if not counted:
        request.getfixturevalue("no_cgroups")


@pytest.mark.usefixtures("_cgroups")
@pytest.mark.parametrize("counted", [True, False])
@staged(*TIERS)
async def test_forks_that_share_memory_stay_and_one_that_takes_too_much_goes(stage: Stage) -> None:
    """Whatever counts it."""
    program = """
        import os, signal
        data = bytearray(b"x") * (40 << 20)
        for number in range(12):
            if not os.fork():
                print("here", flush=True)
                signal.pause()
        os.read(0, 1)
        own = b"x" * (300 << 20)
        os.read(0, 1)
    """
    async with stage.running(program, Caps(memory=256 * MIB)) as cell:
        await hear(cell, size=12 * 5)
        if isinstance(cell, LocalCell):
            await cell.look_at_memory()
        assert not cell.ended()
        cell.send(b"x")
        await hear(cell)
        await cell.wait()
        breach = cell.breach()
    assert breach is not None
    assert breach[0] is Breach.MEMORY
    assert breach[1].startswith("more than 256 MiB of memory: ")

"""Cells that are processes of this machine: control groups of our own, users, freezing by signals."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.sandbox import cgroups
from bullring.arena.cells.sandbox.account import Account
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.cell import Cell, gaps_of, heard, said
from bullring.arena.cells.sandbox.landlock import rules
from bullring.arena.cells.sandbox.local import sandbox, tree
from bullring.arena.cells.sandbox.program import Workshop
from bullring.arena.cells.sandbox.promises import lacking
from bullring.arena.cells.sandbox.proof import prove
from tests.arena.cells.sandbox.running import run_on, stand_still
from tests.arena.cells.sandbox.stage import Stage, hear, staged
from tests.support.tiers import LOCAL


@staged(*LOCAL)
async def test_a_machine_that_allows_few_open_files_gives_what_it_has(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "_most_open_files", lambda: 64)
    assert await stage.output("import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE))") == "(64, 64)\n"


@pytest.mark.slow
@staged(*LOCAL)
async def test_a_closed_folder_whose_files_come_and_go_keeps_no_program_from_starting(stage: Stage) -> None:
    """Such as the working folder of a command line, with many files, in which another program writes its files anew."""
    if os.geteuid() != 0:
        pytest.skip("only root has to show what others may not enter")
    stage.folder.mkdir(mode=0o700)
    kept = stage.folder / "kept"
    kept.write_text("here")
    for number in range(1500):
        (stage.folder / f"{number}").touch()
    done = threading.Event()

    def write() -> None:
        while not done.is_set():
            for number in range(20):
                new = stage.folder / f"new{number}"
                new.write_text("here")
                new.replace(stage.folder / f"often{number}")
            new.write_text("gone")
            new.unlink()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(10):
            assert await stage.output("print(open('kept').read())") == "here\n"
    finally:
        done.set()
        writer.join()


@pytest.fixture
def no_cgroups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "find", lambda: cgroups.NoCgroups("as on most desktops"))


@pytest.mark.usefixtures("no_cgroups")
@staged("bwrap")
async def test_without_control_groups_bubblewrap_freezes_by_signals_and_what_it_forks_meanwhile(stage: Stage) -> None:
    program = """
        import os
        for _ in range(3):
            if not os.fork():
                while True:
                    pass
        print("here", flush=True)
        input()
    """
    async with stage.running(program) as cell:
        assert cell.freezes
        await hear(cell, b"here")
        pids = tree.descendants([cell.process.pid])  # type: ignore[attr-defined]
        assert len(pids) >= 4
        cell.freeze()
        cell.thaw()
        cell.freeze()
        await stand_still(pids)
        cell.thaw()
        await run_on(pids)
        cell.freeze()
        await stand_still(pids)


@pytest.mark.usefixtures("no_cgroups")
@staged("bwrap")
async def test_without_control_groups_a_thread_is_frozen_while_another_waits_in_vfork(stage: Stage) -> None:
    """The kernel gives the signal of a process to its first thread, which does not take it then, and to no other."""
    program = """
        import ctypes, os, threading
        number, me = {"x86_64": 56, "aarch64": 220}[os.uname().machine], os.getpid()
        threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()
        print("here", flush=True)
        ctypes.CDLL(None).syscall(number, 0x4000 | 17, 0, 0, 0, 0)
        while os.getpid() != me:
            input()
    """
    async with stage.running(program) as cell:
        await hear(cell, b"here")
        while True:
            pids = tree.descendants([cell.process.pid])  # type: ignore[attr-defined]
            if any(b") D " in Path(f"/proc/{pid}/stat").read_bytes() for pid in pids):
                break
            await trio.sleep(0.001)
        await run_on(pids)
        cell.freeze()
        await stand_still(pids)
        cell.thaw()
        await run_on(pids)


@pytest.mark.usefixtures("no_cgroups")
@staged("bwrap")
async def test_without_control_groups_a_chain_of_forks_does_not_outrun_the_freezer(stage: Stage) -> None:
    """Each process is in a session of its own, says so, forks the next and ends."""
    program = """
        import os, signal, time
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        until = time.monotonic() + 10
        print("here", flush=True)
        if not os.fork():
            while time.monotonic() < until:
                os.setsid()
                os.write(1, b".")
                if os.fork():
                    os._exit(0)
            os._exit(0)
        input()
    """
    async with stage.running(program) as cell:
        await hear(cell, b"here")
        for _ in range(10):
            assert await said(cell)
            cell.freeze()
            heard(cell)
            await trio.sleep(0.05)
            assert len(heard(cell) or b"") <= 1, "the one that was writing may have got so far"
            cell.thaw()


READING = """
    import errno, json, os
    def reading(name):
        try:
            os.close(os.open(f"/proc/self/{name}", os.O_RDONLY))
        except OSError as error:
            return errno.errorcode[error.errno]
        return "yes"
    def all_of_it():
        return {name: reading(name) for name in ("maps", "status", "cgroup", "fdinfo/0", "smaps", "pagemap", "mem")}
    def by_a_child():
        hear, tell = os.pipe()
        if not os.fork():
            os.write(tell, json.dumps(all_of_it()).encode())
            os._exit(0)
        os.wait()
        return json.loads(os.read(hear, 4096))
    print(json.dumps([all_of_it(), by_a_child()]))
"""
"""Prints which files of its own a program can open, and which files of its own a child of it can."""


@pytest.fixture
def no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "let_rename", lambda: False)


@staged("bwrap")
async def test_of_its_files_in_proc_a_program_reads_only_what_runtimes_need(stage: Stage) -> None:
    if not rules.let_rename():
        pytest.skip("this kernel has no Landlock, or too old a one")
    own, of_a_child = json.loads(await stage.output(READING))
    assert {name for name, error in own.items() if error == "yes"} == {"maps", "status", "cgroup"}
    assert set(of_a_child.values()) == {"EACCES"}


@staged("bwrap")
async def test_builds_read_all_of_theirs(stage: Stage) -> None:
    """Compilers are children of the command, and Mono's needs its maps."""
    _, of_a_child = json.loads(await stage.output(READING, workshop=Workshop()))
    assert of_a_child["maps"] == "yes"


@pytest.mark.usefixtures("no_landlock")
@staged("bwrap")
async def test_without_landlock_programs_run_as_well_and_a_promise_is_kept_in_part(stage: Stage) -> None:
    _, of_a_child = json.loads(await stage.output(READING))
    assert of_a_child["fdinfo/0"] == "yes"
    found = await prove(stage.sandbox)
    assert found.holds
    assert "channels" in lacking(gaps_of(stage.sandbox))
    (told,) = [each for each in found.tries if each.name == "leaks: eventfds and mapped pages"]
    assert not told.held


@staged("bwrap")
async def test_files_of_the_box_can_be_moved_and_linked_between_its_folders(stage: Stage) -> None:
    program = """
        import os, pathlib
        home = pathlib.Path(os.environ["HOME"])
        (home / "one" / "two").mkdir(parents=True)
        (home / "here").write_text("kept")
        (home / "here").rename(home / "one" / "two" / "there")
        os.link(home / "one" / "two" / "there", home / "one" / "again")
        print((home / "one" / "again").read_text())
    """
    assert await stage.output(program) == "kept\n"


@staged(*LOCAL)
async def test_a_program_that_writes_to_nobody_is_ended_by_the_signal_for_that(stage: Stage) -> None:
    """Python ignores it, so what Python starts could ignore it, too."""
    await stage.output("", command=("/bin/sh", "-c", "kill -PIPE $$"))
    assert stage.exit.startswith("killed by SIGPIPE")


@pytest.mark.usefixtures("no_landlock")
@staged("bwrap")
async def test_nothing_can_be_done_to_the_first_process_of_a_namespace(stage: Stage) -> None:
    """Code that a bot puts there would run while the bot is frozen."""
    program = """
        import errno, json, os
        def refused(path, flags):
            try:
                os.close(os.open(path, flags))
            except OSError as error:
                return errno.errorcode[error.errno]
        files = [("/proc/1/mem", os.O_RDWR), ("/proc/1/maps", os.O_RDONLY), ("/sh", os.O_RDONLY), ("/proc/1/exe", os.O_RDONLY)]
        print(json.dumps([refused(*file) for file in files]))
    """
    assert json.loads(await stage.output(program)) == ["EACCES"] * 4


@pytest.mark.usefixtures("no_cgroups")
@staged("bwrap")
async def test_without_control_groups_a_program_cannot_set_an_alarm_that_continues_it(stage: Stage) -> None:
    program = """
        import ctypes, errno, fcntl, json, os, signal, struct
        libc = ctypes.CDLL(None, use_errno=True)
        event = struct.pack("=Qii48x", 0, signal.SIGCONT, 0)
        number = {"x86_64": 222, "aarch64": 107}[os.uname().machine]
        made = libc.syscall(number, 1, event, ctypes.create_string_buffer(8))
        said = [made, errno.errorcode.get(ctypes.get_errno())]
        try:
            fcntl.fcntl(0, 10, signal.SIGCONT)
            said.append("F_SETSIG worked")
        except OSError as error:
            said.append(errno.errorcode[error.errno])
        print(json.dumps(said))
    """
    assert json.loads(await stage.output(program)) == [-1, "ENOSYS", "EINVAL"]


@staged(*LOCAL)
async def test_what_others_use_of_its_core_is_counted(stage: Stage) -> None:
    await count_a_stranger(stage)


@pytest.mark.usefixtures("no_cgroups")
@staged("bwrap")
async def test_without_control_groups_its_threads_count_for_it(stage: Stage) -> None:
    await count_a_stranger(stage)


async def count_a_stranger(stage: Stage) -> None:
    """Wait until the account of a busy program tells of a busy stranger on its core."""
    async with stage.running("print('spins', flush=True)\nwhile True:\n    pass") as cell:
        await hear(cell, b"spins")
        before = counted(cell)
        with subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) as other:
            try:
                os.sched_setaffinity(other.pid, {cell.core})
                while counted(cell).since(before, 10**9) < 100_000:
                    await trio.sleep(0.05)
            finally:
                other.kill()


@staged(*LOCAL)
async def test_but_what_its_own_processes_and_threads_use_is_not(stage: Stage) -> None:
    program = """
        import os, threading, time
        def spin():
            while time.monotonic() < until:
                pass
        until = time.monotonic() + 1.0
        for _ in range(3):
            if not os.fork():
                for _ in range(3):
                    threading.Thread(target=spin).start()
                break
        print("spins", flush=True)
        spin()
        input()
    """
    async with stage.running(program) as cell:
        await hear(cell, b"spins")
        before, began = counted(cell), time.monotonic()
        await trio.sleep(0.5)
        after, ended = counted(cell), time.monotonic()
        # It has one core, so it can have waited for others only while it did not run. The kernel counts what a running program
        # uses in ticks of up to 10 ms.
        waited, used = after.waited_us - before.waited_us, after.used_us - before.used_us
        assert waited + used < (ended - began) * 1e6 + 20_000
        assert used > 0


@staged(*LOCAL)
async def test_what_it_used_is_known_after_its_end_and_that_of_children_that_have_left(stage: Stage) -> None:
    program = """
        import os, time
        if not os.fork():
            while time.process_time() < 0.2:
                pass
            os._exit(0)
        os.wait()
        print("done", flush=True)
        input()
    """
    async with stage.running(program) as cell:
        await hear(cell, b"done")
        counted(cell)
        assert cell.usage()[0] >= 0.2
        cell.kill()
        await cell.wait()
        assert cell.usage()[0] >= 0.2


def counted(cell: Cell) -> Account:
    """The account of a cell; the test is skipped where nothing is counted."""
    account = cell.account()
    if account is None:
        pytest.skip("this machine does not count what others use of a core")
    return account


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has others' users to give")
@staged(*LOCAL)
async def test_two_bots_of_root_are_two_users(stage: Stage) -> None:
    program = "import os\nprint(os.getuid(), flush=True)\ninput()"
    async with stage.running(program) as one, stage.running(program) as two:
        await hear(one, b"\n")
        await hear(two, b"\n")
        uids = [Path(f"/proc/{cell.process.pid}").stat().st_uid for cell in (one, two)]  # type: ignore[attr-defined]
        assert len({0, *uids}) == 3


@staged("landlock")
async def test_as_root_landlock_gives_a_box_of_its_own_that_is_bounded(stage: Stage) -> None:
    if os.geteuid():
        pytest.skip("only root can mount a box")
    program = """
        import errno, os, pathlib, tempfile
        home = pathlib.Path(os.environ["HOME"])
        assert not list(home.iterdir())
        assert tempfile.gettempdir() == str(home)
        try:
            for number in range(8):
                (home / str(number)).write_bytes(bytes(1 << 20))
        except OSError as error:
            print(errno.errorcode[error.errno], sum(path.stat().st_size for path in home.iterdir()) <= 2 << 20)
        for path in home.iterdir():
            path.unlink()
        try:
            for number in range(5000):
                (home / str(number)).touch()
        except OSError as error:
            print(errno.errorcode[error.errno])
    """
    for _ in range(2):
        assert await stage.output(program, Caps(box=2 * MIB)) == "ENOSPC True\nENOSPC\n"

"""Programs in the local tiers: what they see, how they end, what is left."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.sandbox import cgroups
from bullring.arena.cells.sandbox.account import Account
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.cell import Breach, Cell, Sandbox
from bullring.arena.cells.sandbox.cgroups import cgroupfs
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.identity import Owner, me
from bullring.arena.cells.sandbox.local import sandbox, tree
from bullring.arena.cells.sandbox.program import PYTHON, Program
from bullring.arena.cells.sandbox.wish import Wish
from tests.arena.cells.sandbox.running import ASKS_FOR_MORE, run_on, stand_still
from tests.support.patience import PATIENCE
from tests.support.tiers import LOCAL, need

SPIN = "import time\nwhile True:\n    print(time.process_time(), flush=True)\n    input()\n"


@dataclass
class Stage:
    """A sandbox with the means to run programs in it."""

    sandbox: Sandbox
    folder: Path
    log: bytearray = field(default_factory=bytearray)

    @asynccontextmanager
    async def running(self, program: str, caps: Caps | None = None) -> AsyncIterator[Cell]:
        """This Python program, until the block ends."""
        self.folder.mkdir(exist_ok=True)
        (self.folder / "bot.py").write_text(textwrap.dedent(program))
        cell = await self.sandbox.start(
            Program((PYTHON, "-I", "-S", "bot.py"), self.folder, caps or Caps()), self.log.extend
        )
        try:
            yield cell
        finally:
            await cell.end()

    async def output(self, program: str, caps: Caps | None = None) -> str:
        """All that it prints."""
        async with self.running(program, caps) as cell:
            said = await hear(cell)
            await cell.wait()
            self.exit = cell.exit_text()
        return said or self.log.decode()


async def hear(cell: Cell, until: bytes = b"") -> str:
    """What it says until its output ends, or until a line has come."""
    data = b""
    while not (until and until in data):
        await trio.lowlevel.wait_readable(cell.read_fd)
        try:
            more = cell.recv()
        except BlockingIOError:
            continue
        if not more:
            break
        data += more
    return data.decode()


def on_stage(tier: str, folder: Path, test: Callable[[Stage], Awaitable[None]], *, hidden: Sequence[str] = ()) -> None:
    """Run a test in a tier. What is `hidden` in the bot's folder no program may see."""
    need(tier)
    bot = folder / "bot"
    owner = Owner(hidden=tuple(bot / name for name in hidden))
    wish = Wish(tier, allow_unsandboxed=True, freeze=True, proven=False)

    async def main() -> None:
        with trio.fail_after(PATIENCE):
            async with open_sandbox(wish, owner) as sandbox:
                await test(Stage(sandbox, bot))

    trio.run(main)


@pytest.mark.parametrize("tier", LOCAL)
def test_a_program_is_spoken_to_and_its_end_is_told(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        async with stage.running(
            "import sys\nprint(input()[::-1], flush=True)\nprint('oh', file=sys.stderr)\nsys.exit(3)"
        ) as cell:
            assert cell.exit_text() == "still running"
            cell.send(b"abc\n")
            assert await hear(cell) == "cba\n"
            await cell.wait()
            assert cell.ended()
            assert cell.exit_text() == "exited with status 3"
        assert stage.log == b"oh\n"

    on_stage(tier, tmp_path, test)


@pytest.mark.parametrize("tier", ["bwrap", "landlock"])
def test_asking_for_cores_and_priorities_succeeds_and_changes_nothing(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        assert await stage.output(ASKS_FOR_MORE) == "True\n"

    on_stage(tier, tmp_path, test)


@pytest.mark.parametrize("tier", LOCAL)
def test_a_signal_that_ended_it_is_told_from_a_status_above_128(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        for number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL, signal.SIGUSR1):
            await stage.output(f"import os\nos.kill(os.getpid(), {int(number)})")
            assert stage.exit == f"killed by {number.name}"
            await stage.output(f"import os\nos._exit({128 + number})")
            assert stage.exit == f"exited with status {128 + number}"
        await stage.output("import os\nos.kill(os.getpid(), 40)")
        assert stage.exit == "killed by signal 40"
        for status in (168, 200, 255):
            await stage.output(f"import os\nos._exit({status})")
            assert stage.exit == f"exited with status {status}"

    on_stage(tier, tmp_path, test)


def test_what_some_shells_do_not_tell_is_left_open(tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        await stage.output("import os\nos._exit(141)")
        assert stage.exit == "killed by SIGPIPE, or exited with status 141"
        await stage.output("import signal\nsignal.signal(13, signal.SIG_DFL)\nsignal.raise_signal(13)")
        assert stage.exit == "killed by SIGPIPE, or exited with status 141"

    on_stage("bwrap", tmp_path, test)


def test_the_first_process_of_a_namespace_reaps_orphans(tmp_path: Path) -> None:
    program = """
        import os
        for _ in range(300):
            child = os.fork()
            if not child:
                if os.fork():
                    os._exit(0)
                os._exit(0)
            os.waitpid(child, 0)
        print("fine")
    """

    async def test(stage: Stage) -> None:
        assert await stage.output(program, Caps(processes=16)) == "fine\n"

    on_stage("bwrap", tmp_path, test)


@pytest.mark.parametrize("tier", LOCAL)
def test_what_the_arena_ended_is_not_said_to_have_ended_by_itself(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        async with stage.running("print('here', flush=True)\ninput()") as cell:
            await hear(cell, b"here")
            cell.kill()
            cell.kill()
            assert await hear(cell) == ""
            await cell.wait()
            assert cell.exit_text() == "ended by the arena"

    on_stage(tier, tmp_path, test)


@pytest.mark.parametrize("tier", LOCAL)
def test_it_gets_an_environment_of_its_own_and_runs_in_its_folder(
    tier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET_TOKEN", "hunter2")

    async def test(stage: Stage) -> None:
        said = await stage.output("import os\nprint(os.getcwd(), sorted(os.environ), os.getuid())")
        assert "A_SECRET_TOKEN" not in said
        assert "'HOME', 'LANG'" in said
        assert said.startswith("/bot" if tier == "bwrap" else str(stage.folder))
        if os.geteuid() == 0:
            assert not said.endswith(" 0\n"), "not as root"

    on_stage(tier, tmp_path, test)


@pytest.mark.parametrize("tier", ["bwrap", "landlock"])
def test_it_reads_the_map_of_its_own_memory_and_of_no_other(tier: str, tmp_path: Path) -> None:
    """C libraries look there for the stack of the first thread, and Mono gives up without it."""

    async def test(stage: Stage) -> None:
        said = await stage.output(
            f"""
            print("[stack]" in open("/proc/self/maps").read())
            try:
                print(open("/proc/{os.getpid()}/maps").read())
            except OSError:
                print("no other")
            """
        )
        assert said == "True\nno other\n"

    on_stage(tier, tmp_path, test)


def test_nothing_tells_the_name_of_the_referee(tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        said = await stage.output(
            """
            for path in ("/proc/1/environ", "/proc/1/cmdline", "/proc/self/environ", "/proc/self/cgroup", "/proc/self/mountinfo"):
                print(path, open(path).read().replace(chr(0), " "))
            """
        )
        assert "/proc/self/cgroup" in said
        assert me() not in said
        groups = said.partition("/proc/self/cgroup ")[2].partition("/proc/self/mountinfo")[0].split()
        assert {line.split(":")[2] for line in groups} <= {"/"}

    on_stage("bwrap", tmp_path, test)


@pytest.mark.parametrize("tier", ["bwrap", "landlock"])
def test_what_proc_tells_of_the_machine_stands_still(tier: str, tmp_path: Path) -> None:
    program = """
        import os
        from pathlib import Path

        def told():
            found = {}
            for folder, folders, files in os.walk("/proc"):
                if folder == "/proc":
                    folders[:] = [name for name in folders if not name.isdigit() and name not in ("self", "thread-self", "net")]
                for name in files:
                    try:
                        found[folder, name] = Path(folder, name).read_bytes() if name not in ("kallsyms", "kmsg") else b""
                    except OSError:
                        pass
            return found

        before = told()
        for _ in range(20):
            if not os.fork():
                bytearray(1 << 20)
                os._exit(0)
            os.wait()
        after = told()
        print([key for key in before if before[key] != after[key]], len(before) > 3, os.cpu_count())
    """

    async def test(stage: Stage) -> None:
        said = await stage.output(program)
        assert said.startswith(f"[] {tier == 'bwrap'} "), said
        if tier == "bwrap":
            assert said.endswith(f" {os.cpu_count()}\n")

    on_stage(tier, tmp_path, test)


def test_buffers_are_counted_as_memory_that_they_may_hold() -> None:
    program = """
import socket
pairs = [socket.socketpair() for _ in range(10)]
print("here", flush=True)
input()
"""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-S", "-c", program], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        process.stdout.readline()
        sockets = 20 * 212_992
        assert sockets <= tree.buffer_bytes(process.pid, 1 << 40, 64) <= 8 * sockets
        process.communicate(b"\n")
    assert tree.buffer_bytes(process.pid, 1 << 40, 64) == 0


@pytest.mark.parametrize("tier", ["bwrap", "none"])
def test_a_machine_that_allows_few_open_files_gives_what_it_has(
    tier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "_most_open_files", lambda: 64)

    async def test(stage: Stage) -> None:
        assert await stage.output("import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE))") == "(64, 64)\n"

    on_stage(tier, tmp_path, test)


def test_a_flood_of_open_files_is_not_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_LOOKED_AT", 100)
    program = """
import os
files = [os.open("/dev/null", os.O_RDONLY) for _ in range(100)]
for _ in range(3):
    if os.fork() == 0:
        break
else:
    print("here", flush=True)
os.read(0, 1)
"""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-S", "-c", program], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert tree.buffer_bytes(process.pid, 1 << 40, 256) >= 3 * 100 * 212_992
        process.communicate(b"many")


@pytest.mark.parametrize("tier", ["bwrap", "none"])
def test_what_is_hidden_is_not_seen(tier: str, tmp_path: Path) -> None:
    if tier == "none" and os.geteuid() != 0:
        pytest.skip("only root can cover files for a program without namespaces")

    async def test(stage: Stage) -> None:
        stage.folder.mkdir()
        (stage.folder / "record.jsonl").write_text("the hands of all")
        (stage.folder / "home").mkdir()
        (stage.folder / "home" / "seeds").write_text("all seeds")
        program = """
            import os
            try:
                print(repr(open("record.jsonl").read()), end=" ")
            except PermissionError:
                print("''", end=" ")
            print(os.listdir("home"))
        """
        assert await stage.output(program) == "'' []\n"

    on_stage(tier, tmp_path, test, hidden=("record.jsonl", "home"))


@pytest.mark.slow
@pytest.mark.parametrize("tier", LOCAL)
def test_a_closed_folder_whose_files_come_and_go_keeps_no_program_from_starting(tier: str, tmp_path: Path) -> None:
    """Such as the working folder of a command line, with many files, in which another program writes its files anew."""
    if os.geteuid() != 0:
        pytest.skip("only root has to show what others may not enter")

    async def test(stage: Stage) -> None:
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

    on_stage(tier, tmp_path, test)


@pytest.mark.parametrize("tier", LOCAL)
def test_memory_beyond_the_limit_is_a_breach_with_its_evidence(tier: str, tmp_path: Path) -> None:
    groups = cgroups.find()
    if isinstance(groups, cgroups.NoCgroups) or "memory" not in groups.controllers:
        pytest.skip("no memory cgroup for us here")
    groups.close()

    async def test(stage: Stage) -> None:
        async with stage.running("data = b'x' * (200 << 20)\nprint(len(data))", Caps(memory=48 * MIB)) as cell:
            assert await hear(cell) == ""
            breach = cell.breach()
            assert breach is not None
            assert breach[0] is Breach.MEMORY
            assert "more than 48 MiB of memory" in breach[1]

    on_stage(tier, tmp_path, test)


def test_a_bot_s_end_by_its_own_hand_is_no_breach(tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        async with stage.running("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)") as cell:
            await hear(cell)
            assert cell.breach() is None

    on_stage("none", tmp_path, test)


@pytest.mark.parametrize("tier", LOCAL)
def test_a_frozen_program_gets_no_processor(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        program = """
            import threading
            threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()
            print("here", flush=True)
            input()
        """
        async with stage.running(program) as cell:
            if not cell.freezes:
                pytest.skip("nothing here can freeze it")
            await hear(cell, b"here")
            pids = tree.descendants([cell.process.pid])  # type: ignore[attr-defined]
            await run_on(pids)
            cell.freeze()
            await stand_still(pids)
            cell.thaw()
            await run_on(pids)

    on_stage(tier, tmp_path, test)


@pytest.mark.parametrize("tier", LOCAL)
def test_a_frozen_program_can_be_ended(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        async with stage.running("print('here', flush=True)\ninput()") as cell:
            await hear(cell, b"here")
            if cell.freezes:
                cell.freeze()

    on_stage(tier, tmp_path, test)


def test_without_control_groups_bubblewrap_freezes_by_signals_and_what_it_forks_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroups, "find", lambda: cgroups.NoCgroups("as on most desktops"))

    async def test(stage: Stage) -> None:
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

    on_stage("bwrap", tmp_path, test)


@pytest.mark.parametrize("tier", LOCAL)
def test_what_others_use_of_its_core_is_counted(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
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

    on_stage(tier, tmp_path, test)


@pytest.mark.parametrize("tier", LOCAL)
def test_but_what_its_own_processes_and_threads_use_is_not(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
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
            before, used_before, began = counted(cell), used_us(cell), time.monotonic()
            await trio.sleep(0.5)
            after, used, ended = counted(cell), used_us(cell), time.monotonic()
            # It has one core, so it can have waited for others only while it did not run. The kernel counts what a running program
            # uses in ticks of up to 10 ms.
            waited = after.waited_us - before.waited_us
            assert waited + used - used_before < (ended - began) * 1e6 + 20_000
            assert used > used_before

    on_stage(tier, tmp_path, test)


@pytest.mark.parametrize("tier", LOCAL)
def test_what_it_used_is_known_after_its_end_and_that_of_children_that_have_left(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
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

    on_stage(tier, tmp_path, test)


def counted(cell: Cell) -> Account:
    """The account of a cell; the test is skipped where nothing is counted."""
    account = cell.account()
    if account is None:
        pytest.skip("this machine has no cgroups of version 2 with cpu.pressure that we may use")
    return account


def used_us(cell: Cell) -> int:
    """The processor time of all processes of a cell."""
    pid = cell.init or cell.process.pid  # type: ignore[attr-defined]
    folder = cgroupfs.folders_of(Path(f"/proc/{pid}/cgroup").read_text())[""]
    return cgroupfs.counts(folder / "cpu.stat")["usage_usec"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has others' users to give")
@pytest.mark.parametrize("tier", LOCAL)
def test_two_bots_of_root_are_two_users(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        program = "import os\nprint(os.getuid(), flush=True)\ninput()"
        async with stage.running(program) as one, stage.running(program) as two:
            await hear(one, b"\n")
            await hear(two, b"\n")
            uids = [Path(f"/proc/{cell.process.pid}").stat().st_uid for cell in (one, two)]  # type: ignore[attr-defined]
            assert len({0, *uids}) == 3

    on_stage(tier, tmp_path, test)


def test_the_end_of_the_main_program_ends_what_holds_its_output(tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        program = """
            import os, time
            if not os.fork():
                os.setsid()
                time.sleep(60)
        """
        async with stage.running(program) as cell:
            assert await hear(cell) == "", "the end of its output, though a child has it open"

    on_stage("none", tmp_path, test)


@pytest.mark.parametrize("tier", LOCAL)
def test_a_cell_that_is_ended_twice_at_a_time_closes_nothing_of_others(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        async with stage.running("input()") as cell, trio.open_nursery() as nursery:
            nursery.start_soon(cell.end)
            nursery.start_soon(cell.end)

    on_stage(tier, tmp_path, test)


def test_as_root_landlock_gives_a_box_of_its_own_that_is_bounded(tmp_path: Path) -> None:
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

    async def test(stage: Stage) -> None:
        for _ in range(2):
            assert await stage.output(program, Caps(box=2 * MIB)) == "ENOSPC True\nENOSPC\n"

    on_stage("landlock", tmp_path, test)

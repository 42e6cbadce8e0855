"""Programs in cells of every tier: what they see, how they end, what is counted of them."""

import os
import secrets
import signal
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.sandbox import cgroups
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.cell import Breach
from bullring.arena.cells.sandbox.identity import me
from bullring.arena.cells.sandbox.program import PYTHON, Program
from bullring.arena.cells.sandbox.tiers import TIERS
from tests.arena.cells.sandbox.running import ASKS_FOR_MORE, run_on, stand_still
from tests.arena.cells.sandbox.runtimes import CAPS, QUICK, RUNTIMES
from tests.arena.cells.sandbox.stage import Stage, hear, on_stage, staged
from tests.hostile.leftovers import descriptors, processes_of
from tests.support.patience import PATIENCE
from tests.support.shared import made_once
from tests.support.tiers import CONFINING, STRONG, WITH_IMAGES, in_each


@staged(*TIERS)
async def test_a_program_is_spoken_to_and_its_end_is_told(stage: Stage) -> None:
    program = "import sys\nprint(input()[::-1], flush=True)\nprint('oh', file=sys.stderr)\nsys.exit(3)"
    async with stage.running(program) as cell:
        assert cell.exit_text() == "still running"
        assert cell.read_fd != cell.write_fd
        with pytest.raises(BlockingIOError):
            cell.recv()
        cell.send(b"abc\n")
        assert await hear(cell) == "cba\n"
        await cell.wait()
        assert cell.ended()
        assert cell.exit_text() == "exited with status 3"
        assert cell.host_fault() is None
    assert stage.log == b"oh\n"


@in_each(*TIERS)
def test_it_answers_and_no_descriptor_is_left(tier: str, tmp_path: Path) -> None:
    before = set(descriptors())

    async def test(stage: Stage) -> None:
        async with stage.running("import os\nwhile data := os.read(0, 65536): os.write(1, data)") as cell:
            for number in range(200):
                word = b"%d " % number * 50
                assert cell.send(word) == len(word)
                assert await hear(cell, size=len(word)) == word.decode()

    on_stage(tier, tmp_path, test)
    assert set(descriptors()) == before


@staged(*TIERS)
async def test_last_words_are_not_lost_even_if_nobody_asks_for_them(stage: Stage) -> None:
    for _ in range(5):
        assert await stage.output("print('hello')") == "hello\n"
        assert stage.exit == "exited with status 0"
    async with stage.running("import sys; sys.stderr.write('last words'); sys.exit(4)") as cell:
        await cell.wait()
    assert cell.exit_text() == "exited with status 4"
    assert bytes(stage.log) == b"last words"


@staged(*CONFINING)
async def test_asking_for_cores_and_priorities_succeeds_and_changes_nothing(stage: Stage) -> None:
    assert await stage.output(ASKS_FOR_MORE) == "True\n"


@staged(*TIERS)
async def test_a_signal_that_ended_it_is_told_from_a_status_above_128(stage: Stage) -> None:
    for number in (signal.SIGSEGV, signal.SIGKILL, signal.SIGUSR1):
        async with stage.running(f"import os\nos.kill(os.getpid(), {int(number)})") as cell:
            assert await hear(cell) == ""
            await cell.wait()
            assert cell.breach() is None, "its end by its own hand is no breach"
        assert cell.exit_text() == f"killed by {number.name}"
        await stage.output(f"import os\nos._exit({128 + number})")
        assert stage.exit == f"exited with status {128 + number}"
    await stage.output("import os\nos.kill(os.getpid(), 40)")
    assert stage.exit == "killed by signal 40"
    for status in (168, 255):
        await stage.output(f"import os\nos._exit({status})")
        assert stage.exit == f"exited with status {status}"


@staged(*STRONG)
async def test_what_some_shells_do_not_tell_is_left_open(stage: Stage) -> None:
    await stage.output("import os\nos._exit(141)")
    assert stage.exit == "killed by SIGPIPE, or exited with status 141"
    await stage.output("import signal\nsignal.signal(13, signal.SIG_DFL)\nsignal.raise_signal(13)")
    assert stage.exit == "killed by SIGPIPE, or exited with status 141"


@staged(*STRONG)
async def test_the_first_process_of_a_namespace_reaps_orphans(stage: Stage) -> None:
    program = """
        import os
        for _ in range(300):
            child = os.fork()
            if not child:
                os.fork()
                os._exit(0)
            os.waitpid(child, 0)
        print("fine")
    """
    assert await stage.output(program, Caps(processes=16)) == "fine\n"


@staged(*TIERS)
async def test_what_the_arena_ended_is_not_said_to_have_ended_by_itself(stage: Stage) -> None:
    async with stage.running("print('here', flush=True)\ninput()") as cell:
        await hear(cell, b"here")
        cell.kill()
        cell.kill()
        assert await hear(cell) == ""
        await cell.wait()
        assert cell.exit_text() == "ended by the arena"


@staged(*TIERS)
async def test_a_program_that_cannot_be_executed_tells_why_on_stderr(stage: Stage) -> None:
    program = stage.program("", command=("./bot",))
    (stage.folder / "bot").write_text("#!/usr/share\n")  # a folder
    (stage.folder / "bot").chmod(0o755)
    cell = await stage.sandbox.start(program, stage.log.extend)
    assert await hear(cell) == ""
    await cell.end()
    assert cell.exit_text().startswith("exited with status")
    assert b"ermission denied" in stage.log


@staged(*TIERS)
async def test_a_flood_of_stderr_hinders_no_answer(stage: Stage) -> None:
    program = """
        import os, threading
        threading.Thread(target=lambda: [os.write(2, b"x" * 65536) for _ in range(1000)], daemon=True).start()
        while data := os.read(0, 65536):
            os.write(1, data)
        """
    async with stage.running(program) as cell:
        for number in range(100):
            cell.send(b"%04d" % number)
            assert await hear(cell, size=4) == f"{number:04}"
        while len(stage.log) < 1000 * 65536:
            cell.read_log()
            await trio.sleep(0.001)


@staged(*TIERS)
async def test_closed_stdout_is_no_end_of_the_program(stage: Stage) -> None:
    program = "import os, time\nos.write(1, b'a'); os.close(1); os.write(2, b'b'); time.sleep(60)"
    async with stage.running(program) as cell:
        assert await hear(cell, b"a") == "a"
        while bytes(stage.log) != b"b":
            cell.read_log()
            await trio.sleep(0.01)
        assert not cell.ended()


@staged(*TIERS)
async def test_the_end_of_the_program_ends_what_holds_its_output(stage: Stage) -> None:
    program = """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
        print("bye")
    """
    async with stage.running(program) as cell:
        assert await hear(cell) in ("bye\n", "bye\nbye\n")
        await cell.wait()
        assert cell.exit_text() == "exited with status 0"


@staged(*TIERS)
async def test_a_cell_that_is_ended_twice_at_a_time_closes_nothing_of_others(stage: Stage) -> None:
    async with stage.running("input()") as cell, trio.open_nursery() as nursery:
        nursery.start_soon(cell.end)
        nursery.start_soon(cell.end)


@staged(*TIERS)
async def test_it_gets_an_environment_of_its_own_and_runs_in_its_folder(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET_TOKEN", "hunter2")
    said = await stage.output("import os\nprint(os.getcwd(), sorted(os.environ), os.getuid())")
    assert "A_SECRET_TOKEN" not in said
    assert "'HOME'" in said
    assert said.startswith("/bot" if stage.tier in STRONG else str(stage.folder))
    if os.geteuid() == 0:
        assert not said.endswith(" 0\n"), "not as root"


@staged(*CONFINING)
async def test_it_reads_the_map_of_its_own_memory_and_of_no_other(stage: Stage) -> None:
    """C libraries look there for the stack of the first thread, and Mono gives up without it."""
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


@staged(*STRONG)
async def test_nothing_tells_the_name_of_the_referee(stage: Stage) -> None:
    said = await stage.output(
        """
        for path in ("/proc/1/environ", "/proc/1/cmdline", "/proc/self/environ", "/proc/self/cgroup", "/proc/self/mountinfo"):
            try:
                print(path, open(path).read().replace(chr(0), " "))
            except PermissionError as error:
                print(error)
        """
    )
    assert "/proc/self/cgroup" in said
    assert me() not in said
    groups = said.partition("/proc/self/cgroup ")[2].partition("/proc/self/mountinfo")[0].split()
    assert {line.split(":")[2] for line in groups} <= {"/"}


@staged(*CONFINING)
async def test_what_proc_tells_of_the_machine_stands_still(stage: Stage) -> None:
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
    said = await stage.output(program)
    assert said.startswith(f"[] {stage.tier in STRONG} "), said
    if stage.tier in STRONG:
        assert said.endswith(f" {os.cpu_count()}\n")


@staged(*TIERS, hidden=("record.jsonl", "home"))
async def test_what_is_hidden_is_not_seen(stage: Stage) -> None:
    if stage.tier not in STRONG and os.geteuid() != 0:
        pytest.skip("only root can cover files for a program without namespaces")
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


def memory_is_counted(tier: str) -> None:
    groups = cgroups.find()
    counted = isinstance(groups, cgroups.Subtree) and "memory" in groups.controllers
    if isinstance(groups, cgroups.Subtree):
        groups.close()
    if not counted and tier not in WITH_IMAGES:
        pytest.skip("no memory cgroup for us here")


@staged(*TIERS)
async def test_memory_beyond_the_limit_is_a_breach_with_its_evidence(stage: Stage) -> None:
    memory_is_counted(stage.tier)
    async with stage.running("data = b'x' * (200 << 20)\nprint(len(data))", Caps(memory=48 * MIB)) as cell:
        assert await hear(cell) == ""
        await cell.wait()
        breach = cell.breach()
        assert breach is not None
        assert breach[0] is Breach.MEMORY
        assert "more than 48 MiB" in breach[1]


@staged(*TIERS)
async def test_a_childs_death_for_memory_is_not_the_bots(stage: Stage) -> None:
    memory_is_counted(stage.tier)
    program = """
        import os
        if (child := os.fork()) == 0:
            data = [bytearray(b'x' * (1 << 20)) for _ in range(500)]
        os.waitpid(child, 0)
        os._exit(7)
    """
    async with stage.running(program, Caps(memory=64 * MIB)) as cell:
        assert await hear(cell) == ""
        await cell.wait()
        assert cell.breach() is None
        assert cell.exit_text() == "exited with status 7"


@staged(*TIERS)
async def test_a_frozen_program_gets_no_processor_and_can_be_ended(stage: Stage) -> None:
    program = """
        import threading
        threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()
        print("here", flush=True)
        input()
    """
    word = secrets.token_hex(8)
    async with stage.running(program, command=(PYTHON, "bot.py", word)) as cell:
        if not cell.freezes:
            pytest.skip("nothing here can freeze it")
        await hear(cell, b"here")
        pids = processes_of(word)
        assert pids
        for _ in range(3):
            await run_on(pids)
            cell.freeze()
            await stand_still(pids)
            cell.thaw()
        await run_on(pids)
        cell.freeze()
        cell.kill()
        with trio.fail_after(PATIENCE):
            await cell.wait()


@pytest.fixture
def runtime(name: str, shared: Path) -> Program:
    """The program of this runtime, built once for all tiers, if the machine has it."""
    runtime = RUNTIMES[name]
    if missing := runtime.missing():
        pytest.skip(f"not on this machine: {', '.join(missing)}")
    return Program(runtime.command, made_once(shared / f"runtime {name}", runtime.make), CAPS)


@pytest.mark.parametrize(
    "name", [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in RUNTIMES]
)
@staged(*TIERS, slow=("docker",))
async def test_a_runtime_of_the_machine_plays(stage: Stage, name: str, runtime: Program) -> None:
    if name == "R" and stage.tier == "landlock" and os.geteuid():
        pytest.skip("R needs a folder to write to, and only root can give one in this tier")
    cell = await stage.sandbox.start(runtime, stage.log.extend)
    try:
        assert await hear(cell) == "hello\n", bytes(stage.log)
        await cell.wait()
        assert cell.exit_text() == "exited with status 0", bytes(stage.log)
    finally:
        await cell.end()

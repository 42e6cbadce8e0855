"""Programs in containers of a real engine."""

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.sandbox import identity, procfs
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.cell import Breach
from bullring.arena.cells.sandbox.container import machine, mounts
from bullring.arena.cells.sandbox.container.attached import MOST_UNREAD
from bullring.arena.cells.sandbox.container.config import RUN
from bullring.arena.cells.sandbox.container.engine import find_socket, open_engine
from bullring.arena.cells.sandbox.container.sandbox import DockerSandbox, _sees_other_files, sweep
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.program import PYTHON, Workshop
from bullring.errors import CellError, HostError
from tests.arena.cells.sandbox.containers import OWNER, Ring, all_heard, heard, run
from tests.arena.cells.sandbox.running import ASKS_FOR_MORE, run_on, stand_still
from tests.hostile.leftovers import processes_of
from tests.support.engine import own_dockerd
from tests.support.patience import PATIENCE

ECHO = """
    import os
    while data := os.read(0, 65536):
        os.write(1, data)
    """


def ours(socket: Path) -> list[str]:
    """The containers that are left."""
    names: list[str] = []

    async def main() -> None:
        async with open_engine(socket) as engine:
            found = await engine.call("list", partial(engine.client.containers, all=True, filters={"label": RUN}))
            names.extend(each["Id"] for each in found if each["Labels"][RUN].startswith(f"{OWNER}~"))

    trio.run(main)
    return names


def test_an_echo_answers_and_nothing_is_left(engine_socket: Path, tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))

    async def test(ring: Ring) -> None:
        async with ring.running(ECHO) as cell:
            assert cell.read_fd != cell.write_fd
            for number in range(200):
                word = b"%d " % number * 50
                assert cell.send(word) == len(word)
                assert await heard(cell, len(word)) == word
            assert not cell.ended()
            assert cell.exit_text() == "still running"
            with pytest.raises(BlockingIOError):
                cell.recv()
        assert cell.exit_text() == "ended by the arena"
        assert cell.host_fault() is None
        assert cell.breach() is None
        await cell.end()

    run(engine_socket, tmp_path, test)
    assert ours(engine_socket) == []
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_what_it_says_at_once_is_not_lost(engine_socket: Path, tmp_path: Path) -> None:
    async def test(ring: Ring) -> None:
        for _ in range(5):
            async with ring.running("print('hello')") as cell:
                assert await all_heard(cell) == b"hello\n"
                assert cell.exit_text() == "exited with status 0"

    run(engine_socket, tmp_path, test)


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("raise SystemExit(3)", "exited with status 3"),
        ("import os; os.kill(os.getpid(), 11)", "killed by SIGSEGV"),
        ("import os; os.kill(os.getpid(), 9)", "killed by SIGKILL"),
        ("raise SystemExit(137)", "exited with status 137"),
        ("raise SystemExit(139)", "exited with status 139"),
        ("raise SystemExit(143)", "killed by SIGTERM, or exited with status 143"),
        ("raise SystemExit(255)", "exited with status 255"),
    ],
)
def test_how_it_ended_is_known_when_the_end_is_told(
    program: str, text: str, engine_socket: Path, tmp_path: Path
) -> None:
    async def test(ring: Ring) -> None:
        async with ring.running(program) as cell:
            assert await all_heard(cell) == b""
            assert cell.exit_text() == text
            assert cell.ended()
            assert cell.breach() is None
            assert cell.host_fault() is None
        assert cell.exit_text() == text

    run(engine_socket, tmp_path, test)


def test_asking_for_cores_and_priorities_succeeds_and_changes_nothing(engine_socket: Path, tmp_path: Path) -> None:
    async def test(ring: Ring) -> None:
        async with ring.running(ASKS_FOR_MORE) as cell:
            assert await all_heard(cell) == b"True\n", ring.log

    run(engine_socket, tmp_path, test)


def test_one_that_ends_while_nobody_asks_is_told_by_how_it_ended(engine_socket: Path, tmp_path: Path) -> None:
    async def test(ring: Ring) -> None:
        async with ring.running("import sys; sys.stderr.write('last words'); sys.exit(4)") as cell:
            await cell.wait()
        assert cell.exit_text() == "exited with status 4"
        assert bytes(ring.log) == b"last words"

    run(engine_socket, tmp_path, test)


def test_a_program_that_cannot_be_executed_is_a_bots_end_with_words_on_stderr(
    engine_socket: Path, tmp_path: Path
) -> None:
    async def test(ring: Ring) -> None:
        launch = ring.launch("", command=("./bot",))
        (ring.folder / "bot").write_text("#!/usr/share\n")  # a folder
        (ring.folder / "bot").chmod(0o755)
        cell = await ring.docker.start(launch, ring.log.extend)
        assert await all_heard(cell) == b""
        await cell.end()
        assert cell.exit_text().startswith("exited with status")
        assert b"ermission denied" in ring.log

    run(engine_socket, tmp_path, test)


def test_a_flood_of_stderr_hinders_no_answer(engine_socket: Path, tmp_path: Path) -> None:
    program = """
        import os, threading
        threading.Thread(target=lambda: [os.write(2, b"x" * 65536) for _ in range(1000)], daemon=True).start()
        while data := os.read(0, 65536):
            os.write(1, data)
        """

    async def test(ring: Ring) -> None:
        async with ring.running(program) as cell:
            for number in range(100):
                cell.send(b"%04d" % number)
                assert await heard(cell, 4) == b"%04d" % number
            while len(ring.log) < 1000 * 65536:
                cell.read_log()
                await trio.sleep(0.001)

    run(engine_socket, tmp_path, test)


def test_stdout_that_is_read_ahead_is_announced_and_bounded(engine_socket: Path, tmp_path: Path) -> None:
    async def test(ring: Ring) -> None:
        async with ring.running("import os\nfor _ in range(64): os.write(1, b'x' * 65536)") as cell:
            for _ in range(50):
                cell.read_log()
                await trio.sleep(0.01)
            assert len(cell._stdout) < 2 * MOST_UNREAD
            assert len(await all_heard(cell)) == 64 * 65536

    run(engine_socket, tmp_path, test)


@pytest.mark.parametrize("stream", [1, 2])
def test_a_flooder_whom_nobody_reads_is_gone_at_once(stream: int, engine_socket: Path, tmp_path: Path) -> None:
    async def test(ring: Ring) -> None:
        async with ring.running(f"import os\nwhile True: os.write({stream}, b'x' * 65536)") as cell:
            await trio.sleep(0.5)
            cell.kill()
            await trio.lowlevel.wait_readable(cell.read_fd)
            while cell.recv():
                pass
            await cell.end()
            assert cell.exit_text() == "ended by the arena"

    run(engine_socket, tmp_path, test)


def test_closed_stdout_is_no_end(engine_socket: Path, tmp_path: Path) -> None:
    async def test(ring: Ring) -> None:
        async with ring.running(
            "import os, time\nos.write(1, b'a'); os.close(1); os.write(2, b'b'); time.sleep(60)"
        ) as cell:
            assert await heard(cell, 1) == b"a"
            with trio.move_on_after(0.3) as waiting:
                await heard(cell, 1)
            assert waiting.cancelled_caught
            assert not cell.ended()
            while bytes(ring.log) != b"b":
                await trio.sleep(0.01)

    run(engine_socket, tmp_path, test)


def test_a_child_that_holds_the_output_does_not_outlive_the_program(engine_socket: Path, tmp_path: Path) -> None:
    program = """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
        print("bye")
        """

    async def test(ring: Ring) -> None:
        async with ring.running(program) as cell:
            assert await all_heard(cell) in (b"bye\n", b"bye\nbye\n")
            assert cell.exit_text() == "exited with status 0"

    run(engine_socket, tmp_path, test)


def test_too_much_memory_is_told_with_evidence(engine_socket: Path, tmp_path: Path) -> None:
    async def test(ring: Ring) -> None:
        program = "data = [bytearray(b'x' * (1 << 20)) for _ in range(500)]; print('alive')"
        async with ring.running(program, caps=Caps(memory=64 * MIB)) as cell:
            assert await all_heard(cell) == b""
            breach = cell.breach()
            assert breach is not None
            assert breach[0] is Breach.MEMORY
            assert "64 MiB" in breach[1]
            assert cell.exit_text() == "killed by SIGKILL"

    run(engine_socket, tmp_path, test)


def test_a_childs_death_for_memory_is_not_the_bots(engine_socket: Path, tmp_path: Path) -> None:
    program = """
        import os
        if (child := os.fork()) == 0:
            data = [bytearray(b'x' * (1 << 20)) for _ in range(500)]
        os.waitpid(child, 0)
        os._exit(7)
        """

    async def test(ring: Ring) -> None:
        async with ring.running(program, caps=Caps(memory=64 * MIB)) as cell:
            assert await all_heard(cell) == b""
            assert cell.breach() is None
            assert cell.exit_text() == "exited with status 7"

    run(engine_socket, tmp_path, test)


def test_what_it_sees(engine_socket: Path, tmp_path: Path) -> None:
    program = """
        import json, os, socket
        def refused(path):
            try:
                os.open(path, os.O_WRONLY | os.O_CREAT)
            except OSError:
                return True
        fields = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
        print(json.dumps({
            "uid": os.getuid(), "gid": os.getgid(), "groups": [each for each in os.getgroups() if each != os.getgid()],
            "capabilities": int(fields["CapEff"], 16) | int(fields["CapBnd"], 16), "filter": int(fields["Seccomp"]),
            "new privileges": int(fields["NoNewPrivs"]),
            "refused": [path for path in ("/x", "/usr/x", "/bot/x", "/etc/hostname", "/dev/x") if refused(path)],
            "names": open("/etc/hosts").read() + open("/etc/resolv.conf").read(),
            "links": [line.split(":")[0].strip() for line in open("/proc/self/net/dev") if ":" in line],
            "machine": [path for path in ("/proc/stat", "/proc/meminfo", "/proc/vmstat", "/proc/locks") if open(path).read()]
            + os.listdir("/proc/sys") + os.listdir("/dev/pts") + os.listdir("/sys/devices"),
            "cgroups": sorted({line.strip().split(":")[2] for line in open("/proc/self/cgroup")}),
            "env": sorted(os.environ), "cwd": os.getcwd(), "host": socket.gethostname(),
            "secret": os.path.exists("/bot/secret") and (open("/bot/secret").read() if os.access("/bot/secret", os.R_OK) else ""),
            "home": os.listdir("/bot/home"), "box": os.statvfs("/box").f_blocks * os.statvfs("/box").f_frsize,
        }))
        """

    async def test(ring: Ring) -> None:
        ring.folder.mkdir()
        (ring.folder / "secret").write_text("cards")
        (ring.folder / "home").mkdir()
        (ring.folder / "home" / "record").write_text("cards")
        async with ring.running(program) as cell:
            said = await all_heard(cell)
            assert cell.exit_text() == "exited with status 0", ring.log
        sees = json.loads(said)
        assert sees.pop("uid") == sees.pop("gid") > 1000
        names = sees.pop("env")
        assert set(names) - {"HOSTNAME", "container", "TERM", "LC_CTYPE", "PWD", "OLDPWD", "SHLVL", "_"} == {
            "HOME",
            "LANG",
            "PATH",
            "PYTHONDONTWRITEBYTECODE",
        }
        assert sees == {
            "groups": [],
            "capabilities": 0,
            "filter": 2,
            "new privileges": 1,
            "refused": ["/x", "/usr/x", "/bot/x", "/etc/hostname", "/dev/x"],
            "names": "",
            "links": ["lo"],
            "machine": [],
            "cgroups": ["/"],
            "cwd": "/bot",
            "host": "bot",
            "secret": "",
            "home": [],
            "box": 16 * MIB,
        }

    run(engine_socket, tmp_path, test, hidden=("secret", "home"))


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting takes root")
def test_file_systems_inside_what_is_shown_are_seen_except_hidden_ones(engine_socket: Path, tmp_path: Path) -> None:
    runtime = tmp_path / "runtime"
    mounted = [runtime / "more", tmp_path / "bot" / "secrets" / "inner"]
    for place in mounted:
        place.mkdir(parents=True)
    program = f"""
        import os
        print(open("{mounted[0]}/part").read(), os.listdir("/bot/secrets"), os.listdir("{tmp_path}/bot/secrets"))
        try:
            open("{mounted[0]}/new", "w")
        except OSError as error:
            print(error.strerror)
        """

    async def test(ring: Ring) -> None:
        async with ring.running(program, reads=(runtime, tmp_path / "bot")) as cell:
            assert await all_heard(cell) == b"a part [] []\nRead-only file system\n", bytes(ring.log)

    with contextlib.ExitStack() as stack:
        for place in mounted:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=0777,size=64k", "tmpfs", place], check=True)
            stack.callback(subprocess.check_call, ["umount", place])
            (place / "part").write_text("a part")
        run(engine_socket, tmp_path, test, hidden=("secrets",))


def test_settings_that_lead_nowhere_are_left_out(
    engine_socket: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "localtime"
    link.symlink_to("/no/such/zone")
    monkeypatch.setattr(mounts, "system_settings", lambda **_: [str(link), "/etc/uninstalled", "/etc/ld.so.cache"])

    async def test(ring: Ring) -> None:
        async with ring.running("print('hello')") as cell:
            assert await all_heard(cell) == b"hello\n"

    run(engine_socket, tmp_path, test)


def test_what_is_in_the_box_may_be_run_and_a_workshop_s_has_many_files(engine_socket: Path, tmp_path: Path) -> None:
    program = """
        import os, shutil, subprocess
        shutil.copy("/bin/true", "/box/made")
        for number in range(5000):
            open(f"/box/{number}", "w").close()
        print(subprocess.run(["/box/made"]).returncode, os.statvfs("/box").f_blocks * os.statvfs("/box").f_frsize >> 20)
        """

    async def test(ring: Ring) -> None:
        async with ring.running(program, workshop=Workshop(), caps=Caps(box=32 * MIB)) as cell:
            assert await all_heard(cell) == b"0 32\n", bytes(ring.log)
        async with ring.running(program.replace("5000", "500")) as cell:
            assert await all_heard(cell) == b"0 16\n", bytes(ring.log)
        if not ring.engine.is_podman:  # which has no limit of files
            async with ring.running(program) as cell:
                assert await all_heard(cell) == b""
            assert b"No space left" in ring.log

    run(engine_socket, tmp_path, test)


def test_the_machine_is_shown_as_it_was_when_the_referee_began(engine_socket: Path, tmp_path: Path) -> None:
    snapshots = tmp_path / "proc"
    program = "print(*(open(f'/proc/{name}').read() for name in ('cpuinfo', 'meminfo', 'stat')), sep='', end='')"

    async def test(ring: Ring) -> None:
        ring.docker = DockerSandbox(ring.engine, ring.docker._nursery, Owner(OWNER), snapshots=snapshots)
        for _ in range(2):
            async with ring.running(program) as cell:
                assert await all_heard(cell) == b"".join(procfs.snapshot().values()), bytes(ring.log)
            shutil.rmtree(snapshots)  # as somebody may who tidies up

    run(engine_socket, tmp_path, test)


def test_files_of_dead_referees_are_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with machine.snapshots() as ours, machine.snapshots() as left:
        (left / "referee").write_text(f"999999999-1-{identity.me().rpartition('-')[2]}")
        strange = tmp_path / f"{left.name}-2"
        strange.mkdir()
        os.mkfifo(strange / "referee")
        machine.sweep()
        assert ours.exists()
        assert strange.exists()
        assert not left.exists()


def test_what_is_hidden_must_be_there(engine_socket: Path, tmp_path: Path) -> None:
    async def test(ring: Ring) -> None:
        with pytest.raises(HostError, match="create it first"):
            await ring.docker.start(ring.launch(""), ring.log.extend)

    run(engine_socket, tmp_path, test, hidden=("later",))


def test_a_bot_s_folder_must_not_be_hidden(engine_socket: Path, tmp_path: Path) -> None:
    async def test(ring: Ring) -> None:
        with pytest.raises(CellError, match="must not see"):
            await ring.docker.start(ring.launch(""), ring.log.extend)

    run(engine_socket, tmp_path, test, hidden=(".",))


def test_a_folder_that_is_shut_to_others_is_told(engine_socket: Path, tmp_path: Path) -> None:
    async def test(ring: Ring) -> None:
        launch = ring.launch("")
        ring.folder.chmod(0o700)
        with pytest.raises(CellError, match="chmod"):
            await ring.docker.start(launch, ring.log.extend)

    run(engine_socket, tmp_path, test)


def test_limits_of_processes_and_of_the_box(engine_socket: Path, tmp_path: Path) -> None:
    program = """
        import errno, os, time
        started = 0
        try:
            while started < 500:
                if os.fork() == 0:
                    time.sleep(60)
                started += 1
        except OSError:
            pass
        written = 0
        try:
            with open("/box/large", "wb", 0) as file:
                while written < 100 << 20:
                    written += file.write(bytes(1 << 20))
        except OSError:
            pass
        print(started, written >> 20)
        """

    async def test(ring: Ring) -> None:
        caps = Caps(processes=20, box=4 * MIB)
        async with ring.running(program, caps=caps) as cell:
            started, written = map(int, (await all_heard(cell)).split())
        assert started < 20
        assert written <= 4

    run(engine_socket, tmp_path, test)


def test_one_that_is_frozen_uses_no_processor_and_dies_all_the_same(engine_socket: Path, tmp_path: Path) -> None:
    word = secrets.token_hex(8)
    program = "import os\nos.write(1, b'!')\nwhile True:\n    pass"

    async def test(ring: Ring) -> None:
        async with ring.running(program, command=(PYTHON, "bot.py", word)) as cell:
            if not cell.freezes:
                pytest.skip("the freezer of containers is not ours to write")
            await heard(cell, 1)
            pids = processes_of(word)
            assert pids
            for _ in range(3):
                await run_on(pids)
                cell.freeze()
                await stand_still(pids)
                cell.thaw()
            cell.freeze()
            cell.kill()
            with trio.fail_after(PATIENCE):
                await cell.wait()

    run(engine_socket, tmp_path, test)


def test_an_engine_that_dies_is_to_blame(tmp_path: Path) -> None:
    if os.geteuid() != 0 or not any(Path(folder, "dockerd").exists() for folder in ("/usr/bin", "/usr/sbin")):
        pytest.skip("only an engine of our own may be ended, and that takes root and dockerd")
    with own_dockerd() as dockerd:

        async def test(ring: Ring) -> None:
            async with ring.running(ECHO) as cell:
                cell.send(b"x")
                assert await heard(cell, 1) == b"x"
                dockerd.crash()
                assert await all_heard(cell) == b""
                assert str(dockerd.path) in (cell.host_fault() or "")
                assert cell.breach() is None
            assert ring.engine.is_gone()
            with pytest.raises(HostError, match="is it running"):
                await ring.docker.start(ring.launch(ECHO), ring.log.extend)

        run(dockerd.path, tmp_path, test)


@pytest.mark.slow
def test_another_engine_in_its_place_does_not_put_the_blame_on_the_bot(tmp_path: Path) -> None:
    if os.geteuid() != 0 or not any(Path(folder, "dockerd").exists() for folder in ("/usr/bin", "/usr/sbin")):
        pytest.skip("only an engine of our own may be ended, and that takes root and dockerd")
    with own_dockerd() as dockerd:

        async def test(ring: Ring) -> None:
            async with ring.running(ECHO) as cell:
                dockerd.stop()
                dockerd.start()
                assert await all_heard(cell) == b""
                assert cell.host_fault() is not None, cell.exit_text()

        run(dockerd.path, tmp_path, test)


@pytest.mark.parametrize("frozen", [False, True])
def test_the_containers_of_a_dead_referee_are_swept(frozen: bool, engine_socket: Path, tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.py").write_text("import time; time.sleep(600)")
    referee = f"""
import trio
from pathlib import Path
from bullring.arena.cells.sandbox.container.sandbox import DockerSandbox
from bullring.arena.cells.sandbox.container.engine import open_engine
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.program import Program, Workshop
async def main():
    async with open_engine(Path({str(engine_socket)!r})) as engine, trio.open_nursery() as nursery:
        program = Program(("{{python}}", "bot.py"), Path({str(tmp_path / "bot")!r}))
        cell = await DockerSandbox(engine, nursery, Owner({OWNER!r})).start(program, print)
        if {frozen} and cell.freezes:
            cell.freeze()
        print("running", flush=True)
        await trio.sleep_forever()
trio.run(main)
"""
    process = subprocess.Popen([sys.executable, "-c", referee], stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"running\n"
        trio.run(_sweep, engine_socket)  # while it lives they are its own
        assert len(ours(engine_socket)) == 1
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert trio.run(_sweep, engine_socket) >= 1
    assert ours(engine_socket) == []


async def _sweep(socket: Path) -> int:
    async with open_engine(socket) as engine:
        return await sweep(engine)


def test_an_unknown_runtime_is_named(engine_socket: Path, tmp_path: Path) -> None:
    async def test(ring: Ring) -> None:
        with pytest.raises(HostError, match="no runtime nonsense"):
            DockerSandbox(ring.engine, ring.docker._nursery, Owner(), runtime="nonsense")

    run(engine_socket, tmp_path, test)


def test_an_engine_far_away_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://192.0.2.1:2375")
    with pytest.raises(HostError, match="an engine of this machine"):
        find_socket()


@pytest.mark.parametrize(
    ("refusal", "elsewhere"),
    [
        ("invalid mount config for type bind: bind source path does not exist: /usr", True),
        ("invalid mount config for type bind: bind source path does not exist: /no/such/folder", False),
        ("mounts denied: The path /usr is not shared from the host", True),
        ("statfs /usr: no such file or directory", True),
        ("no such image", False),
    ],
)
def test_an_engine_that_sees_other_files_is_told_from_a_bot_without_files(refusal: str, elsewhere: bool) -> None:
    assert _sees_other_files(refusal) == elsewhere


def test_a_socket_where_nobody_listens(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_engine(tmp_path / "docker.sock"):
            pass

    with pytest.raises(HostError, match="does not answer"):
        trio.run(main)

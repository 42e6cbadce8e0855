"""Programs in containers of a real engine."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.sandbox import procfs
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.container import cell as cell_module
from bullring.arena.cells.sandbox.container import fifos, mounts
from bullring.arena.cells.sandbox.container.attached import MOST_UNREAD, Attached
from bullring.arena.cells.sandbox.container.cell import ContainerCell
from bullring.arena.cells.sandbox.container.config import RUN
from bullring.arena.cells.sandbox.container.engine import find_socket, open_engine
from bullring.arena.cells.sandbox.container.sandbox import DockerSandbox, _sees_other_files, sweep
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.program import Workshop
from bullring.errors import CellError, HostError
from tests.arena.cells.sandbox.stage import OWNER, Stage, hear, on_stage, staged
from tests.support.engine import Dockerd, named, own_dockerd
from tests.support.tiers import WITH_IMAGES


def ours(socket: Path) -> list[str]:
    """The containers that are left."""
    names: list[str] = []

    async def main() -> None:
        async with open_engine(socket) as engine:
            found = await engine.call("list", partial(engine.client.containers, all=True, filters={"label": RUN}))
            names.extend(each["Id"] for each in found if each["Labels"][RUN].startswith(f"{OWNER}~"))

    trio.run(main)
    return names


@staged(*WITH_IMAGES)
async def test_stdout_that_is_read_ahead_is_announced_and_bounded(stage: Stage) -> None:
    stage.docker._pipes = None
    async with stage.running("import os\nfor _ in range(64): os.write(1, b'x' * 65536)") as cell:
        assert isinstance(cell, ContainerCell)
        assert isinstance(cell._streams, Attached)
        for _ in range(50):
            cell.read_log()
            await trio.sleep(0.01)
        assert len(cell._streams._stdout) < 2 * MOST_UNREAD
        assert len(await hear(cell)) == 64 * 65536


@pytest.mark.parametrize("by_engine", [False, True])
@pytest.mark.parametrize("stream", [1, 2])
@staged(*WITH_IMAGES)
async def test_a_flooder_whom_nobody_reads_is_gone_at_once(stage: Stage, stream: int, by_engine: bool) -> None:
    if by_engine:
        stage.docker._pipes = None
    async with stage.running(f"import os\nwhile True: os.write({stream}, b'x' * 65536)") as cell:
        await trio.sleep(0.5)
        cell.kill()
        await trio.lowlevel.wait_readable(cell.read_fd)
        while cell.recv():
            pass
        await cell.end()
        assert cell.exit_text() == "ended by the arena"


@staged(*WITH_IMAGES)
async def test_nobody_else_opens_its_pipes_and_it_opens_no_other_end(stage: Stage) -> None:
    program = """
        import os
        print([end for end in ("in", "out", "err") if os.path.exists(f"/pipes/{end}")])
        for fd, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY)):
            try:
                os.open(f"/proc/self/fd/{fd}", mode | os.O_NONBLOCK)
            except PermissionError:
                print(fd)
        os.write(os.open("/dev/stdout", os.O_WRONLY), b"written")
        """
    folder = stage.docker._pipes
    async with stage.running(program) as cell:
        assert not any(folder.iterdir())
        assert await hear(cell) == "written[]\n0\n1\n2\n"
    with pytest.raises(CellError, match="no-such-image"):
        await stage.sandbox.start(stage.program("", image="no-such-image"), stage.log.extend)
    assert not any(folder.iterdir())


@staged(*WITH_IMAGES)
async def test_where_no_pipes_of_ours_can_be_opened_the_engine_passes_everything_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in gVisor."""
    monkeypatch.setattr(fifos, "OPENING", "exec </no/such/pipe")
    for _ in range(2):
        assert await stage.output("print('hello')") == "hello\n"
        assert stage.exit == "exited with status 0"
    assert stage.docker._pipes is None


@staged(*WITH_IMAGES)
async def test_a_bot_that_has_its_first_process_close_the_output_voids_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_module, "END_LIMIT", 0.05)
    monkeypatch.setattr(fifos, "OPENING", f"{fifos.OPENING}; exec >/dev/null")
    async with stage.running("import time; time.sleep(600)") as cell:
        assert await hear(cell) == ""
        assert cell.host_fault() is None
        assert not cell.ended()


@staged(*WITH_IMAGES, hidden=("secret", "home"))
async def test_what_it_sees(stage: Stage) -> None:
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
            "machine": [path for path in ("/proc/vmstat", "/proc/locks") if open(path).read()]
            + os.listdir("/proc/sys") + os.listdir("/dev/pts") + os.listdir("/sys/devices"),
            "cgroups": sorted({line.strip().split(":")[2] for line in open("/proc/self/cgroup")}),
            "env": sorted(os.environ), "cwd": os.getcwd(), "host": socket.gethostname(),
            "secret": os.path.exists("/bot/secret") and (open("/bot/secret").read() if os.access("/bot/secret", os.R_OK) else ""),
            "home": os.listdir("/bot/home"), "box": os.statvfs("/box").f_blocks * os.statvfs("/box").f_frsize,
        }))
        """
    stage.folder.mkdir()
    (stage.folder / "secret").write_text("cards")
    (stage.folder / "home").mkdir()
    (stage.folder / "home" / "record").write_text("cards")
    async with stage.running(program) as cell:
        said = await hear(cell)
        assert cell.exit_text() == "exited with status 0", stage.log
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


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[list[Path]]:
    """File systems in a folder that is shown and in one that is hidden."""
    if os.geteuid() != 0:
        pytest.skip("mounting takes root")
    places = [tmp_path / "runtime" / "more", tmp_path / "bot" / "secrets" / "inner"]
    with contextlib.ExitStack() as stack:
        for place in places:
            place.mkdir(parents=True)
            subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=0777,size=64k", "tmpfs", place], check=True)
            stack.callback(subprocess.check_call, ["umount", place])
            (place / "part").write_text("a part")
        yield places


@staged(*WITH_IMAGES, hidden=("secrets",))
async def test_file_systems_inside_what_is_shown_are_seen_except_hidden_ones(
    stage: Stage, mounted: list[Path], tmp_path: Path
) -> None:
    program = f"""
        import os
        print(open("{mounted[0]}/part").read(), os.listdir("/bot/secrets"), os.listdir("{tmp_path}/bot/secrets"))
        try:
            open("{mounted[0]}/new", "w")
        except OSError as error:
            print(error.strerror)
        """
    said = await stage.output(program, reads=(mounted[0].parent, tmp_path / "bot"))
    assert said == "a part [] []\nRead-only file system\n"


@staged(*WITH_IMAGES)
async def test_settings_that_lead_nowhere_are_left_out(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "localtime"
    link.symlink_to("/no/such/zone")
    monkeypatch.setattr(mounts, "system_settings", lambda **_: [str(link), "/etc/uninstalled", "/etc/ld.so.cache"])
    assert await stage.output("print('hello')") == "hello\n"


@staged(*WITH_IMAGES)
async def test_what_is_in_the_box_may_be_run_and_a_workshop_s_has_many_files(stage: Stage) -> None:
    program = """
        import os, shutil, subprocess
        shutil.copy("/bin/true", "/box/made")
        for number in range(5000):
            open(f"/box/{number}", "w").close()
        print(subprocess.run(["/box/made"]).returncode, os.statvfs("/box").f_blocks * os.statvfs("/box").f_frsize >> 20)
        """
    assert await stage.output(program, Caps(box=32 * MIB), workshop=Workshop()) == "0 32\n"
    assert await stage.output(program.replace("5000", "500")) == "0 16\n"
    if not stage.engine.is_podman:  # which has no limit of files
        assert "No space left" in await stage.output(program)


@staged(*WITH_IMAGES)
async def test_the_machine_is_shown_as_it_was_when_the_referee_began(stage: Stage) -> None:
    program = "print(*(open(f'/proc/{name}').read() for name in ('cpuinfo', 'meminfo', 'stat')), sep='', end='')"
    for _ in range(2):
        assert await stage.output(program) == b"".join(procfs.snapshot().values()).decode()
        shutil.rmtree(stage.docker._snapshots)  # as somebody may who tidies up


@staged(*WITH_IMAGES, hidden=("later",))
async def test_what_is_hidden_must_be_there(stage: Stage) -> None:
    with pytest.raises(HostError, match="create it first"):
        await stage.sandbox.start(stage.program(""), stage.log.extend)


@staged(*WITH_IMAGES, hidden=(".",))
async def test_a_bot_s_folder_must_not_be_hidden(stage: Stage) -> None:
    with pytest.raises(CellError, match="must not see"):
        await stage.sandbox.start(stage.program(""), stage.log.extend)


@staged(*WITH_IMAGES)
async def test_a_folder_that_is_shut_to_others_is_told(stage: Stage) -> None:
    launch = stage.program("")
    stage.folder.chmod(0o700)
    with pytest.raises(CellError, match="chmod"):
        await stage.sandbox.start(launch, stage.log.extend)


@staged(*WITH_IMAGES)
async def test_limits_of_processes_and_of_the_box(stage: Stage) -> None:
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
    started, written = map(int, (await stage.output(program, Caps(processes=20, box=4 * MIB))).split())
    assert started < 20
    assert written <= 4


@pytest.fixture
def dockerd(tmp_path: Path) -> Iterator[Dockerd]:
    """An engine of our own, which may be ended."""
    if os.geteuid() != 0 or not any(Path(folder, "dockerd").exists() for folder in ("/usr/bin", "/usr/sbin")):
        pytest.skip("only an engine of our own may be ended, and that takes root and dockerd")
    with own_dockerd() as dockerd, named(dockerd.path):
        yield dockerd


ECHO = "import os\nwhile data := os.read(0, 65536): os.write(1, data)"


@pytest.mark.parametrize("by_engine", [False, True])
def test_an_engine_that_dies_is_to_blame(by_engine: bool, dockerd: Dockerd, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        if by_engine:
            stage.docker._pipes = None
        async with stage.running(ECHO) as cell:
            cell.send(b"x")
            assert await hear(cell, b"x") == "x"
            dockerd.crash()
            if not by_engine:
                cell.send(b"y")
                assert await hear(cell, b"y") == "y", "until its end nobody needs the engine"
                cell.hang_up()
            assert await hear(cell) == ""
            assert str(dockerd.path) in (cell.host_fault() or "")
            assert cell.breach() is None
        assert stage.engine.is_gone()
        with pytest.raises(HostError, match="is it running"):
            await stage.sandbox.start(stage.program(ECHO), stage.log.extend)

    on_stage("docker", tmp_path, test)


@pytest.mark.slow
def test_another_engine_in_its_place_does_not_put_the_blame_on_the_bot(dockerd: Dockerd, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        async with stage.running(ECHO) as cell:
            dockerd.stop()
            dockerd.start()
            assert await hear(cell) == ""
            assert cell.host_fault() is not None, cell.exit_text()

    on_stage("docker", tmp_path, test)


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


@staged(*WITH_IMAGES)
async def test_an_unknown_runtime_is_named(stage: Stage) -> None:
    with pytest.raises(HostError, match="no runtime nonsense"):
        DockerSandbox(stage.engine, stage.docker._nursery, Owner(), runtime="nonsense")


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

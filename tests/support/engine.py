"""A container engine for tests: the one that answers, or a dockerd of our own, started by hand and ended with all it made."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox.container.engine import find_socket
from bullring.errors import HostError
from tests.support.patience import PATIENCE
from tests.support.processes import runs

MUST = "BULLRING_ALL_TIERS"
"""The environment variable that makes a missing tier a failure."""

LOCAL_ONLY = "local"
"""Its value where there is no engine for us: only the other tiers must be there."""

START_LIMIT = PATIENCE


@pytest.fixture(scope="session")
def engine_socket() -> Iterator[Path]:
    """The socket of an engine that answers."""
    with contextlib.suppress(HostError):
        path = find_socket()
        if answers(path):
            yield path
            return
    if os.geteuid() == 0 and shutil.which("dockerd"):
        with own_engine() as path:
            yield path
        return
    why = "no container engine answers, and we cannot start one (that takes root and dockerd)"
    if os.environ.get(MUST, LOCAL_ONLY) != LOCAL_ONLY:
        pytest.fail(why)
    pytest.skip(why)


def answers(path: Path) -> bool:
    """Whether an engine listens there."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(5.0)
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


class Dockerd:
    """An engine of our own in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "docker.sock"
        self._log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    "dockerd",
                    f"--host=unix://{self.path}",
                    f"--data-root={self.folder / 'data'}",
                    f"--exec-root={self.folder / 'exec'}",
                    f"--pidfile={self.folder / 'pid'}",
                    # Bots have no network, so it needs none; and it is not to touch the machine's.
                    "--bridge=none",
                    "--iptables=false",
                    "--ip6tables=false",
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until = time.monotonic() + START_LIMIT
        while not answers(self.path):
            if self._process.poll() is not None or time.monotonic() > until:
                pytest.fail(f"dockerd does not start:\n{self._log.read_text('utf-8', 'replace')[-3000:]}")
            time.sleep(0.05)

    def crash(self) -> None:
        """End it at once; what it started lives on."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End it with all it started, by process id."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(20)
        self._end_the_rest()
        mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text("utf-8").splitlines()]
        for point in sorted((each for each in mounts if Path(each).is_relative_to(self.folder)), reverse=True):
            subprocess.run(["umount", "--lazy", point], check=False)

    def _end_the_rest(self) -> None:
        """containerd and its shims name our folder on their command lines; containers are in cgroups that name them."""
        containers = [path.name for path in (self.folder / "data" / "containers").glob("*")]
        groups = [group for container in containers for group in _groups(container)]
        for _ in range(100):
            left = {pid for pid in _processes() if self._is_ours(pid)}
            left |= {pid for group in groups for pid in _members(group)}
            if not left:
                break
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)
        for group in groups:
            with contextlib.suppress(OSError):
                group.rmdir()

    def _is_ours(self, pid: int) -> bool:
        with contextlib.suppress(OSError):
            return pid != os.getpid() and str(self.folder).encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
        return False


def _processes() -> list[int]:
    return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if runs(pid)]  # noqa: PTH208


def _groups(container: str) -> list[Path]:
    """The cgroups that Docker made for a container, by itself or with systemd's help."""
    root = Path("/sys/fs/cgroup")
    names = (f"docker/{container}", f"system.slice/docker-{container}.scope")
    return [path for folder in (root, *root.iterdir()) for name in names if (path := folder / name).is_dir()]


def _members(group: Path) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(pid) for pid in (group / "cgroup.procs").read_text("ascii").split()]
    return []


@contextmanager
def own_engine() -> Iterator[Path]:
    """A dockerd that is gone in the end."""
    with own_dockerd() as dockerd:
        yield dockerd.path


@contextmanager
def own_dockerd() -> Iterator[Dockerd]:
    """A dockerd that may be ended in between."""
    # A short path: those of sockets have little room.
    folder = Path(tempfile.mkdtemp(prefix="bullring-dk-", dir="/tmp"))
    dockerd = Dockerd(folder)
    try:
        dockerd.start()
        yield dockerd
    finally:
        dockerd.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def named(engine: Path) -> Iterator[None]:
    """Name an engine to those that look for one."""
    before = os.environ.get("DOCKER_HOST")
    os.environ["DOCKER_HOST"] = f"unix://{engine}"
    try:
        yield
    finally:
        del os.environ["DOCKER_HOST"]
        if before is not None:
            os.environ["DOCKER_HOST"] = before

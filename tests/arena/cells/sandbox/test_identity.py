"""The owners of things found on the machine, and whether they live."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox import identity

HERE = Path("/proc/self/ns/pid").stat().st_ino


def test_a_process_knows_itself() -> None:
    assert identity.alive(identity.me())
    assert identity.me() == f"{os.getpid()}-{identity.start_time(os.getpid())}-{HERE}"
    assert "~" not in identity.me(), "marks are cut there"


def test_another_one_with_the_number_of_a_dead_one() -> None:
    assert not identity.alive(f"{os.getpid()}-1-{HERE}")


def test_one_that_has_ended() -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        name = identity.name(process.pid)
        assert identity.alive(name)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not identity.alive(name), "a zombie"
    assert not identity.alive(name)


@pytest.mark.parametrize(
    "name",
    [
        f"{os.getpid()}-1-{HERE + 1}",  # of another pid namespace
        f"{os.getpid()}-1",
        f"-1-1-{HERE}",
        f"0-1-{HERE}",
        f"{'9' * 30}-1-{HERE}",
        f"1-{'9' * 5000}-{HERE}",
        "",
        "x",
    ],
    ids=["namespace", "two numbers", "no id", "zero", "a long id", "a very long time", "empty", "a letter"],
)
def test_who_is_not_known_to_be_dead_lives(name: str) -> None:
    assert identity.alive(name)


def test_one_that_cannot_be_looked_at_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    def hidden(pid: int) -> int:
        raise FileNotFoundError(pid)  # as /proc with hidepid=2 has it

    def forbidden(pid: int, number: int) -> None:
        raise PermissionError(pid)

    monkeypatch.setattr(identity, "start_time", hidden)
    assert identity.alive(f"1-1-{HERE}"), "it can be signalled"
    monkeypatch.setattr(os, "kill", forbidden)
    assert identity.alive(f"1-1-{HERE}")


@pytest.mark.parametrize("proc", ["--mount-proc", "--kill-child"])
def test_referees_of_two_pid_namespaces_leave_each_other_alone(proc: str) -> None:
    """With a /proc of its own, and with one that is not of its namespace."""
    program = """
import sys
from bullring.arena.cells.sandbox.identity import alive, me
print(me(), alive(sys.argv[1]), alive(me()))
"""
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    command = ["unshare", "--user", "--map-root-user", "--pid", "--fork", proc]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no namespaces for us here")
    told = subprocess.check_output(
        [*command, sys.executable, "-c", program, f"{os.getpid()}-1-{HERE}"], text=True
    ).split()
    assert told[1:] == ["True", "True"]
    assert identity.alive(told[0])

"""The policy as data: its numbers are the kernel's, and nothing is allowed by chance."""

import platform
import re
import subprocess
import sys
from errno import ENOSYS
from pathlib import Path
from shutil import which

import pytest

from bullring.arena.cells.sandbox.seccomp import syscalls
from bullring.arena.cells.sandbox.seccomp.policy import INTERNET, NETWORK_OF_ITS_OWN, NO_SOCKETS, Policy, policy_for
from bullring.arena.cells.sandbox.seccomp.syscalls import AARCH64, MACHINES, X86_64, Machine, machine
from bullring.errors import UnknownMachine
from tests.arena.cells.sandbox.reading import ALLOW, ERROR, cases, verdicts
from tests.support.patience import PATIENCE


def names_of(text: str) -> dict[str, int]:
    defined: dict[str, str] = dict(re.findall(r"^#define __NR(\w+) (\w+)$", text, re.MULTILINE))
    # Where a call has several forms, its name stands for one of them: __NR_fcntl is __NR3264_fcntl.
    resolved = {name: defined.get(value.removeprefix("__NR"), value) for name, value in defined.items()}
    return {name[1:]: int(value) for name, value in resolved.items() if name.startswith("_") and value.isdigit()}


def header_of(machine: Machine) -> dict[str, int]:
    if machine is X86_64:
        header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
        if not header.exists():
            pytest.skip("the kernel's header for x86_64 is not installed (linux-libc-dev)")
        return names_of(header.read_text())
    header = Path("/usr/include/asm-generic/unistd.h")
    if not header.exists() or not which("gcc"):
        pytest.skip("the kernel's generic header, or gcc, is not installed")
    # What is defined depends on the machine that includes it: aarch64 is one of 64 bits that wants these.
    wanted = ("SYS_CLONE3", "MEMFD_SECRET", "RENAMEAT", "NEW_STAT", "SET_GET_RLIMIT", "TIME32_SYSCALLS")
    command = ["gcc", "-E", "-dM", "-D__BITS_PER_LONG=64", *(f"-D__ARCH_WANT_{each}" for each in wanted), str(header)]
    names = names_of(subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout)
    others = ("syscalls", "arch_specific_syscall")  # how many there are, and where others' own begin
    return {name: number for name, number in names.items() if name not in others}


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_the_numbers_are_those_of_the_headers(machine: Machine) -> None:
    header = header_of(machine)
    until = max(header.values())  # headers may be older or newer than the tables here
    ours = {name: number for name, number in machine.numbers.items() if number <= until}
    assert ours == {name: number for name, number in header.items() if number <= max(machine.numbers.values())}


@pytest.mark.parametrize("families", [NETWORK_OF_ITS_OWN, NO_SOCKETS, INTERNET])
@pytest.mark.parametrize("init", [False, True])
def test_every_name_is_known_and_has_one_place(families: tuple[int, ...], init: bool) -> None:
    policy = policy_for(families, init=init)
    named = [name for rule in policy.refused for name in rule.calls]
    assert policy.allowed | set(named) <= X86_64.numbers.keys()
    always = [name for rule in policy.refused if not rule.when for name in rule.calls]
    assert len(set(always)) == len(always)
    # The sockets of a program that may have none are refused whole.
    assert policy.allowed & set(always) <= {"socket"}
    # A rule with a test means something only for a call that may be made, and is not refused anyway.
    assert {name for rule in policy.refused if rule.when for name in rule.calls} <= policy.allowed - set(always)
    assert all(rule.why for rule in policy.refused)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
@pytest.mark.parametrize("families", [NETWORK_OF_ITS_OWN, NO_SOCKETS])
def test_the_order_of_rules_means_nothing(families: tuple[int, ...], machine: Machine) -> None:
    policy = policy_for(families)
    there, back = (verdicts(Policy(policy.allowed, rules), machine) for rules in (policy.refused, policy.refused[::-1]))
    for number, arguments in cases(policy, machine):
        assert there(number, arguments) == back(number, arguments)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_what_nobody_has_thought_of_is_refused(machine: Machine) -> None:
    verdict = verdicts(policy_for(NETWORK_OF_ITS_OWN), machine)
    assert verdict(max(machine.numbers.values()) + 1, (0,) * 6) == ERROR | ENOSYS
    for name, at in {"ioctl": 1, "fcntl": 1, "prctl": 0, "madvise": 2, "membarrier": 0, "getsockopt": 2}.items():
        assert verdict(machine.numbers[name], tuple(0x1234 if at == arg else 0 for arg in range(6))) != ALLOW


def test_a_machine_without_a_table_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(UnknownMachine, match=r"x86_64 and aarch64; this is linux on riscv64"):
        machine()
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert machine() is AARCH64
    monkeypatch.setattr(sys, "maxsize", (1 << 31) - 1)
    with pytest.raises(UnknownMachine, match="32-bit"):
        syscalls.machine()

"""The policy as data: its numbers are the kernel's, and it leaves nothing out that others deny."""

import platform
import re
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from bullring.arena.cells.sandbox.seccomp import syscalls
from bullring.arena.cells.sandbox.seccomp.policy import NETWORK_OF_ITS_OWN, NO_SOCKETS, rules
from bullring.arena.cells.sandbox.seccomp.syscalls import AARCH64, MACHINES, X86_64, Machine, machine
from bullring.errors import UnknownMachine
from tests.arena.cells.sandbox.reading import cases, verdicts
from tests.support.patience import PATIENCE

# What Docker's documentation lists as blocked by its default profile, now or formerly.
DOCKER = """
    acct add_key adjtimex bpf clock_adjtime clock_settime create_module delete_module finit_module get_kernel_syms get_mempolicy
    init_module ioperm iopl kcmp kexec_file_load kexec_load keyctl lookup_dcookie mbind modify_ldt mount move_pages
    name_to_handle_at nfsservctl open_by_handle_at perf_event_open pivot_root process_vm_readv process_vm_writev ptrace
    query_module quotactl reboot request_key set_mempolicy setns settimeofday swapon swapoff sysfs _sysctl umount2 uselib
    userfaultfd ustat
"""
DOCKER_BY_ARGUMENTS = {"clone", "unshare", "personality"}
# stime, umount, vm86 and vm86old have numbers in 32-bit tables only, and a call through those ends the program. restart_syscall
# stood in the list once; without it, who sleeps is woken by being stopped and continued.


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
    wanted = ["-D__BITS_PER_LONG=64", "-D__ARCH_WANT_SYS_CLONE3", "-D__ARCH_WANT_MEMFD_SECRET"]
    command = ["gcc", "-E", "-dM", *wanted, str(header)]
    names = names_of(subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout)
    return {name: number for name, number in names.items() if name != "syscalls"}  # how many there are


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_the_numbers_are_those_of_the_headers(machine: Machine) -> None:
    header = header_of(machine)
    common = machine.numbers.keys() & header.keys()
    assert {name: machine.numbers[name] for name in common} == {name: header[name] for name in common}
    # Headers may be older than the tables here; what they have, and know under no such name, must be newer than they are.
    assert all(machine.numbers[name] > max(header.values()) for name in machine.numbers.keys() - common)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_no_two_calls_have_one_number(machine: Machine) -> None:
    assert len(set(machine.numbers.values())) == len(machine.numbers)
    assert max(machine.numbers.values()) <= machine.highest


def test_newer_calls_have_one_number_on_all_machines() -> None:
    for name, number in X86_64.numbers.items():
        if number >= 424:
            assert AARCH64.numbers[name] == number


@pytest.mark.parametrize("families", [NETWORK_OF_ITS_OWN, NO_SOCKETS])
def test_every_name_is_known_and_every_known_name_is_used(families: tuple[int, ...]) -> None:
    used = {name for rule in rules(families) for name in rule.calls}
    assert used == X86_64.numbers.keys() | AARCH64.numbers.keys()


@pytest.mark.parametrize("families", [NETWORK_OF_ITS_OWN, NO_SOCKETS])
def test_rules_behind_one_without_a_test_would_mean_nothing(families: tuple[int, ...]) -> None:
    final = set[str]()
    for rule in rules(families):
        assert not final.intersection(rule.calls)
        assert rule.why
        if rule.when is None:
            final.update(rule.calls)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
@pytest.mark.parametrize("families", [NETWORK_OF_ITS_OWN, NO_SOCKETS])
def test_the_order_of_rules_means_nothing(families: tuple[int, ...], machine: Machine) -> None:
    policy = rules(families)
    there, back = verdicts(policy, machine), verdicts(policy[::-1], machine)
    for number, arguments in cases(policy, machine):
        assert there(number, arguments) == back(number, arguments)


def test_everything_that_docker_blocks_is_denied() -> None:
    denied = {name for rule in rules(NETWORK_OF_ITS_OWN) if rule.when is None for name in rule.calls}
    assert not set(DOCKER.split()) - denied
    looked_at = {name for rule in rules(NETWORK_OF_ITS_OWN) if rule.when is not None for name in rule.calls}
    assert looked_at >= DOCKER_BY_ARGUMENTS


def test_a_machine_without_a_table_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(UnknownMachine, match=r"x86_64 and aarch64; this is linux on riscv64"):
        machine()
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert machine() is AARCH64
    monkeypatch.setattr(sys, "maxsize", (1 << 31) - 1)
    with pytest.raises(UnknownMachine, match="32-bit"):
        syscalls.machine()

"""The filter's program says of every call what the policy says."""

from collections.abc import Sequence
from errno import EAFNOSUPPORT, EINVAL, ENOMEM, ENOPROTOOPT, ENOSYS, ENOTTY, EPERM

import pytest

from bullring.arena.cells.sandbox.seccomp.bpf import TooLong, program
from bullring.arena.cells.sandbox.seccomp.policy import (
    INTERNET,
    NETWORK_OF_ITS_OWN,
    NO_SOCKETS,
    OneOf,
    Policy,
    Rule,
    policy_for,
)
from bullring.arena.cells.sandbox.seccomp.syscalls import AARCH64, MACHINES, X86_64, Machine
from tests.arena.cells.sandbox.classic_bpf import Instruction, call, instructions, run
from tests.arena.cells.sandbox.reading import ALLOW, ERROR, KILL, cases, verdicts

each_machine = pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
each_policy = pytest.mark.parametrize("families", [NETWORK_OF_ITS_OWN, NO_SOCKETS], ids=["networked", "no sockets"])

I386, ARM = 0x40000003, 0x40000028


def differences(code: Sequence[Instruction], policy: Policy, machine: Machine) -> list[tuple[int, tuple[int, ...]]]:
    verdict = verdicts(policy, machine)
    return [
        (number, arguments)
        for number, arguments in cases(policy, machine)
        if run(code, call(machine.audit, number, arguments)) != verdict(number, arguments)
    ]


@each_policy
@each_machine
def test_the_program_says_what_the_policy_says(machine: Machine, families: tuple[int, ...]) -> None:
    policy = policy_for(families)
    assert not differences(instructions(program(policy, machine)), policy, machine)


@each_machine
def test_calls_through_foreign_tables_end_the_program(machine: Machine) -> None:
    code = instructions(program(policy_for(NETWORK_OF_ITS_OWN), machine))
    foreign = {I386, ARM, 0, 0xFFFFFFFF, machine.audit - 1, machine.audit + 1} | {each.audit for each in MACHINES} - {
        machine.audit
    }
    for audit in foreign - {machine.audit}:
        for number in range(max(machine.numbers.values()) + 2):
            assert run(code, call(audit, number)) == KILL


def test_the_second_table_of_x86_64_is_foreign_but_minus_one_is_only_missing() -> None:
    code = instructions(program(policy_for(NETWORK_OF_ITS_OWN), X86_64))
    assert run(code, call(X86_64.audit, 0x3FFFFFFF)) == ERROR | ENOSYS
    for number in (0x40000000, 0x40000001, 0x40000000 + 520, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE):
        assert run(code, call(X86_64.audit, number)) == KILL
    assert run(code, call(X86_64.audit, 0xFFFFFFFF)) == ERROR | ENOSYS


def test_some_verdicts_by_hand() -> None:
    code = instructions(program(policy_for(NETWORK_OF_ITS_OWN), X86_64))
    expected = {
        (0,): ALLOW,  # read
        (1,): ALLOW,  # write
        (41, 1): ALLOW,  # socket(AF_UNIX)
        (41, 2): ERROR | EAFNOSUPPORT,  # AF_INET
        (41, 10): ERROR | EAFNOSUPPORT,
        (41, 40): ERROR | EAFNOSUPPORT,  # AF_VSOCK
        (41, (1 << 32) + 40): ERROR | EAFNOSUPPORT,
        (56, 0x003D0F00): ALLOW,  # a thread
        (56, 0x01200011): ALLOW,  # a child
        (56, 0x00004111): ALLOW,  # a child as posix_spawn makes it
        (56, 0x10000011): ERROR | EPERM,  # with a user namespace
        (56, 0x00001011): ERROR | EPERM,  # with CLONE_PIDFD
        (56, 0x01200012): ERROR | EPERM,  # which sends SIGCONT
        (72, 0, 1): ALLOW,  # fcntl(F_GETFD)
        (72, 0, 6): ERROR | ENOSYS,  # F_SETLK
        (72, 0, 1024): ERROR | EINVAL,  # F_SETLEASE
        (72, 0, 10): ERROR | EINVAL,  # F_SETSIG
        (72, 0, 2000): ERROR | EINVAL,  # what nobody knows yet
        (222,): ERROR | ENOSYS,  # timer_create
        (203, 0, 8): ERROR | 0,  # sched_setaffinity
        (204, 0, 8): ALLOW,  # sched_getaffinity
        (16, 0, 0x541B): ALLOW,  # ioctl(FIONREAD)
        (16, 0, 0x5412): ERROR | ENOTTY,  # TIOCSTI
        (16, 0, (1 << 32) + 0x5412): ERROR | ENOTTY,
        (16, 0, 0x5413): ERROR | ENOTTY,  # TIOCGWINSZ, of which there is none
        (135, 0xFFFFFFFF): ALLOW,
        (135, 0x0040000): ERROR | ENOSYS,  # ADDR_NO_RANDOMIZE
        (9, 0, 4096, 3, 0x22): ALLOW,  # mmap, private and anonymous
        (9, 0, 4096, 3, 0x40022): ERROR | ENOMEM,  # MAP_HUGETLB
        (28, 0, 4096, 4): ALLOW,  # MADV_DONTNEED, with which heaps give memory back
        (28, 0, 4096, 21): ERROR | EINVAL,  # MADV_PAGEOUT
        (26, 0, 4096, 1): ALLOW,  # msync(MS_ASYNC), with which libunwind looks for memory
        (26, 0, 4096, 4): ERROR | 0,  # MS_SYNC
        (54, 3, 1, 8): ALLOW,  # SO_RCVBUF
        (54, 3, 1, 7): ERROR | ENOPROTOOPT,  # SO_SNDBUF
        (54, 3, 1, 26): ERROR | ENOPROTOOPT,  # SO_ATTACH_FILTER
        (55, 3, 1, 7): ALLOW,
        (55, 3, 1, 57): ERROR | ENOPROTOOPT,  # SO_COOKIE
        (157, 4, 0): ALLOW,  # PR_SET_DUMPABLE
        (157, 4, 18): ALLOW,
        (157, 1, 18): ERROR | EINVAL,  # PR_SET_PDEATHSIG
        (157, 22, 2): ERROR | EINVAL,  # PR_SET_SECCOMP
        (302, 0, 7): ALLOW,  # prlimit64
        (302, 1, 7): ERROR | ENOSYS,
        (327, 3, 0, 1, 0, 0, 0): ERROR | ENOSYS,  # preadv2
        (435,): ERROR | ENOSYS,
        (462,): ERROR | ENOSYS,  # mseal
        (470,): ERROR | ENOSYS,
    }
    assert {each: run(code, call(X86_64.audit, each[0], each[1:])) for each in expected} == expected


def test_programs_of_a_network_may_set_its_options_but_no_filter() -> None:
    code = instructions(program(policy_for(INTERNET, init=True), X86_64))
    said = [run(code, call(X86_64.audit, 54, (3, level, 26))) for level in (1, 41)]
    assert said == [ERROR | ENOPROTOOPT, ALLOW]  # SO_ATTACH_FILTER, IPV6_V6ONLY


def test_a_long_program_has_long_jumps() -> None:
    every_other = {f"call{number}": number for number in range(0, 2000, 2)}
    machine = Machine("long", AARCH64.audit, "SCMP_ARCH_AARCH64", every_other)
    policy = Policy(frozenset(every_other), ())
    code = instructions(program(policy, machine))
    assert any(operation == 0x05 for operation, *_ in code)
    assert not differences(code, policy, machine)


def test_what_does_not_fit_is_refused() -> None:
    many = tuple(range(258))
    with pytest.raises(TooLong, match="a jump over"):
        program(examined(OneOf(1, many)), X86_64)
    assert program(examined(OneOf(1, many[:256])), X86_64)
    numbers = {f"call{number}": number for number in range(0, 9000, 2)}
    with pytest.raises(TooLong, match="instructions, but the kernel accepts only 4096"):
        program(Policy(frozenset(numbers), ()), Machine("long", 1, "", numbers))


def examined(test: OneOf) -> Policy:
    return Policy(frozenset({"fcntl"}), (Rule("fcntl", EPERM, "", test),))

"""The policy as a classic BPF program, for `bwrap --seccomp` and seccomp(2).

The kernel runs it at every system call and passes it the call's number, the architecture and the arguments. The program is a binary
search for the number; each leaf is a verdict, or a test of arguments. Pieces of code jump only forward and within themselves, so
they can be concatenated like lists.
"""

import struct
from collections.abc import Sequence
from errno import ENOSYS

from bullring.arena.cells.sandbox.seccomp.policy import ALL_BITS, OneOf, Policy, Rule, Test
from bullring.arena.cells.sandbox.seccomp.syscalls import Machine

Code = list[tuple[int, int, int, int]]
"""Instructions: operation, distance if true, distance if false, constant. A distance of 0 is the next instruction."""

# From linux/bpf_common.h: class, size or condition, and source of each instruction used here.
_LOAD, _AND, _ALWAYS, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x05, 0x15, 0x35, 0x06
# From linux/seccomp.h: verdicts of a filter, and offsets in struct seccomp_data.
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16

LONGEST = 4096
"""Most instructions that the kernel accepts."""


class TooLong(Exception):
    """The policy does not fit into a program: too many instructions, or a jump that is too long."""


def program(policy: Policy, machine: Machine) -> bytes:
    """Compile the policy to an array of struct sock_filter, little-endian like both machines. Raises `TooLong`."""
    code = [
        (_LOAD, 0, 0, _MACHINE),
        _jump(_EQUAL, machine.audit, 1, 0),
        *_kill(),
        (_LOAD, 0, 0, _NUMBER),
        *_search(_ranges(policy, machine)),
    ]
    if len(code) > LONGEST:
        raise TooLong(f"the filter has {len(code)} instructions, but the kernel accepts only {LONGEST}")
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def _ranges(policy: Policy, machine: Machine) -> list[tuple[int, Code]]:
    """Divide all numbers from 0 into ranges of calls with the same verdict: the first number of each, and the verdict."""
    known = {number: _verdict(policy.rules(name)) for name, number in machine.numbers.items()}
    verdicts = [(number, known.get(number, _error(ENOSYS))) for number in range(max(known) + 2)]
    if machine.x32 is not None:
        # -1 has that bit as well, but is not a call in any table; programs use it to learn how a missing call fails.
        verdicts += [(machine.x32, _kill()), (ALL_BITS, _error(ENOSYS))]
    return [now for before, now in zip([(0, Code()), *verdicts], verdicts, strict=False) if now[1] != before[1]]


def _search(ranges: list[tuple[int, Code]]) -> Code:
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    below, above = _search(ranges[:middle]), _search(ranges[middle:])
    first = ranges[middle][0]
    if len(below) < 256:
        return [_jump(_AT_LEAST, first, len(below), 0), *below, *above]
    # Only unconditional jumps can cover a long distance.
    return [_jump(_AT_LEAST, first, 0, 1), (_ALWAYS, 0, 0, len(below)), *below, *above]


def _verdict(rules: Sequence[Rule]) -> Code:
    """Compile the rules of a call, in order, up to the first one without a test."""
    code = Code()
    for rule in rules:
        refusal = _error(rule.error)
        for test in reversed(rule.when):
            refusal = [*_load(test), *_unless(test, len(refusal)), *refusal]
        code += refusal
        if not rule.when:
            return code
    return [*code, *_allow()]


def _load(test: Test) -> Code:
    """Load what the test examines."""
    load = (_LOAD, 0, 0, _ARGUMENTS + 8 * test.arg)  # little-endian: the lower half comes first
    return [load] if test.mask == ALL_BITS else [load, (_AND, 0, 0, test.mask)]


def _unless(test: Test, over: int) -> Code:
    """Continue with the next instruction if the test holds, otherwise skip so many."""
    # All matches jump to the same place; only after the last comparison is it known that none matched.
    found, none = (0, over) if isinstance(test, OneOf) else (over, 0)
    left = len(test.values) - 1
    return [_jump(_EQUAL, value, left - at + found, none if at == left else 0) for at, value in enumerate(test.values)]


def _jump(operation: int, constant: int, true: int, false: int) -> tuple[int, int, int, int]:
    if max(true, false) > 255:
        raise TooLong(f"a jump over {max(true, false)} instructions; at most 255 are possible")
    return operation, true, false, constant


def _allow() -> Code:
    return [(_RETURN, 0, 0, _ALLOW)]


def _error(number: int) -> Code:
    return [(_RETURN, 0, 0, _ERROR | number)]


def _kill() -> Code:
    return [(_RETURN, 0, 0, _KILL)]

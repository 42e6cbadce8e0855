"""The policy as a program of classic BPF, for `bwrap --seccomp` and seccomp(2).

The kernel runs it at every system call, with the call's number, the machine and the arguments before it. The program is
a binary search for the number; at each leaf stands a verdict, or a look at arguments. Pieces of code only ever jump forward, and by
distances within themselves, so they are put together like lists.
"""

import struct
from collections.abc import Sequence

from bullring.arena.sandbox.seccomp.policy import ALL_BITS, NEWER, AnyBit, OneOf, Rule, Test
from bullring.arena.sandbox.seccomp.syscalls import Machine

Code = list[tuple[int, int, int, int]]
"""Instructions: operation, distance if true, distance if false, constant. A distance of 0 is the next instruction."""

# From linux/bpf_common.h: class, size or condition, and source of each instruction used here.
_LOAD, _AND, _ALWAYS, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x05, 0x15, 0x35, 0x45, 0x06
# From linux/seccomp.h: what a filter says, and where in struct seccomp_data things stand.
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16

LONGEST = 4096
"""So many instructions the kernel takes."""


class TooLong(Exception):
    """The policy does not fit into a program: too many instructions, or a jump over too many."""


def program(rules: Sequence[Rule], machine: Machine) -> bytes:
    """The rules as an array of struct sock_filter, little-endian as both machines are."""
    code = [
        (_LOAD, 0, 0, _MACHINE),
        _jump(_EQUAL, machine.audit, 1, 0),
        *_kill(),
        (_LOAD, 0, 0, _NUMBER),
        *_search(_ranges(rules, machine)),
    ]
    if len(code) > LONGEST:
        raise TooLong(f"the filter has {len(code)} instructions, and the kernel takes {LONGEST}")
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def _ranges(rules: Sequence[Rule], machine: Machine) -> list[tuple[int, Code]]:
    """All numbers from 0 up: where a range of calls with the same verdict begins, and the verdict."""
    special = {
        machine.numbers[name]: _verdict(name, rules) for rule in rules for name in rule.calls if name in machine.numbers
    }
    verdicts = [(number, special.get(number, _allow())) for number in range(machine.highest + 1)]
    verdicts.append((machine.highest + 1, _error(NEWER)))
    if machine.x32 is not None:
        # -1 has that bit, too, and is no call in any table; programs use it to ask how a missing call is answered.
        verdicts += [(machine.x32, _kill()), (ALL_BITS, _error(NEWER))]
    return [now for before, now in zip([(0, Code()), *verdicts], verdicts, strict=False) if now[1] != before[1]]


def _search(ranges: list[tuple[int, Code]]) -> Code:
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    below, above = _search(ranges[:middle]), _search(ranges[middle:])
    first = ranges[middle][0]
    if len(below) < 256:
        return [_jump(_AT_LEAST, first, len(below), 0), *below, *above]
    # Only a jump without a condition has room for a long distance.
    return [_jump(_AT_LEAST, first, 0, 1), (_ALWAYS, 0, 0, len(below)), *below, *above]


def _verdict(call: str, rules: Sequence[Rule]) -> Code:
    """What becomes of a call: its rules in their order, down to the first without a test."""
    code, loaded = Code(), Code()
    for rule in rules:
        if call in rule.calls:
            if rule.when is None:
                return [*code, *_error(rule.error)]
            load = _load(rule.when)
            if load != loaded:
                code += load
            code += [*_unless(rule.when), *_error(rule.error)]
            loaded = load
    return [*code, *_allow()]


def _load(test: Test) -> Code:
    """Takes up what the test looks at."""
    load = (_LOAD, 0, 0, _ARGUMENTS + 8 * test.arg)  # little-endian: the lower half stands first
    if isinstance(test, AnyBit) or test.mask == ALL_BITS:
        return [load]
    return [load, (_AND, 0, 0, test.mask)]


def _unless(test: Test) -> Code:
    """Goes to the instruction behind it if the test holds, and over that one if not."""
    if isinstance(test, AnyBit):
        return [_jump(_ANY_BIT, test.mask, 0, 1)]
    # Whichever value it is, the way is the same; only after the last one it is known to be none.
    found, none = (0, 1) if isinstance(test, OneOf) else (1, 0)
    left = len(test.values) - 1
    return [_jump(_EQUAL, value, left - at + found, none if at == left else 0) for at, value in enumerate(test.values)]


def _jump(operation: int, constant: int, true: int, false: int) -> tuple[int, int, int, int]:
    if max(true, false) > 255:
        raise TooLong(f"a jump over {max(true, false)} instructions; 255 are possible")
    return operation, true, false, constant


def _allow() -> Code:
    return [(_RETURN, 0, 0, _ALLOW)]


def _error(number: int) -> Code:
    return [(_RETURN, 0, 0, _ERROR | number)]


def _kill() -> Code:
    return [(_RETURN, 0, 0, _KILL)]

"""The policy read directly, as a person would: what a call must meet, and the calls worth trying."""

from collections.abc import Callable, Iterator, Sequence

from bullring.arena.cells.sandbox.seccomp.policy import OneOf, Policy, Test
from bullring.arena.cells.sandbox.seccomp.syscalls import Machine

ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
ENOSYS = 38
X32 = 0x40000000


def holds(tests: Sequence[Test], arguments: Sequence[int]) -> bool:
    return all(
        (arguments[test.arg] & 0xFFFFFFFF & test.mask in test.values) is isinstance(test, OneOf) for test in tests
    )


def verdicts(policy: Policy, machine: Machine) -> Callable[[int, Sequence[int]], int]:
    """The right verdicts on a call that is made in the machine's own way, by its number and arguments."""
    of_call = {number: policy.rules(name) for name, number in machine.numbers.items()}

    def verdict(number: int, arguments: Sequence[int]) -> int:
        if machine.name == "x86_64" and number >= X32 and number != 0xFFFFFFFF:
            return KILL
        if number not in of_call:
            return ERROR | ENOSYS
        for rule in of_call[number]:
            if holds(rule.when, arguments):
                return ERROR | rule.error
        return ALLOW

    return verdict


def numbers(machine: Machine) -> Iterator[int]:
    """All numbers of the table, and those around the places where something begins or ends."""
    yield from range(max(machine.numbers.values()) + 40)
    for bit in range(10, 32):
        yield from range((1 << bit) - 1, (1 << bit) + 2)
    yield from (X32 + number for number in machine.numbers.values())
    yield from (0xBFFFFFFF, 0xC0000000, 0xFFFFFFFE, 0xFFFFFFFF)


def arguments(policy: Policy, machine: Machine, number: int) -> Iterator[tuple[int, ...]]:
    """For a call: everything that tests of it or of its neighbours ask for, what lies beside that, every single bit, and the same
    with the upper half filled."""
    yield (0,) * 6
    yield ((1 << 64) - 1,) * 6
    near = {name for name, its in machine.numbers.items() if abs(its - number) <= 1}
    tests = [test for rule in policy.refused if near & {*rule.calls} for test in rule.when]
    for test in tests:
        values = {value + by for value in (*test.values, test.mask) for by in (-1, 0, 1)} | {
            1 << bit for bit in range(32)
        }
        values |= {0x003D0F00, 0x01200011, 0xFFFFFFFF} | {~(1 << bit) for bit in range(32)}
        for value in sorted(value & 0xFFFFFFFF for value in values):
            for upper in (0, 1 << 32, 0xFFFFFFFF << 32):
                for others in others_of(tests, test.arg):
                    yield tuple(upper | value if at == test.arg else others[at] for at in range(6))


def others_of(tests: Sequence[Test], arg: int) -> Iterator[tuple[int, ...]]:
    """Values of the other arguments meanwhile: nothing, or something that each other test would let pass or not."""
    yield (0,) * 6
    for test in tests:
        if test.arg != arg:
            yield tuple(test.values[0] if at == test.arg else 0 for at in range(6))


def cases(policy: Policy, machine: Machine) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Number and arguments of all calls worth trying."""
    for number in numbers(machine):
        for each in arguments(policy, machine, number):
            yield number, each

"""The policy as a profile for container engines, as `docker run --security-opt seccomp=FILE` takes it.

Some things it cannot say. Calls are named, so those that the engine's libseccomp has no name for are left alone, and with them all
that are newer than the tables. Rules have no order. And a test compares one argument once, so "none of these" becomes a list of bit
patterns.
"""

from collections.abc import Iterator, Sequence

from bullring.arena.sandbox.seccomp.policy import ALL_BITS, AnyBit, OneOf, Rule, Test
from bullring.arena.sandbox.seccomp.syscalls import Machine

Pattern = tuple[int, int]
"""Bits that are looked at, and what they must be."""


def profile(rules: Sequence[Rule], machine: Machine) -> dict[str, object]:
    """The rules as JSON. With only one architecture named, the engine ends programs that make calls of another, x32 included."""
    return {
        "defaultAction": "SCMP_ACT_ALLOW",
        "architectures": [machine.oci],
        "syscalls": [entry for rule in rules for entry in _entries(rule, machine)],
    }


def _entries(rule: Rule, machine: Machine) -> Iterator[dict[str, object]]:
    names = [name for name in rule.calls if name in machine.numbers]
    if not names:
        return
    entry = {"names": names, "action": "SCMP_ACT_ERRNO", "errnoRet": rule.error, "comment": rule.why}
    if rule.when is None:
        yield entry
        return
    # Conditions of one entry must all hold; of several entries for a call, one is enough.
    for mask, value in _patterns(rule.when):
        condition = {"index": rule.when.arg, "op": "SCMP_CMP_MASKED_EQ", "value": mask, "valueTwo": value}
        yield {**entry, "args": [condition]}


def _patterns(test: Test) -> Iterator[Pattern]:
    """Arguments for which the test holds fit one of these; others fit none."""
    if isinstance(test, AnyBit):
        yield from ((bit, bit) for bit in _bits(test.mask))
    elif isinstance(test, OneOf):
        yield from ((test.mask, value) for value in test.values)
    else:
        yield from _others(test.values, _bits(test.mask), (0, 0))


def _others(values: Sequence[int], bits: Sequence[int], pattern: Pattern) -> Iterator[Pattern]:
    """What fits the pattern without being one of the values: the pattern is split, bit by bit, until it lies beside all of them."""
    mask, value = pattern
    if not any(each & mask == value for each in values):
        yield pattern
    elif bits:
        first, *rest = bits
        yield from _others(values, rest, (mask | first, value))
        yield from _others(values, rest, (mask | first, value | first))


def _bits(mask: int) -> list[int]:
    return [1 << place for place in reversed(range(ALL_BITS.bit_length())) if mask >> place & 1]

"""The policy as a profile for container engines, for `docker run --security-opt seccomp=FILE`.

A profile is less expressive than the policy. Calls are named, so calls that the engine's libseccomp does not know are allowed,
and so are all calls newer than our tables. Rules have no order. And a test compares one argument once, so "none of these" becomes
a list of bit patterns.
"""

from collections.abc import Iterator, Sequence

from bullring.arena.cells.sandbox.seccomp.policy import ALL_BITS, OneOf, Rule, Test
from bullring.arena.cells.sandbox.seccomp.syscalls import Machine

Pattern = tuple[int, int]
"""A mask, and the value that the masked bits must have."""


def profile(rules: Sequence[Rule], machine: Machine) -> dict[str, object]:
    """Render the rules as JSON values.

    Only one architecture is named, so the engine kills programs that make calls of another one, such as x32.
    """
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
    # All conditions of one entry must hold, but one of several entries for a call is enough.
    for mask, value in _patterns(rule.when):
        condition = {"index": rule.when.arg, "op": "SCMP_CMP_MASKED_EQ", "value": mask, "valueTwo": value}
        yield {**entry, "args": [condition]}


def _patterns(test: Test) -> Iterator[Pattern]:
    """Yield patterns such that an argument matches one of them exactly if the test holds."""
    if isinstance(test, OneOf):
        yield from ((test.mask, value) for value in test.values)
    else:
        yield from _others(test.values, _bits(test.mask), (0, 0))


def _others(values: Sequence[int], bits: Sequence[int], pattern: Pattern) -> Iterator[Pattern]:
    """Yield patterns for everything that matches the pattern except these values, by splitting it bit by bit."""
    mask, value = pattern
    if not any(each & mask == value for each in values):
        yield pattern
    elif bits:
        first, *rest = bits
        yield from _others(values, rest, (mask | first, value))
        yield from _others(values, rest, (mask | first, value | first))


def _bits(mask: int) -> list[int]:
    return [1 << place for place in reversed(range(ALL_BITS.bit_length())) if mask >> place & 1]

"""The policy as a profile for container engines, for `docker run --security-opt seccomp=FILE`.

A profile is less expressive than the policy. Rules have no order, so entries that allow a call and those that refuse it exclude
each other, and a test compares an argument once, so "none of these" becomes a list of bit patterns. The default error is ENOSYS;
engines before Docker 23 make it EPERM, so calls that are refused are named.
"""

from collections.abc import Iterable, Iterator, Sequence
from errno import ENOSYS

from bullring.arena.cells.sandbox.seccomp.policy import ALL_BITS, NoneOf, OneOf, Policy, Rule, Test
from bullring.arena.cells.sandbox.seccomp.syscalls import Machine

Pattern = tuple[int, int]
"""A mask, and the value that the masked bits must have."""

LONG = 3
"""Values of a list such that others fail with the profile's default: their own error would take dozens of patterns, each of which
costs time at the start of a container."""

Region = dict[int, Pattern]
"""Patterns of some arguments, by number, that all must match: one for each, because engines take several as alternatives."""


def profile(policy: Policy, machine: Machine) -> dict[str, object]:
    """Render the policy as JSON values.

    Only one architecture is named, so the engine kills programs that make calls of another one, such as x32.
    """
    alike: dict[tuple[Rule, ...], list[str]] = {}
    for name in machine.numbers:
        alike.setdefault(tuple(policy.rules(name)), []).append(name)
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": ENOSYS,
        "architectures": [machine.oci],
        "syscalls": [{"names": names, **entry} for rules, names in alike.items() for entry in _entries(rules)],
    }


def _entries(rules: Iterable[Rule]) -> Iterator[dict[str, object]]:
    """Yield entries for a call, without its name. Of several one is enough; in one, all conditions must hold."""
    allowed = [Region()]
    for rule in rules:
        if not any(isinstance(test, NoneOf) and len(test.values) >= LONG for test in rule.when):
            for region in _met([Region()], rule.when):
                yield {"action": "SCMP_ACT_ERRNO", "errnoRet": rule.error, **_conditions(region)}
        allowed = list(_unmet(allowed, rule.when))
        if not allowed:
            return
    for region in allowed:
        yield {"action": "SCMP_ACT_ALLOW", **_conditions(region)}


def _conditions(region: Region) -> dict[str, object]:
    compared = [
        {"index": arg, "op": "SCMP_CMP_MASKED_EQ", "value": mask, "valueTwo": value}
        for arg, (mask, value) in region.items()
    ]
    return {"args": compared} if compared else {}


def _met(regions: Iterable[Region], tests: Sequence[Test]) -> Iterable[Region]:
    """The parts of these regions in which all tests hold."""
    for test in tests:
        regions = list(_where(regions, test))
    return regions


def _unmet(regions: Sequence[Region], tests: Sequence[Test]) -> Iterator[Region]:
    """Yield the parts of these regions in which some test does not hold."""
    for at, test in enumerate(tests):
        other = NoneOf if isinstance(test, OneOf) else OneOf
        yield from _where(_met(regions, tests[:at]), other(test.arg, test.values, test.mask))


def _where(regions: Iterable[Region], test: Test) -> Iterator[Region]:
    for region in regions:
        mask, value = region.get(test.arg, (0, 0))
        for more, wanted in _patterns(test):
            if not (value ^ wanted) & mask & more:
                yield {**region, test.arg: (mask | more, value | wanted)}


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

"""The profile for container engines says what the policy says, read by itself and through libseccomp."""

import json
from errno import EAFNOSUPPORT, ENOSYS
from typing import Any

import pytest

from bullring.arena.cells.sandbox.seccomp.oci import profile
from bullring.arena.cells.sandbox.seccomp.policy import NETWORK_OF_ITS_OWN, NO_SOCKETS, policy_for
from bullring.arena.cells.sandbox.seccomp.syscalls import MACHINES, X86_64, Machine
from tests.arena.cells.sandbox.classic_bpf import call, instructions, run
from tests.arena.cells.sandbox.libseccomp import compile_profile, load
from tests.arena.cells.sandbox.reading import ALLOW, ERROR, KILL, cases, verdicts

each_machine = pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
each_policy = pytest.mark.parametrize("families", [NETWORK_OF_ITS_OWN, NO_SOCKETS], ids=["networked", "no sockets"])


def made(machine: Machine, families: tuple[int, ...]) -> dict[str, Any]:
    """The profile after a way through JSON."""
    read: dict[str, Any] = json.loads(json.dumps(profile(policy_for(families), machine)))
    return read


def read_by_hand(entries: list[dict[str, Any]], arguments: tuple[int, ...]) -> set[int]:
    """The verdicts of the entries for one call: within an entry all conditions must hold, of entries one is enough."""
    return {
        ERROR | int(entry["errnoRet"]) if entry["action"] == "SCMP_ACT_ERRNO" else ALLOW
        for entry in entries
        if all(arguments[each["index"]] & each["value"] == each["valueTwo"] for each in entry.get("args", []))
    } or {ERROR | ENOSYS}


def same(said: int, expected: int) -> bool:
    """Whether a verdict is the policy's, or refuses in the engine's way what the policy refuses."""
    return said == expected or (said == ERROR | ENOSYS and expected not in (ALLOW, ERROR | 0))


@each_policy
@each_machine
def test_the_profile_says_what_the_policy_says(machine: Machine, families: tuple[int, ...]) -> None:
    entries = made(machine, families)["syscalls"]
    names = {number: name for name, number in machine.numbers.items()}
    own = {name: [entry for entry in entries if name in entry["names"]] for name in machine.numbers}
    verdict = verdicts(policy_for(families), machine)
    for number, arguments in cases(policy_for(families), machine):
        if number in names:
            (said,) = read_by_hand(own[names[number]], arguments)
            assert same(said, verdict(number, arguments)), (names[number], arguments)


def test_short_lists_fail_with_their_own_error() -> None:
    entries = [entry for entry in made(X86_64, NETWORK_OF_ITS_OWN)["syscalls"] if "socket" in entry["names"]]
    assert read_by_hand(entries, (2, 1, 0)) == {ERROR | EAFNOSUPPORT}


@each_policy
@each_machine
def test_the_profile_has_the_form_that_engines_take(machine: Machine, families: tuple[int, ...]) -> None:
    read = made(machine, families)
    assert read.keys() == {"defaultAction", "defaultErrnoRet", "architectures", "syscalls"}
    assert read["architectures"] == [machine.oci]
    for entry in read["syscalls"]:
        assert entry.keys() <= {"names", "action", "errnoRet", "args"}
        assert entry["names"]
        if entry["action"] == "SCMP_ACT_ERRNO":
            assert 0 <= entry["errnoRet"] < 134
        else:
            assert entry["action"] == "SCMP_ACT_ALLOW"
        # Engines take conditions on one argument in one entry as alternatives, which nobody would expect.
        compared = [condition["index"] for condition in entry.get("args", [])]
        assert len(set(compared)) == len(compared)
        for condition in entry.get("args", []):
            assert condition.keys() == {"index", "op", "value", "valueTwo"}
            assert condition["valueTwo"] & ~condition["value"] == 0


@each_policy
@each_machine
def test_libseccomp_makes_the_same_filter_of_it(machine: Machine, families: tuple[int, ...]) -> None:
    library = load()
    if library is None:
        pytest.skip("libseccomp is not installed")
    policy = policy_for(families)
    code = instructions(compile_profile(library, made(machine, families), machine))
    verdict = verdicts(policy, machine)
    for number, arguments in cases(policy, machine):
        said = run(code, call(machine.audit, number, arguments))
        expected = verdict(number, arguments)
        if expected == KILL:
            assert said in (0, KILL)  # libseccomp kills the thread, or the program
        else:
            assert same(said, expected), (number, arguments)
    for each in (0x40000003, 0x40000028, *(other.audit for other in MACHINES if other is not machine)):
        assert run(code, call(each, 0)) in (0, 0x80000000)

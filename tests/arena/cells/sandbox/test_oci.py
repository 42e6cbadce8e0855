"""The profile for container engines says what the policy says, read by itself and through libseccomp."""

import json
from typing import Any

import pytest

from bullring.arena.cells.sandbox.seccomp.oci import profile
from bullring.arena.cells.sandbox.seccomp.policy import NETWORK_OF_ITS_OWN, NO_SOCKETS, rules
from bullring.arena.cells.sandbox.seccomp.syscalls import MACHINES, Machine
from tests.arena.cells.sandbox.classic_bpf import call, instructions, run
from tests.arena.cells.sandbox.libseccomp import compile_profile, load
from tests.arena.cells.sandbox.reading import ALLOW, ERROR, cases, verdicts

each_machine = pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
each_policy = pytest.mark.parametrize("families", [NETWORK_OF_ITS_OWN, NO_SOCKETS], ids=["networked", "no sockets"])


def made(machine: Machine, families: tuple[int, ...]) -> dict[str, Any]:
    """The profile after a way through JSON."""
    read: dict[str, Any] = json.loads(json.dumps(profile(rules(families), machine)))
    return read


def read_by_hand(entries: list[dict[str, Any]], arguments: tuple[int, ...]) -> int:
    """The verdict of the entries for one call: within an entry all conditions must hold, of entries one is enough."""
    for entry in entries:
        conditions = entry.get("args", [])
        if all(arguments[each["index"]] & each["value"] == each["valueTwo"] for each in conditions):
            return ERROR | int(entry["errnoRet"])
    return ALLOW


@each_policy
@each_machine
def test_the_profile_says_what_the_policy_says(machine: Machine, families: tuple[int, ...]) -> None:
    entries = made(machine, families)["syscalls"]
    names = {number: name for name, number in machine.numbers.items()}
    own = {name: [entry for entry in entries if name in entry["names"]] for name in machine.numbers}
    assert {name for entry in entries for name in entry["names"]} == machine.numbers.keys()
    verdict = verdicts(rules(families), machine)
    for number, arguments in cases(rules(families), machine):
        if number in names:
            assert read_by_hand(own[names[number]], arguments) == verdict(number, arguments)


@each_policy
@each_machine
def test_the_profile_has_the_form_that_engines_take(machine: Machine, families: tuple[int, ...]) -> None:
    read = made(machine, families)
    assert read.keys() == {"defaultAction", "architectures", "syscalls"}
    assert read["defaultAction"] == "SCMP_ACT_ALLOW"
    assert read["architectures"] == [machine.oci]
    for entry in read["syscalls"]:
        assert entry.keys() <= {"names", "action", "errnoRet", "comment", "args"}
        assert entry["action"] == "SCMP_ACT_ERRNO"
        assert entry["names"]
        assert 0 <= entry["errnoRet"] < 134
        # Engines take conditions on one argument in one entry as alternatives, which nobody would expect; so there is but one.
        assert len(entry.get("args", [])) <= 1
        for condition in entry.get("args", []):
            assert condition.keys() == {"index", "op", "value", "valueTwo"}
            assert condition["valueTwo"] & ~condition["value"] == 0


@each_policy
@each_machine
def test_libseccomp_makes_the_same_filter_of_it(machine: Machine, families: tuple[int, ...]) -> None:
    library = load()
    if library is None:
        pytest.skip("libseccomp is not installed")
    policy = rules(families)
    program, unknown = compile_profile(library, made(machine, families), machine)
    assert "clone3" not in unknown
    code = instructions(program)
    verdict = verdicts(policy, machine)
    passed_over = {machine.numbers[name] for name in unknown}
    for number, arguments in cases(policy, machine):
        said = run(code, call(machine.audit, number, arguments))
        expected = verdict(number, arguments)
        if number in passed_over or (number > machine.highest and expected & ERROR == ERROR):
            assert said == ALLOW  # the documented gaps of this rendering
        elif expected == 0x80000000:
            assert said in (0, 0x80000000)  # libseccomp kills the thread, or the program
        else:
            assert said == expected, (number, arguments)
    for each in (0x40000003, 0x40000028, *(other.audit for other in MACHINES if other is not machine)):
        assert run(code, call(each, 0)) in (0, 0x80000000)

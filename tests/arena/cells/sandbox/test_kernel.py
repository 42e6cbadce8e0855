"""The filter in the kernel of this machine, in real cells: what is denied is denied, and honest programs do not notice."""

import errno
import json
import os
import platform
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from bullring.arena.cells.sandbox.program import PYTHON
from bullring.arena.cells.sandbox.seccomp.policy import Policy, policy_for
from bullring.arena.cells.sandbox.seccomp.syscalls import machine
from bullring.errors import UnknownMachine
from tests.arena.cells.sandbox.reading import holds
from tests.arena.cells.sandbox.stage import Stage, staged
from tests.support.patience import PATIENCE
from tests.support.tiers import CONFINING, LOCAL, STRONG

try:
    HERE = machine()
except UnknownMachine as reason:
    pytest.skip(str(reason), allow_module_level=True)

FILTERED = [tier for tier in CONFINING if tier in LOCAL]
"""The tiers that load the program; container engines make their own of the profile."""

on_x86_64 = pytest.mark.skipif(platform.machine() != "x86_64", reason="a matter of x86_64")

PROBE = """
import ctypes, json
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
answers = []
for number, *arguments in json.load(open("calls")):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(each) for each in arguments))
    answers.append(ctypes.get_errno() if result == -1 else 0)
print(json.dumps(answers))
"""
"""Makes the calls in a file, lists of number and arguments, and says what each failed with; 0 if it did not."""


def sockets(stage: Stage) -> tuple[int, ...]:
    """The families of sockets that the tier allows."""
    sandbox: Any = stage.sandbox
    families: tuple[int, ...] = sandbox.sockets
    return families


async def probe(stage: Stage, *calls: tuple[int, ...], program: str = PROBE) -> list[int]:
    stage.folder.mkdir(exist_ok=True)
    (stage.folder / "calls").write_text(json.dumps(calls))
    said = await stage.output(program)
    assert stage.exit == "exited with status 0", (stage.exit, said)
    answers: list[int] = json.loads(said)
    return answers


def denied(policy: Policy) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """Name, error and call for each rule and each of its calls. All other arguments are -1: without a filter that does no harm."""
    for rule in policy.refused:
        for name in rule.calls:
            if name not in HERE.numbers:
                continue
            tried = 0
            values = {test.arg: [*range(64), *(1 << bit for bit in range(6, 32)), *test.values] for test in rule.when}
            for picked, other in product(product(*values.values()), (-1, 1)):
                chosen = dict(zip(values, picked, strict=True))
                arguments = tuple(chosen.get(at, other) for at in range(6))
                first = next((each for each in policy.rules(name) if holds(each.when, arguments)), None)
                if first is rule and (rule.when or other == -1):
                    tried += 1
                    yield name, rule.error, (HERE.numbers[name], *arguments)
            assert tried, rule


@staged(*FILTERED)
async def test_what_is_denied_fails_with_its_error(stage: Stage) -> None:
    attempts = list(denied(policy_for(sockets(stage))))
    attempts += [("newer", errno.ENOSYS, (max(HERE.numbers.values()) + 1,)), ("-1", errno.ENOSYS, (0xFFFFFFFF,))]
    answers = await probe(stage, *(call for _, _, call in attempts))
    wrong = [
        (name, call, errno.errorcode.get(said, said))
        for (name, error, call), said in zip(attempts, answers, strict=True)
        if said != error
    ]
    assert not wrong


@staged(*CONFINING)
async def test_what_is_not_listed_fails_in_every_tier(stage: Stage) -> None:
    """Harmless calls and options that work without a filter: PR_GET_KEEPCAPS, F_GETOWN, MADV_WILLNEED, a global barrier."""
    attempts = {"inotify_init1": (0x80000,), "prctl": (7,), "fcntl": (0, 9), "madvise": (0, 0, 3), "membarrier": (1, 0)}
    in_name_only = {"setsid": (), "fsync": (99,)}
    calls = {name: (HERE.numbers[name], *arguments) for name, arguments in (attempts | in_name_only).items()}
    answers = dict(zip(calls, await probe(stage, *calls.values()), strict=True))
    assert {name for name, error in answers.items() if not error} == in_name_only.keys()


@staged(*FILTERED)
async def test_the_upper_half_of_an_argument_hides_nothing(stage: Stage) -> None:
    ioctl, tiocsti = HERE.numbers["ioctl"], 0x5412
    socket, vsock = HERE.numbers["socket"], 40
    hidden = 1 << 32
    answers = await probe(stage, (ioctl, -1, tiocsti + hidden, 0), (socket, vsock + hidden, 1, 0))
    assert answers == [errno.ENOTTY, errno.EAFNOSUPPORT]


@staged(*FILTERED)
async def test_a_datagram_pair_reaches_nobody_where_sockets_are_forbidden(stage: Stage) -> None:
    pair = HERE.numbers["socketpair"]
    cloexec = 0x80000
    answers = await probe(stage, *((pair, 1, kind, 0, 0) for kind in (1, 5, 1 | cloexec, 2, 3, 2 | cloexec)))
    # Without a place for its answer, what is let through fails later.
    assert answers == [errno.EFAULT] * 3 + [errno.EFAULT if sockets(stage) else errno.EOPNOTSUPP] * 3


@staged(*CONFINING)
async def test_honest_things_work(stage: Stage) -> None:
    honest = Path(__file__).with_name("honest.py").read_text("utf-8")
    words = ["--sockets"] if stage.tier in STRONG else []
    if stage.tier in STRONG or os.geteuid() == 0:
        words.append("--files")  # without namespaces only root can give a folder to write to
    assert await stage.output(honest, command=(PYTHON, "bot.py", *words)) == "fine\n"
    assert (stage.exit, bytes(stage.log)) == ("exited with status 0", b"")


@on_x86_64
@staged(*FILTERED)
async def test_a_call_of_the_second_table_kills(stage: Stage) -> None:
    with pytest.raises(AssertionError, match="killed by SIGSYS"):
        await probe(stage, (0x40000000 + 39,))


@on_x86_64
@staged(*FILTERED)
async def test_a_call_in_the_way_of_32_bit_programs_kills(stage: Stage, tmp_path: Path) -> None:
    if not which("gcc"):
        pytest.skip("gcc is not installed")
    stage.folder.mkdir()
    source, binary = tmp_path / "foreign.c", stage.folder / "foreign"
    source.write_text('int main(void) { int r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(20)); return r <= 0; }\n')
    subprocess.run(["gcc", "-o", str(binary), str(source)], check=True, timeout=PATIENCE)
    if subprocess.run([str(binary)], timeout=PATIENCE).returncode != 0:
        pytest.skip("this kernel runs no 32-bit programs")
    await stage.output("", command=("./foreign",))
    assert stage.exit == "killed by SIGSYS"


@staged(*FILTERED)
async def test_the_filter_stays_on_for_children(stage: Stage) -> None:
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {PROBE!r}], check=True)"
    assert await probe(stage, (HERE.numbers["flock"], 0, 2), program=program) == [errno.ENOSYS]
